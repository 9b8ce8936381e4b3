"""Slow steps show in a notebook that they live, and leave nothing behind: seen by what a kernel sends."""

import nbformat
import pytest
from jupyter_client.manager import start_new_kernel
from nbformat.v4 import new_code_cell, new_notebook

from bpe_course.refresh import run_as_shipped
from bpe_course.waiting import Waiting

SLOW_CORPUS = """
import time, tempfile, os
os.environ["BPE_CACHE"] = tempfile.mkdtemp()
from bpe_course.corpora.cache import cached
def parts():
    for part in [b"a", b"b", b"c"]:
        time.sleep({})
        yield part
print(cached("slow.txt", parts).read_bytes())
"""
ENDLESS = """
from bpe_course.run import run
def endless():
    while True: pass
print(run(endless, 2.0).kind)
"""


def sent(code):
    """Return what a kernel sends while it runs code: the kind of each message, and its text."""
    manager, client = start_new_kernel()
    try:
        messages = []
        client.execute_interactive(code, output_hook=messages.append, timeout=60)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    kinds = ("display_data", "clear_output", "stream", "error")
    return [(m["msg_type"], str(m["content"])) for m in messages if m["msg_type"] in kinds]


@pytest.mark.parametrize(
    ("code", "line", "result"),
    [(SLOW_CORPUS.format(0.6), "Collecting the text", "abc"), (ENDLESS, "still running", "stopped")],
    ids=["corpus", "endless"],
)
def test_a_slow_step_shows_a_line_and_takes_it_away(code, line, result):
    messages = sent(code)
    assert [kind for kind, _ in messages] == ["display_data", "clear_output", "stream"]
    assert line in messages[0][1] and result in messages[2][1]


def test_nothing_of_it_is_stored(tmp_path):
    notebook = new_notebook(cells=[new_code_cell(SLOW_CORPUS.format(0.6))])
    outputs = run_as_shipped(notebook, tmp_path).cells[0].outputs
    assert [output.output_type for output in outputs] == ["stream"] and nbformat.validate(notebook) is None


def test_a_quick_step_shows_nothing():
    assert [kind for kind, _ in sent(SLOW_CORPUS.format(0))] == ["stream"]


def test_outside_of_a_notebook_nothing_is_shown(capsys):
    waiting = Waiting("Still working.", after=0)
    waiting.tick()
    waiting.end()
    assert capsys.readouterr() == ("", "")
