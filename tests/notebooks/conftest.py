"""The browser's fixtures, for the tests that drive JupyterLab."""

from browser import lab, lab_server, notebook  # noqa: F401
