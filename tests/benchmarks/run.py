"""The benchmark: ours and every peer in turn, in fresh processes, with medians, ratios and a check of the results.

`python tests/benchmarks/run.py` needs the extra `bench` and takes about half an hour; `--curve` measures how training
grows. Both write `notebooks/bpe_course/data/benchmark.json` and the README's section on speed; notebook 08 draws from
the same file.
"""

import argparse
import datetime
import json
import os
import pickle
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
import psutil

sys.path.insert(0, str(Path(__file__).parent))
from bpe_course import benchmark_chart
from bpe_course.corpora import END_OF_TEXT
from bpe_lib import Tokenizer, train_bpe
from bpe_lib.formats import from_printable
from peers import ENCODERS, FILES, TRAINERS
from report import RESULTS, write_readme
from texts import make_text

HERE = Path(__file__).parent
AGREEMENT = 0.97
"""The share of merged tokens that two trainers must have in common: they break ties in other ways, and a
vocabulary may leave out what was made twice."""


def run_once(job: str, name: str, path: Path, argument: str | int, result: Path) -> dict:
    """Run one job in a fresh process; return its own seconds and the peak of memory of all its processes in MB."""
    command = [sys.executable, str(HERE / "peers.py"), job, name, str(path), str(argument), str(result)]
    process = psutil.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    peak = [0]
    watcher = threading.Thread(target=watch, args=(process, peak))
    watcher.start()
    output, _ = process.communicate()
    watcher.join()
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed: run it by hand to see why")
    seconds = json.loads(output.strip().splitlines()[-1])
    return {"seconds": seconds, "memory": peak[0] / 1e6}


def watch(process: psutil.Popen, peak: list[int]) -> None:
    """Note the most memory that a process and its children take together (each shared page counted once)."""
    try:
        while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
            family = [process, *process.children(recursive=True)]
            peak[0] = max(peak[0], sum(map(memory_of, family)))
            time.sleep(0.2)
    except psutil.NoSuchProcess:
        return  # it ended between two looks


def memory_of(process: psutil.Process) -> int:
    """Return the bytes of memory that a process takes; where the system tells, shared ones by their share."""
    try:
        memory = process.memory_full_info()
    except psutil.Error:
        return 0  # a worker that has ended
    return getattr(memory, "pss", memory.rss)


def compare(job: str, names: list[str], path: Path, argument: str | int, times: int, folder: Path) -> dict[str, dict]:
    """Return medians of each peer; they take turns, and their results must agree."""
    runs: dict[str, list[dict]] = {name: [] for name in names}
    for _ in range(times):
        for name in names:
            runs[name].append(run_once(job, name, path, argument, folder / f"{job}-{name}"))
            print(f"  {job} {path.stem} {argument} {name}: {runs[name][-1]}", flush=True)
    check_agreement(job, names, folder)
    return {name: medians(of_name) for name, of_name in runs.items()}


def medians(runs: list[dict]) -> dict:
    """Return the median of each number of several runs."""
    seconds = [statistics.median(column) for column in zip(*(run["seconds"] for run in runs))]
    return {"seconds": [round(s, 3) for s in seconds], "memory": round(statistics.median(r["memory"] for r in runs))}


def check_agreement(job: str, names: list[str], folder: Path) -> None:
    """Stop unless all results agree: ids exactly, vocabularies but for ties."""
    first, *others = (pickle.loads((folder / f"{job}-{name}").read_bytes()) for name in names)
    for name, other in zip(names[1:], others):
        if job == "file":
            equal = np.array_equal(np.load(folder / f"file-{names[0]}.npy"), np.load(folder / f"file-{name}.npy"))
        elif job == "encode" or name == "naive":
            equal = first == other
        else:
            equal = same_but_for_ties(first, other if name != "tokenizers" else list(map(as_bytes, other)))
        if not equal:
            raise SystemExit(f"{job}: {name} and {names[0]} do not agree")


def same_but_for_ties(ours: list[bytes], theirs: list[bytes]) -> bool:
    """Return whether two vocabularies are equally large and have nearly all merged tokens in common."""
    merged, other = ({token for token in tokens if len(token) > 1} for tokens in (ours, theirs))
    return abs(len(ours) - len(theirs)) <= 0.01 * len(ours) and len(merged & other) >= AGREEMENT * len(merged)


def as_bytes(token: str) -> bytes:
    """Return a token as `tokenizers` spells it."""
    return token.encode() if token == END_OF_TEXT else from_printable(token)


def train_for_encoding(path: Path, size: int, folder: Path) -> Path:
    """Save the tokenizer that the encoders use."""
    vocab, merges = train_bpe(path, size, [END_OF_TEXT])
    Tokenizer(vocab, merges, [END_OF_TEXT]).save(folder / "tokenizer")
    return folder / "tokenizer"


def measure(size: int, vocabularies: tuple[int, ...], times: int, folder: Path) -> dict:
    """Return all results, by task and peer. The naive trainer takes part where it ends within a minute."""
    results = {}
    mega = size // 1_000_000
    small = make_text("prose", 1_000_000, folder)
    results["train 1 MB of prose to 500 tokens"] = compare("train", list(TRAINERS), small, 500, times, folder)
    compiled = [name for name in TRAINERS if name != "naive"]
    for kind in ("prose", "mix"):
        text = make_text(kind, size, folder)
        for tokens in vocabularies:
            task = f"train {mega} MB of {kind} to {tokens:,} tokens"
            results[task] = compare("train", compiled, text, tokens, times, folder)
    tokenizer = train_for_encoding(make_text("mix", size, folder), 32_000, folder)
    for kind in ("prose", "mix"):
        text = make_text(kind, size // 5, folder)
        task = f"encode {mega // 5} MB of {kind} on one core"
        results[task] = compare("encode", list(ENCODERS), text, tokenizer, times, folder)
    text = make_text("mix", 2 * size, folder)
    results[f"encode a file of {2 * mega} MB"] = compare("file", list(FILES), text, tokenizer, times, folder)
    return results


def curve(folder: Path) -> dict:
    """Return seconds and memory of training from 1 MB to 2 GB and from 1,000 to 32,000 tokens."""
    sizes = [(mega * 1_000_000, 10_000) for mega in (1, 10, 100, 1000, 2000)]
    vocabularies = [(100_000_000, tokens) for tokens in (1_000, 3_200, 32_000)]
    results = {}
    for size, tokens in sizes + vocabularies:
        run = run_once("train", "bpe_lib", make_text("prose", size, folder), tokens, folder / "curve")
        results[f"{size // 1_000_000} MB, {tokens:,} tokens"] = {
            "seconds": round(run["seconds"][0], 2),
            "memory": round(run["memory"]),
        }
        print(list(results.items())[-1], flush=True)
    return results


def table(results: dict[str, dict]) -> str:
    """Return the results as a Markdown table: seconds (first call, then warm), MB, and ours as a part of each."""
    lines = ["| Task | Library | Seconds | Memory (MB) | bpe_lib takes |", "|---|---|---|---|---|"]
    for task, peers in results.items():
        ours = peers["bpe_lib"]["seconds"]
        for name, peer in peers.items():
            seconds = ", warm ".join(f"{s:.1f}" for s in peer["seconds"])
            ratios = ", warm ".join(f"{mine / theirs:.2f} ×" for mine, theirs in zip(ours, peer["seconds"]))
            lines.append(f"| {task} | {name} | {seconds} | {peer['memory']} | {'' if name == 'bpe_lib' else ratios} |")
    return "\n".join(lines)


def environment() -> dict:
    """Return what the numbers depend on."""
    packages = ["tokenizers", "rustbpe", "bpeasy", "gigatoken", "tiktoken", "numpy", "regex"]
    return {
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "machine": platform.machine(),
        "processor": processor(),
        "versions": {name: version(name) for name in packages},
    }


def processor() -> str:
    """Return the processor's name, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(": ")[1] for line in lines if line.startswith("model name")), platform.processor())


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="5 MB, once, nothing written")
    parser.add_argument("--curve", action="store_true", help="ours from 1 MB to 2 GB and 1,000 to 32,000 tokens")
    parser.add_argument("--times", type=int, default=3, help="runs of each (3)")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir(), "bpe-benchmark"))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    report = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    if options.curve:
        report["curve"] = {"environment": environment(), "runs": curve(options.folder)}
    else:
        what = (5_000_000, (2_000,), 1) if options.quick else (100_000_000, (10_000, 32_000), options.times)
        tasks = measure(*what, options.folder)
        report["results"] = {"environment": environment(), "times": what[-1], "tasks": tasks}
        print(table(report["results"]["tasks"]))
    if not options.quick:
        RESULTS.write_bytes((json.dumps(report, indent=1) + "\n").encode())
        write_readme()
        picture = options.folder / "benchmark.png"
        benchmark_chart().figure.savefig(picture, dpi=150)
        print(f"wrote {RESULTS}, the README's section on speed, and {picture}")


if __name__ == "__main__":
    main()
