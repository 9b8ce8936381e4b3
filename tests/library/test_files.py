"""Writing files: what takes an old file's place, and what is left where something goes wrong."""

import os
import stat
import sys

import pytest

from bpe_lib.files import replacing


def test_what_a_killed_process_of_the_same_number_left_is_not_in_the_way(tmp_path):
    (tmp_path / f"ids.npy.{os.getpid()}.part").touch()
    with replacing(tmp_path / "ids.npy") as file:
        file.write(b"new")
    assert (tmp_path / "ids.npy").read_bytes() == b"new"


@pytest.mark.skipif(sys.platform == "win32", reason="no such permissions there")
def test_a_new_file_may_be_read_by_whom_the_old_one_could(tmp_path):
    (tmp_path / "plain").touch()
    (tmp_path / "private").touch(0o600)
    for name in ("private", "new"):
        with replacing(tmp_path / name) as file:
            file.write(b"new")
    modes = {name: stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("plain", "private", "new")}
    assert modes["private"] == 0o600
    assert modes["new"] == modes["plain"]
