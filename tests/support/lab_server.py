"""A JupyterLab of its own for the tests in a browser: on a copy of the notebooks, with nothing of the user's."""

import json
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

from notebook_tools import ENVIRONMENT, paths
from shipped import shipped_text
from short_corpora import copy_corpora

SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "docmanager-extension/plugin": {"autosave": False},
}
"""JupyterLab asks neither for news nor for updates, and saves nothing while a test reads."""


@dataclass(frozen=True)
class Server:
    """A running JupyterLab.

    Attributes:
        url: where it answers, without a slash at the end.
        token: what it wants to be told.
        folder: the copy of the notebooks that it shows.
    """

    url: str
    token: str
    folder: Path


def copy_notebooks(folder: Path) -> None:
    """Copy the notebooks, as they ship, to a new folder, without outputs: what is seen later was made there."""
    folder.mkdir()
    for path in filter(shipped_text, paths()):
        node = nbformat.reads(shipped_text(path), as_version=4)
        for cell in node.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        nbformat.write(node, folder / path.name)


def clean_environment(root: Path) -> dict[str, str]:
    """Return the environment of a Jupyter that knows nothing of its user, with new folders for all it keeps."""
    names = [f"JUPYTER_{kind}_DIR" for kind in ("CONFIG", "DATA", "RUNTIME")]
    names += ["JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR", "IPYTHONDIR"]
    places = {name: root / name.lower() for name in names}
    for name, settings in SETTINGS.items():
        path = places["JUPYTERLAB_SETTINGS_DIR"] / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings), encoding="utf-8")
    kept = {name: str(path) for name, path in places.items()}
    ours = {"BPE_CACHE": str(root / "corpora"), "BPE_PROGRESS": str(root / "progress.json"), "BPE_STRICT": ""}
    return {**ENVIRONMENT, **kept, **ours}


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_it_answers(server: Server, process: subprocess.Popen, log: Path) -> None:
    """Wait for a server that was just started, and fail with the end of its log if it doesn't answer."""
    for _ in range(240):
        with suppress(urllib.error.URLError, ConnectionError):
            urllib.request.urlopen(f"{server.url}/api?token={server.token}", timeout=5).close()
            return
        if process.poll() is not None:
            break
        time.sleep(0.25)
    pytest.fail(f"JupyterLab does not answer:\n{log.read_text(encoding='utf-8', errors='replace')[-2000:]}")


def stop(server: Server, process: subprocess.Popen) -> None:
    """Ask a server to end its kernels and itself; if it doesn't, end it."""
    headers = {"Authorization": f"token {server.token}"}
    with suppress(OSError):
        request = urllib.request.Request(f"{server.url}/api/shutdown", headers=headers, method="POST")
        urllib.request.urlopen(request, timeout=10).close()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def serving(root: Path) -> Iterator[Server]:
    """Start JupyterLab on a copy of the notebooks; it ends with the block, however that ends."""
    server = Server(f"http://127.0.0.1:{free_port()}", secrets.token_hex(16), root / "my course")
    copy_notebooks(server.folder)
    copy_corpora(root / "corpora")
    options = ["--no-browser", "--ip=127.0.0.1", f"--port={server.url.rpartition(':')[2]}", "--expose-app-in-browser"]
    options += ["--ServerApp.port_retries=0", f"--IdentityProvider.token={server.token}", "--allow-root"]
    command = [sys.executable, "-m", "jupyterlab", *options, f"--ServerApp.root_dir={server.folder}"]
    log = root / "jupyterlab.log"
    with log.open("wb") as file:
        process = subprocess.Popen(command, env=clean_environment(root), cwd=root, stdout=file, stderr=file)
    try:
        wait_until_it_answers(server, process, log)
        yield server
    finally:
        stop(server, process)
