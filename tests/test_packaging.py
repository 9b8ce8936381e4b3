"""The files that others start from agree with each other: README, pyproject.toml, environment.yml, .ci/run."""

import importlib
import json
import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from notebook_tools import paths
from shipped import shipped_text

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
START = "python3 -m venv .venv && .venv/bin/pip install -e . && .venv/bin/jupyter lab notebooks/00_start_here.ipynb"
TEST = 'python3 -m venv .venv && .venv/bin/pip install -e ".[test]" && .venv/bin/pytest'
CONDA_NAMES = {"playwright": "playwright-python"}
"""What conda-forge calls otherwise; its `playwright` is the Node.js program alone."""
MISSION = {"jupyter", "regex", "matplotlib", "ipywidgets", "nbval", "pytest"}


def tracked_files() -> list[str]:
    try:
        listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    except FileNotFoundError:
        pytest.skip("git is missing")
    except subprocess.CalledProcessError:
        pytest.skip("not a git checkout, such as a ZIP file")
    if not listing.stdout:
        pytest.skip("not a checkout of its own, but a folder in one")
    return listing.stdout.decode("utf-8").split("\0")[:-1]


def test_environment_yml_has_the_ranges_of_pyproject():
    dependencies = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    names = {entry for entry in dependencies if isinstance(entry, str)}
    wanted = {*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"]}
    wanted = {re.sub(r"^[\w-]+", lambda name: CONDA_NAMES.get(name[0], name[0]), entry) for entry in wanted}
    assert names == wanted | {"python" + PROJECT["requires-python"], "pip"}
    assert [entry for entry in dependencies if isinstance(entry, dict)] == [{"pip": ["-e ."]}]


def python_wanted() -> tuple[int, ...]:
    """Return the oldest Python that the project runs with."""
    return tuple(map(int, PROJECT["requires-python"].removeprefix(">=").split(".")))


def test_uv_run_installs_what_the_tests_need():
    assert PYPROJECT["dependency-groups"] == {"dev": [f"{PROJECT['name']}[test]"]}


def test_binder_installs_the_project_with_a_python_that_it_runs_with():
    folder = ROOT / ".binder"
    assert {path.name for path in folder.iterdir()} == {"runtime.txt", "requirements.txt"}
    version = re.fullmatch(r"python-(\d+)\.(\d+)\n", (folder / "runtime.txt").read_text(encoding="utf-8"))
    assert (int(version[1]), int(version[2])) >= python_wanted()
    lines = (folder / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not line.startswith("#")] == ["-e ."]


def test_the_container_installs_what_the_tests_need():
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    image, _, version = container["image"].rpartition(":")
    assert image.endswith("/devcontainers/python") and tuple(map(int, version.split("."))) >= python_wanted()
    assert container["postCreateCommand"].endswith("pip install --user -e '.[test]'")
    assert container["customizations"]["vscode"]["extensions"] == ["ms-python.python", "ms-toolsai.jupyter"]


def test_each_commit_is_checked_with_the_same_ruff():
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    ruff = [entry for entry in PROJECT["optional-dependencies"]["test"] if entry.startswith("ruff")]
    assert [hook["additional_dependencies"] for hook in repository["hooks"]] == [ruff, ruff]


def test_the_workflow_starts_with_the_oldest_python_and_runs_what_is_there():
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8"))["jobs"]
    for job in jobs.values():
        versions = job["strategy"]["matrix"]["python"]
        assert PROJECT["requires-python"] == f">={versions[0]}"
        assert versions == sorted(versions, key=lambda version: list(map(int, version.split("."))))
    assert jobs["everything"]["steps"][-1]["run"] == ".ci/run"
    assert os.access(ROOT / ".ci" / "run", os.X_OK) or os.name == "nt"


def test_all_data_is_packed():
    tool = PYPROJECT["tool"]["setuptools"]
    for package, folder in tool["package-dir"].items():
        home = ROOT / folder
        files = {path for path in home.rglob("*.*") if path.is_file() and not path.name.startswith(".")}
        data = {path for path in files if path.suffix not in (".py", ".pyc")}
        assert data
        assert data <= {path for pattern in tool["package-data"][package] for path in home.glob(pattern)}


def test_the_packages_of_the_mission_are_required():
    named = {
        re.match(r"[\w-]+", entry)[0] for entry in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"]]
    }
    assert named >= MISSION


def test_readme_holds_the_two_commands_as_lines_of_their_own():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert START in lines
    assert [line for line in lines if ".venv/bin/pytest" in line] == [TEST]


def test_top_level_holds_what_the_mission_names_and_what_tools_require():
    top = {name.split("/")[0] for name in tracked_files()}
    assert {name for name in top if not name.startswith(".")} == {
        "notebooks", "bpe_lib", "tests", "environment.yml", "README.md", "pyproject.toml",
    }  # fmt: skip


def test_no_tracked_file_names_a_place_of_one_machine():
    hosts = re.compile(r"https?://[^\s\"']+/(?:simple|packages)/")
    for name in tracked_files():
        assert name != "uv.lock"
        path = ROOT / name
        text = shipped_text(path) if path in paths() else path.read_bytes().decode(errors="replace")
        assert not hosts.search(text), name
        if name.endswith(".ipynb"):
            assert not re.search(r"/(?:root|home|Users|work)/\w", text), name


def test_readme_shows_the_benchmark_that_is_committed(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tests" / "benchmarks")
    report = importlib.import_module("report")
    results = json.loads((ROOT / "notebooks" / "bpe_course" / "data" / "benchmark.json").read_text(encoding="utf-8"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert report.section(results) in readme
    for task, peers in results["results"]["tasks"].items():
        if not task.startswith("train 1 MB"):
            (row,) = [line for line in readme.splitlines() if line.startswith(f"| {task.split(' ', 1)[1]} |")]
            assert all(f" {peer['seconds'][0]:.1f} s" in row for peer in peers.values())


def test_readme_computes_what_the_data_sets_take_from_the_benchmark():
    report = json.loads((ROOT / "notebooks" / "bpe_course" / "data" / "benchmark.json").read_text(encoding="utf-8"))
    first, second = (report["curve"]["runs"][f"{size} MB, 10,000 tokens"]["seconds"] for size in (1000, 2000))
    tasks = report["results"]["tasks"]
    fewer, more = (tasks[f"train 100 MB of prose to {n} tokens"]["bpe_lib"]["seconds"][0] for n in ("10,000", "32,000"))
    encoding = tasks["encode a file of 200 MB"]["bpe_lib"]["seconds"][0] / 0.2
    wanted = {
        "TinyStories": [first + 1.23 * (second - first), 2.23 * encoding],
        "OpenWebText": [first + 10.92 * (second - first) + more - fewer, 11.92 * encoding],
    }
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    for name, seconds in wanted.items():
        (row,) = [line for line in lines if line.startswith(f"| {name}")]
        assert list(map(float, re.findall(r"(\d+) s\b", row))) == pytest.approx(seconds, rel=0.25)
