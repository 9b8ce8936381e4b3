"""The README's section on speed, made from `benchmark.json`: `python tests/benchmarks/report.py` writes it anew."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "notebooks" / "bpe_course" / "data" / "benchmark.json"
README = ROOT / "README.md"
START, END = "<!-- from benchmark.json: tests/benchmarks/report.py -->", "<!-- end of the benchmark -->"


def section(report: dict) -> str:
    """Return what stands between the two marks."""
    results, curve = report["results"], report["curve"]
    where = results["environment"]
    about = (
        f"Medians of {results['times']} runs on {where['cores']} cores ({where['processor']}, Python "
        f"{where['python']}), {where['date']}."
    )
    parts = (START, about, training(results["tasks"]), encoding(results["tasks"]), growth(curve["runs"]), END)
    return "\n\n".join(parts)


def training(tasks: dict) -> str:
    """Return the table of the trainers: seconds, megabytes, and seconds as a multiple of ours."""
    rows = {task.removeprefix("train "): peers for task, peers in tasks.items() if task.startswith("train 100 MB")}
    names = list(next(iter(rows.values())))
    lines = ["| Training | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for task, peers in rows.items():
        cells = [f"{peer['seconds'][0]:.1f} s, {peer['memory']} MB" for peer in peers.values()]
        lines.append(f"| {task} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def encoding(tasks: dict) -> str:
    """Return the table of the encoders: the first call in a fresh process, and a second one."""
    rows = {task.removeprefix("encode "): peers for task, peers in tasks.items() if task.startswith("encode")}
    lines = ["| Encoding | bpe_lib | tiktoken |", "|---|---|---|"]
    for task, peers in rows.items():
        cells = [", warm ".join(f"{s:.1f} s" for s in peers[name]["seconds"]) for name in ("bpe_lib", "tiktoken")]
        lines.append(f"| {task} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def growth(runs: dict) -> str:
    """Return the table of how `bpe_lib`'s training grows."""
    lines = ["| bpe_lib trains on prose | seconds | MB of memory |", "|---|---|---|"]
    lines += [f"| {task} | {run['seconds']:.1f} | {run['memory']} |" for task, run in runs.items()]
    about = (
        "These are one run each; the tables above are medians of runs that take turns with those of the other\n"
        "libraries. So a task that stands in both has other seconds here: compare within a table."
    )
    return "\n".join([*lines, "", about])


def with_section(readme: str, report: dict) -> str:
    """Return the README with its section on speed made anew."""
    pattern = re.compile(re.escape(START) + ".*?" + re.escape(END), re.DOTALL)
    return pattern.sub(lambda _: section(report), readme)


def write_readme() -> None:
    """Write the README's section on speed anew."""
    report = json.loads(RESULTS.read_text(encoding="utf-8"))
    readme = README.read_text(encoding="utf-8")
    README.write_bytes(with_section(readme, report).encode())


if __name__ == "__main__":
    write_readme()
