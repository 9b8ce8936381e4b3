"""The corpora: what they hold, that they can be built anew byte for byte, and what BPE learns from them."""

import argparse
import inspect
import json
import os
import re
import statistics
import subprocess
import sys
import textwrap
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

import stories as story_tool
from bpe_course import corpora
from bpe_course.corpora import END_OF_TEXT, cache, installed
from stories import HELD_OUT_COMPOUNDS, HELD_OUT_WORDS, lexicon
from stories.morphology import spell, split_spelling

ROOT = Path(__file__).parents[2]
PLACES = os.pathsep.join(str(ROOT / place) for place in (".", "notebooks", "tests/benchmarks"))
FIRST_PARTS = ("sun", "moon", "star", "rain", "snow", "fire")
SECOND_PARTS = ("light", "flower", "fall", "man", "house")


def run_python(code, **environment):
    """Run code in a new interpreter that can import the library; return what it printed, as bytes."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, "PYTHONPATH": PLACES, **environment},
        check=True,
        capture_output=True,
    ).stdout


def words_of(text):
    return re.findall(r"[^\W\d_]+", text.lower())


@pytest.fixture(scope="module")
def stories():
    return corpora.text("stories").split(END_OF_TEXT)[:-1]


@pytest.fixture(scope="module")
def word_counts(stories):
    return Counter(word for story in stories for word in words_of(story))


@pytest.fixture(scope="module")
def merges(stories):
    """The tokens in the order in which the `tokenizers` package merges them, until no pair is left."""
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)  # GPT-2's pattern
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=30_000, min_frequency=1, show_progress=False)
    tokenizer.train_from_iterator(stories, trainer)
    return ["".join(pair).replace("Ġ", " ") for pair in json.loads(tokenizer.to_str())["model"]["merges"]]


# --- every corpus


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match=r"'shakespeare'.*'stories', 'world', 'python', 'english'"):
        corpora.path("shakespeare")
    with pytest.raises(ValueError, match="'stories'"):
        corpora.text("Stories")


@pytest.mark.parametrize("name", ["stories", "world"])
def test_shipped_corpora_are_closed_by_the_special_token(name):
    content = corpora.path(name).read_bytes()
    assert content.endswith(END_OF_TEXT.encode())
    assert content.decode("utf-8") == corpora.text(name)
    assert all(document.strip() for document in corpora.text(name).split(END_OF_TEXT)[:-1])


def test_shipped_data_is_small():
    assert sum(file.stat().st_size for file in (ROOT / "notebooks" / "bpe_course" / "data").iterdir()) < 500_000


# --- stories: the file and its generator


@pytest.mark.parametrize(
    "environment", [{"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2", "LC_ALL": "C", "PYTHONUTF8": "0"}]
)
def test_the_generator_reproduces_the_file_byte_for_byte(environment):
    code = """
        import sys
        from stories import generate_stories
        sys.stdout.buffer.write("".join(generate_stories()).encode("utf-8"))
    """
    assert run_python(code, **environment) == corpora.path("stories").read_bytes()


def test_a_larger_size_only_adds_stories():
    few, many = (list(story_tool.generate_stories(size, seed=5)) for size in (20_000, 60_000))
    assert many[: len(few)] == few and len(many) > len(few)
    assert sum(len(story.encode()) for story in few) >= 20_000 > sum(len(story.encode()) for story in few[:-1])
    assert list(story_tool.generate_stories(0)) == []


def test_another_seed_tells_other_stories():
    assert not set(story_tool.generate_stories(20_000, seed=1)) & set(story_tool.generate_stories(20_000, seed=2))


def test_the_size_of_the_file(stories):
    assert 200_000 <= corpora.path("stories").stat().st_size <= 400_000
    assert len(stories) == len(set(stories)) > 300


def test_one_story_has_no_final_newline_and_one_is_very_long(stories):
    assert sum(not story.endswith("\n") for story in stories) == 1
    lengths = sorted(map(len, stories))
    assert lengths[-1] > 20 * statistics.median(lengths) and lengths[-2] < 3 * statistics.median(lengths)


def test_some_stories_have_the_line_ends_of_windows_and_some_two_spaces(stories):
    with_crlf = [story for story in stories if "\r\n" in story]
    assert 0 < len(with_crlf) < len(stories) / 10
    assert all(story.count("\r") == story.count("\n") for story in with_crlf)
    assert not any("\r" in story.replace("\r\n", "") for story in stories)
    assert 0 < sum("  " in story for story in stories) < len(stories) / 8


# --- stories: the English


def test_no_run_of_four_words_stands_in_more_than_five_percent_of_the_stories(stories):
    found = Counter()
    for story in stories:
        words = re.findall(r"[^\W_]+(?:['’][^\W_]+)?", story.lower())
        found.update({tuple(words[start : start + 4]) for start in range(len(words) - 3)})
    assert [phrase for phrase, count in found.items() if count > len(stories) / 20] == []


def test_a_and_an_fit_the_next_word(stories):
    text = " ".join(stories)
    before_vowel = set(re.findall(r"\ba +([aeiou]\w*)", text, re.IGNORECASE))
    before_consonant = set(re.findall(r"\ban +([^aeiou\W]\w*)", text, re.IGNORECASE))
    assert before_vowel <= {"one", "unicorn", "useful"} and before_consonant <= {"hour", "honest"}


def test_nothing_of_a_template_is_left_and_quotes_are_closed(stories):
    for story in stories:
        assert not re.search(r"[{}\[\]|<>+]|\*(?! )(?<! \*)", story.replace("* * *", "")), story
        for paragraph in story.split("\n"):
            assert paragraph.count('"') % 2 == 0 and paragraph.count("“") == paragraph.count("”"), paragraph
            assert not re.search(r" [.,!?]|[,.]{2}", paragraph), paragraph


def test_paragraphs_and_sentences_begin_with_a_capital_letter(stories):
    starts = [start for story in stories for start in re.findall(r"(?:^|\n|[.!?] +)[\"“'‘]?(\w)", story)]
    assert len(starts) > 4000
    assert [start for start in starts if start.islower()] == []


def test_no_word_stands_twice_in_a_row(stories):
    doubled = [match[0] for story in stories for match in re.finditer(r"\b(\w+) \1\b", story, re.IGNORECASE)]
    assert set(map(str.lower, doubled)) <= {"had had", "that that"}


def test_dialogue_has_every_contraction_mostly_straight(stories):
    text = "".join(stories)
    for ending in ("s", "t", "re", "ve", "m", "ll", "d"):
        straight, curly = (len(re.findall(rf"[a-z]{mark}{ending}\b", text, re.IGNORECASE)) for mark in "'’")
        assert straight > 2 * curly > 0, ending


def test_times_numbers_and_rare_characters_occur(stories, word_counts):
    text = "".join(stories)
    for rare in ("7:30", "1,204", "3.50", "café", "Zoë", "🙃"):
        assert 0 < text.count(rare) < 60, rare
    assert {word for word in word_counts if not word.isascii()} == {"café", "zoë"}


def test_names_and_nouns_are_evenly_frequent_and_function_words_are_not(stories, word_counts):
    names = [word_counts[name[0].lower()] for gender in ("she", "he") for name in lexicon().words[gender]]
    assert min(names) > 20 and max(names) < 6 * min(names)
    for noun_list in ("wild", "toy", "fixable", "instrument"):
        counts = [word_counts[word] + word_counts[spell((word, "s"))] for (word,) in lexicon().words[noun_list]]
        assert min(counts) > 0 and max(counts) < 15 * statistics.median(counts), noun_list
    ranked = [count for _, count in word_counts.most_common(100)]
    assert word_counts.most_common(1)[0][0] == "the" and ranked[0] > 3 * ranked[9] > 15 * ranked[99] / 2


# --- stories: the morphology


SPELLINGS = """
hop+ing=hopp|ing bake+ing=bak|ing tie+ing=ty|ing cry+ing=cry|ing play+ing=play|ing see+ing=see|ing fix+ing=fix|ing
label+ing=labell|ing whisper+ing=whisper|ing bow+ing=bow|ing peel+ing=peel|ing quit+ing=quitt|ing
hop+ed=hopp|ed bake+ed=bak|ed tie+ed=ti|ed cry+ed=cri|ed play+ed=play|ed clap+ed=clapp|ed un+tie+ed=un|ti|ed
story+s=stori|es toy+s=toy|s box+s=box|es wish+s=wish|es potato+s=potato|es piano+s=piano|s cherry+s=cherri|es
happy+er=happi|er big+er=bigg|er kind+er=kind|er wide+er=wid|er un+happy+est=un|happi|est gentle+est=gentl|est
bake+er=bak|er teach+er=teach|er juggle+er=juggl|er happy+ly=happi|ly gentle+ly=gent|ly brave+ly=brave|ly
hope+ful+ly=hope|ful|ly happy+ness=happi|ness shy+ness=shy|ness care+less+ness=care|less|ness beauty+ful=beauti|ful
rain+y=rain|y sun+y=sunn|y juice+y=juic|y re+paint+ed=re|paint|ed snow+man=snow|man sun+light=sun|light
"""


@pytest.mark.parametrize("analysis", SPELLINGS.split())
def test_spelling(analysis):
    morphemes, surface = analysis.split("=")
    assert split_spelling(tuple(morphemes.split("+"))) == tuple(surface.split("|"))
    assert spell(tuple(morphemes.split("+"))) == surface.replace("|", "")


def test_segmentation_of_words_of_the_stories():
    known = {
        "hopping": ("hop", "ing"),
        "happier": ("happy", "er"),
        "baker": ("bake", "er"),
        "unpacked": ("un", "pack", "ed"),
        "refilled": ("re", "fill", "ed"),
        "cheerfully": ("cheer", "ful", "ly"),
        "carelessness": ("care", "less", "ness"),
        "snowman": ("snow", "man"),
        "sang": ("sing", "ed"),
        "geese": ("goose", "s"),
    }
    assert {word: story_tool.segmentation(word) for word in known} == known
    assert story_tool.surface_segmentation("hopping") == ("hopp", "ing")
    with pytest.raises(KeyError, match="xylophone"):
        story_tool.segmentation("xylophone")


def test_surface_segmentations_join_to_their_words():
    table = story_tool.segmentations()
    assert len(table) > 1500
    assert all("".join(story_tool.surface_segmentation(word)) == word for word in table)


def test_there_are_600_stems_and_every_affix_is_productive(word_counts):
    affixes = {
        "s": 200,
        "ed": 150,
        "ing": 150,
        "er": 25,
        "est": 8,
        "ly": 15,
        "ness": 20,
        "ful": 4,
        "less": 6,
        "un": 10,
        "re": 5,
    }
    present = {word: parts for word, parts in story_tool.segmentations().items() if word in word_counts}
    assert len({part for parts in present.values() for part in parts} - set(affixes)) >= 600
    for affix, least in affixes.items():
        found = [word for word, parts in present.items() if affix in parts and len(parts) > 1]
        assert len(found) >= least, (affix, len(found))


def test_150_verbs_stand_with_ing_and_with_ed_as_spelled(word_counts):
    verbs = [verb for verb in lexicon().verbs() if len(verb) <= 2]
    both = [
        verb
        for verb in verbs
        if all(word_counts[spell((*verb, form))] and spell((*verb, form)).endswith(form) for form in ("ing", "ed"))
    ]
    assert len(both) >= 150


def test_every_compound_of_the_grid_occurs_or_is_held_out(word_counts):
    held_out = {first + second for first in FIRST_PARTS for second in SECOND_PARTS if not word_counts[first + second]}
    assert held_out == set(HELD_OUT_COMPOUNDS) and len(held_out) == 8
    for word in HELD_OUT_COMPOUNDS:
        first, second = story_tool.segmentation(word)
        assert sum(word_counts[first + other] > 0 for other in SECOND_PARTS) >= 2
        assert sum(word_counts[other + second] > 0 for other in FIRST_PARTS) >= 2


def test_held_out_words_never_occur_but_all_their_parts_do(word_counts):
    held_out = {*HELD_OUT_WORDS, *HELD_OUT_COMPOUNDS}
    assert len(HELD_OUT_WORDS) >= 20
    assert not held_out & set(words_of("".join(story_tool.generate_stories(1_000_000, seed=7))))
    assert not held_out & set(word_counts)
    parts = {part for word, parts in story_tool.segmentations().items() if word in word_counts for part in parts}
    assert {part for word in held_out for part in story_tool.segmentation(word)} <= parts


# --- stories: what BPE learns


def test_merges_run_out_near_three_thousand(merges):
    assert 2_700 <= len(merges) <= 3_400


def test_endings_are_merged_before_any_name_or_rare_noun(merges, word_counts):
    rank = {token: place for place, token in enumerate(merges)}
    names = [name[0] for gender in ("she", "he") for name in lexicon().words[gender]]
    nouns = [word for words in lexicon().words.values() for (word, *rest) in words if not rest]
    rare = [word for word in nouns if 0 < word_counts[word] < 20 and " " + word in rank]
    whole = [rank[" " + word] for word in names + rare]
    assert len(names) >= 30 and len(rare) >= 50
    for ending in ("ing", "ed", "er", "ly"):
        assert rank[ending] < min(whole), ending


# --- world


def test_world_has_one_message_in_many_scripts():
    messages = corpora.world_messages()
    scripts = {
        unicodedata.name(character).split()[0]
        for text in messages.values()
        for character in text
        if character.isalpha()
    }
    assert len(messages) >= 10 and len(set(messages.values())) == len(messages)
    assert {
        "LATIN",
        "GREEK",
        "CYRILLIC",
        "HEBREW",
        "ARABIC",
        "DEVANAGARI",
        "BENGALI",
        "THAI",
        "CJK",
        "HIRAGANA",
        "HANGUL",
    } <= scripts
    for language, message in messages.items():
        assert message == unicodedata.normalize("NFC", message).strip() and "\n" not in message
        assert language == "Thai" or 3 <= len(re.findall(r"[.!。！।](?= |$|\w)", message)) <= 5, language


def test_world_messages_stand_in_the_file_and_beside_them_flags_marks_families_and_code():
    text = corpora.text("world")
    assert all(part in text for part in (*corpora.world_messages().values(), *corpora.world_oddities().values()))
    odd = corpora.world_oddities()
    assert "🇯🇵" in odd["flags"] and "👨‍👩‍👧" in odd["emoji families"] and "\u0301" in odd["combining marks"]
    compile(odd["code"].expandtabs(4), "code", "exec")
    assert text.count(END_OF_TEXT) == len(corpora.world_messages()) + len(odd)


# --- python and english


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The two corpora, built in a folder of their own whose name has a space, under another locale."""
    folder = tmp_path_factory.mktemp("a cache")
    code = """
        from bpe_course import corpora
        print(corpora.path("python"), corpora.path("english"), sep="\\n")
    """
    printed = run_python(code, BPE_CACHE=str(folder), LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="utf-8")
    files = [Path(line) for line in printed.decode("utf-8").splitlines()]
    assert sorted(folder.iterdir()) == sorted(files)
    return dict(zip(("python", "english"), files, strict=True))


def test_python_holds_the_sources_without_tests(built):
    documents = built["python"].read_bytes().split(END_OF_TEXT.encode())
    assert documents.pop() == b""
    for module in (argparse, inspect, textwrap, re):
        assert documents.count(Path(inspect.getsourcefile(module)).read_bytes()) == 1
    assert 5_000_000 < built["python"].stat().st_size < 30_000_000
    folders = {
        part for file in installed.library_files() for part in file.parent.parts[len(Path(os.__file__).parent.parts) :]
    }
    assert "json" in folders
    assert not folders & {"test", "tests", "idle_test", "site-packages", "__pycache__"}
    assert 500 < len(documents) <= len(installed.library_files())


def test_english_holds_docstrings_and_topics(built):
    text = built["english"].read_bytes().decode("utf-8")
    assert 1_000_000 < len(text) < 8_000_000 and text.endswith(END_OF_TEXT)
    for docstring in (argparse.__doc__, textwrap.wrap.__doc__, json.JSONEncoder.__doc__):
        assert inspect.cleandoc(docstring).strip() in text
    topics = pytest.importorskip("pydoc_data.topics").topics
    documents = text.split(END_OF_TEXT)
    assert all(topics[name].strip() + "\n" in documents for name in ("if", "with", "lambda"))
    assert documents[-1] == "" and all(map(str.strip, documents[:-1]))


def test_a_second_call_builds_nothing(built, monkeypatch):
    monkeypatch.setenv("BPE_CACHE", str(built["python"].parent))
    monkeypatch.setattr(installed, "library_files", lambda: pytest.fail("built again"))
    assert corpora.path("python") == built["python"] and corpora.path("english") == built["english"]


def test_odd_sources_are_decoded_kept_apart_or_skipped(tmp_path, monkeypatch):
    sources = {
        "a.py": b"# -*- coding: latin-1 -*-\nname = 'Zo\xeb'\n",
        "b.py": b"\xff\xfe not Python\n",
        "c.py": f'token = "{END_OF_TEXT}"\r\n'.encode(),
        "d.py": b"# coding: no-such-coding\n",
        "tests/e.py": b"skipped = True\n",
        "sub/f.py": b"\xef\xbb\xbflast = 1\n",
    }
    for name, source in sources.items():
        (tmp_path / "lib" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "lib" / name).write_bytes(source)
    monkeypatch.setattr(installed.sysconfig, "get_path", lambda name: str(tmp_path / "lib"))
    monkeypatch.setenv("BPE_CACHE", str(tmp_path / "cache"))
    documents = corpora.path("python").read_bytes().decode("utf-8").split(END_OF_TEXT)
    assert documents[0].endswith("name = 'Zoë'\n")
    assert documents[1].startswith('token = "<|') and documents[1].endswith('"\r\n')
    assert documents[2:] == ["last = 1\n", ""]


def test_a_python_without_sources_is_a_clear_error(tmp_path, monkeypatch):
    monkeypatch.setattr(installed.sysconfig, "get_path", lambda name: str(tmp_path / "nowhere"))
    monkeypatch.setenv("BPE_CACHE", str(tmp_path / "cache"))
    with pytest.raises(FileNotFoundError, match="without its standard library's source"):
        corpora.path("english")
    assert list((tmp_path / "cache").iterdir()) == []


# --- the cache


def test_an_interrupted_build_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("BPE_CACHE", str(tmp_path))

    def interrupted():
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cache.cached("file.txt", interrupted)
    assert list(tmp_path.iterdir()) == []


def test_a_slower_builder_of_the_same_file_does_no_harm(tmp_path, monkeypatch):
    monkeypatch.setenv("BPE_CACHE", str(tmp_path))

    def slow():
        yield b"one "
        assert cache.cached("file.txt", lambda: [b"one two"]).read_bytes() == b"one two"
        yield b"two"

    assert cache.cached("file.txt", slow).read_bytes() == b"one two"
    assert [file.name for file in tmp_path.iterdir()] == ["file.txt"]


def test_where_windows_refuses_to_replace_an_open_file_the_first_one_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("BPE_CACHE", str(tmp_path))

    def refuse(source, target):
        Path(target).write_bytes(b"another process was faster")
        raise PermissionError

    monkeypatch.setattr(cache.os, "replace", refuse)
    assert cache.cached("file.txt", lambda: [b"x"]).read_bytes() == b"another process was faster"
    assert [file.name for file in tmp_path.iterdir()] == ["file.txt"]


def test_a_folder_that_cannot_be_written_is_passed_over(tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(b"in the way of a folder")
    monkeypatch.setenv("BPE_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(cache, "_user_cache", lambda: tmp_path / "file")
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    assert cache.cache_folder().parent == tmp_path / "temporary"
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path / "file"))
    with pytest.raises(OSError, match="BPE_CACHE"):
        cache.cache_folder()


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "xdg"}, Path("xdg")),
        ("linux", {}, Path.home() / ".cache"),
        ("darwin", {}, Path.home() / "Library" / "Caches"),
        ("win32", {"LOCALAPPDATA": "local"}, Path("local")),
    ],
)
def test_the_default_folder_of_each_system(monkeypatch, platform, variables, expected):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(cache.sys, "platform", platform)
    assert cache._user_cache() == expected
