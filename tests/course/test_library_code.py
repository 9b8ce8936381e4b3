"""`finished_code`: the source of the library's functions, shown in a notebook."""

import ast
import inspect
import re
from html import unescape

import nbformat
import pytest

from bpe_course import finished_code, solution
from bpe_lib import Tokenizer, indexed, naive
from notebook_tools import paths


def shown_in(path):
    """Return the names whose code a notebook shows."""
    sources = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    calls = [ast.parse(source).body[-1].value for source in sources if source.startswith("finished_code(")]
    return [argument.value for call in calls for argument in call.args]


def text_of(html):
    """Return what a reader sees of HTML."""
    return unescape(re.sub("<[^>]*>", "", html))


@pytest.mark.parametrize("path", paths(), ids=lambda path: path.stem)
def test_each_name_in_a_notebook_leads_to_code(path):
    names = shown_in(path)
    assert names and len(finished_code(*names).parts) == len(names)
    for name, code in zip(names, finished_code(*names).parts):
        assert re.search(rf"^(def|class) {name.rpartition('.')[2]}\b", code.source, re.M)


def test_source_file_and_length_are_those_of_the_function():
    (code,) = finished_code("indexed.pop_best").parts
    assert code.source == inspect.getsource(indexed.pop_best).rstrip()
    assert (code.name, code.file) == ("pop_best", "bpe_lib/indexed.py")
    assert repr(finished_code("indexed.pop_best")) == code.title()
    assert code.title() == f"pop_best · bpe_lib/indexed.py · {code.source.count(chr(10)) + 1} lines"


def test_methods_and_properties_are_not_indented_and_classes_are_whole():
    decode, special_ids, whole = finished_code(
        "tokenizer.Tokenizer.decode", "tokenizer.Tokenizer.special_ids", "parallel.Counting"
    ).parts
    assert decode.source.startswith("def decode(self") and "\n    return" in decode.source
    assert decode.name == "Tokenizer.decode"
    assert re.match(r"(@property\n)?def special_ids\(self", special_ids.source)
    assert whole.source.startswith("@dataclass") and "class Counting" in whole.source


def test_a_name_at_the_top_of_the_library_leads_to_where_it_stands():
    assert finished_code("train_naive").parts[0].file == "bpe_lib/naive.py"
    assert finished_code("train_naive").parts[0].source == inspect.getsource(naive.train_naive).rstrip()


def test_the_code_is_folded_in_a_page_and_whole():
    html = finished_code("naive.count_pairs", "naive.best_pair")._repr_html_()
    assert html.count("<details ") == html.count("</details>") == html.count("<summary ") == 2 and " open" not in html
    for function in (naive.count_pairs, naive.best_pair):
        assert inspect.getsource(function).rstrip() in text_of(html)
    assert 'style="color: #' in html and "color:#1a1a1a;background:#ffffff" in html and "class=" not in html


def test_what_looks_like_html_in_code_is_shown_as_code():
    html = finished_code("tokenizer.Tokenizer")._repr_html_()
    assert inspect.getsource(Tokenizer).rstrip() in text_of(html)


def test_print_shows_the_source():
    source = inspect.getsource(naive.best_pair).rstrip()
    assert str(finished_code("naive.best_pair")) == f"# bpe_lib/naive.py\n\n{source}"


def test_code_is_shown_without_pygments(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pygments", None)
    assert inspect.getsource(naive.merge_pair).rstrip() in text_of(finished_code("naive.merge_pair")._repr_html_())
    assert "def merge_pair" in text_of(solution("merge_pair")._repr_html_())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("indexed.pop_bst", "bpe_lib.indexed has no 'pop_bst'; do you mean 'pop_best'?"),
        ("idexed.pop_best", "bpe_lib has no 'idexed'; do you mean 'indexed'?"),
        ("naive.zzzzz", "bpe_lib.naive has no 'zzzzz'; it has "),
        ("tokenizer.Tokenizer.decod", "bpe_lib.tokenizer.Tokenizer has no 'decod'; do you mean 'decode'?"),
        ("naive.best_pair.more", "bpe_lib.naive.best_pair has no 'more'"),
        ("pretokenization.GPT2_PATTERN", "bpe_lib.pretokenization.GPT2_PATTERN is a str: name a function"),
        ("indexed", "bpe_lib.indexed is a module: name a function"),
        ("", "bpe_lib has no ''; it has "),
    ],
)
def test_a_wrong_name_is_met_with_what_would_be_right(name, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        finished_code(name)
