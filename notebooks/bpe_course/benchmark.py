"""The committed results of `tests/benchmarks`, as a table and a picture."""

import json
from importlib.resources import files
from typing import Any

from bpe_course.figures import COLOURS, Figure, new_figure, show_figure


def read_benchmark() -> dict[str, Any]:
    """Return what the benchmark wrote last: when and where, and the medians of every task and library."""
    return json.loads(files("bpe_course").joinpath("data/benchmark.json").read_text(encoding="utf-8"))


def benchmark_chart(task: str = "train 100 MB of prose to 10,000 tokens") -> Figure:
    """Return the seconds of each trainer on one task as bars, `bpe_lib` in another colour and hatched.

    Args:
        task: one of the tasks in `read_benchmark()["results"]["tasks"]`.
    """
    results = read_benchmark()["results"]
    seconds = {name: peer["seconds"][0] for name, peer in results["tasks"][task].items()}
    names = sorted(seconds, key=seconds.get)
    figure, axes = new_figure(7, 1 + 0.4 * len(names))
    for height, name in enumerate(reversed(names)):
        style = {"color": COLOURS[1], "hatch": "///"} if name == "bpe_lib" else {"color": COLOURS[4]}
        axes.barh(height, seconds[name], height=0.6, edgecolor="#1a1a1a", **style)
        axes.annotate(f" {seconds[name]:.1f} s", (seconds[name], height), va="center")
    labels = {"bpe_lib": "bpe_lib (Python, NumPy)"}
    axes.set_yticks(range(len(names)), [labels.get(name, f"{name} (Rust)") for name in reversed(names)])
    axes.set_xlabel(f"seconds: {task}")
    axes.set_xlim(0, 1.15 * max(seconds.values()))
    where = results["environment"]
    listed = ", ".join(f"{name} {seconds[name]:.1f}" for name in names)
    caption = f"{task[0].upper()}{task[1:]}, {where['cores']} cores, Python {where['python']}, {where['date']}."
    return show_figure(figure, f"Seconds to {task}: {listed}.", caption)


def growth_chart() -> Figure:
    """Return the seconds that `train_bpe` takes for texts from 1 MB to 2 GB, both axes logarithmic."""
    curve = read_benchmark()["curve"]
    runs = {int(task.split()[0]): run for task, run in curve["runs"].items() if task.endswith(", 10,000 tokens")}
    figure, axes = new_figure(7, 3.2)
    axes.loglog(list(runs), [run["seconds"] for run in runs.values()], color=COLOURS[0], marker="o", linewidth=2)
    for mega, run in runs.items():
        label = f"{run['seconds']:.1f} s\n{run['memory']} MB"
        axes.annotate(label, (mega, run["seconds"]), (5, -5), textcoords="offset points", va="top", fontsize=9)
    axes.set_xticks(list(runs), [f"{mega:,} MB" if mega < 1000 else f"{mega // 1000} GB" for mega in runs])
    axes.set_xticks([], minor=True)
    axes.set_yticks([1, 10, 100], [1, 10, 100])
    axes.set(xlabel="English prose", ylabel="seconds, 10,000 tokens", ylim=(0.2, 100), xlim=(0.6, 9000))
    axes.grid(color="#dddddd")
    where = curve["environment"]
    listed = ", ".join(f"{mega:,} MB {run['seconds']:.1f} s and {run['memory']} MB" for mega, run in runs.items())
    caption = f"Time and memory of train_bpe, {where['cores']} cores, Python {where['python']}, {where['date']}."
    return show_figure(figure, f"A rising line, flat at first: text, seconds and memory are {listed}.", caption)
