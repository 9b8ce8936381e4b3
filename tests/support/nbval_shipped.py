"""nbval on the notebooks as they ship, with a progress file and corpora of its own."""

import os
from pathlib import Path
from unittest import mock

import pytest
from nbval.plugin import IPyNbFile

from bpe_course.refresh import shown
from notebook_tools import paths
from shipped import copies, shipped_path, why_skipped
from short_corpora import copy_corpora


class ShippedNotebook(IPyNbFile):
    """A notebook whose cells run one after another, each a test that compares the output with the stored one."""

    @property
    def fspath(self):
        """Where nbval reads the notebook: its own place, or a copy as it ships."""
        own = super().fspath
        return type(own)(shipped_path(self.path)) if self.path in paths() else own

    def collect(self):
        """Give a test for each code cell."""
        if self.path in paths() and not shipped_path(self.path):
            pytest.skip(why_skipped(self.path))
        for test in super().collect():
            test.cell = shown(test.cell)  # with the output that it ships without, to compare
            yield test

    def setup(self):
        """Start a kernel that knows nothing of the reader's progress, and leaves it alone."""
        folder = Path(copies().name)
        ours = {
            "BPE_PROGRESS": str(folder / f"{self.path.stem}.progress.json"),
            "BPE_CACHE": str(copy_corpora(folder / "corpora")),
        }
        with mock.patch.dict(os.environ, ours):
            super().setup()
