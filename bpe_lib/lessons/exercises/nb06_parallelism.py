"""The exercises of notebook 06."""

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from random import Random
from typing import Any

from bpe_lib.lessons.exercise import Args, Complaint, Exercise, Slip
from bpe_lib.lessons.harness import breaks
from bpe_lib.lessons.workers import count_chunk

END = "<|endoftext|>"


def add_counts(parts: list[dict]) -> dict:
    """Return one table of counts that is the sum of all parts.

    >>> add_counts([{"the": 2}, {"the": 3, "cat": 1}])
    {'the': 5, 'cat': 1}
    """
    total = {}
    for part in parts:
        for key, count in part.items():
            total[key] = total.get(key, 0) + count
    return total


def later_wins(parts):
    total = {}
    for part in parts:
        total = {**total, **part}
    return total


def earlier_wins(parts):
    total = {}
    for part in parts:
        total = part | total
    return total


def highest_wins(parts):
    total = {}
    for part in parts:
        for key, count in part.items():
            total[key] = max(count, total.get(key, 0))
    return total


def parts_counted(parts):
    return dict(Counter(key for part in parts for key in part))


def first_two(parts):
    return add_counts(parts[:2])


def into_the_first(parts):
    if not parts:
        return {}
    total = parts[0]
    for part in parts[1:]:
        for key, count in part.items():
            total[key] = total.get(key, 0) + count
    return total


def none_of_nothing(parts):
    total = Counter(parts[0])
    for part in parts[1:]:
        total.update(part)
    return total


def shared_keys_only(parts):
    total = add_counts(parts)
    return {key: count for key, count in total.items() if all(key in part for part in parts)}


def with_sum(parts):
    return sum(map(Counter, parts), Counter())


def random_parts(chance: Random) -> Args:
    """Return a few small tables."""
    return ([{chance.choice("abc"): chance.randint(1, 4) for _ in range(chance.randint(0, 3))} for _ in range(3)],)


def count_in_chunks(
    path: str, boundaries: list[int], special_tokens: list[str], executor: Executor
) -> dict[tuple[bytes, ...], int]:
    """Return the counts of all pre-tokens of a file, counted chunk by chunk on the executor.

    There is one task `count_chunk(path, start, end, special_tokens)` for each two neighbouring boundaries.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor() as executor:  # no boundaries, no chunks
    ...     count_in_chunks("no_such_file.txt", [0], [], executor)
    {}
    """
    starts, ends = boundaries[:-1], boundaries[1:]
    tasks = [executor.submit(count_chunk, path, start, end, special_tokens) for start, end in zip(starts, ends)]
    total = {}
    for task in tasks:
        for word, count in task.result().items():
            total[word] = total.get(word, 0) + count
    return total


def by_map(path, boundaries, special_tokens, executor):
    n = len(boundaries) - 1
    parts = executor.map(count_chunk, [path] * n, boundaries, boundaries[1:], [special_tokens] * n)
    return add_counts(list(parts))


def without_executor(path, boundaries, special_tokens, executor):
    return add_counts([count_chunk(path, *ends, special_tokens) for ends in zip(boundaries, boundaries[1:])])


def one_task_for_all(path, boundaries, special_tokens, executor):
    return executor.submit(count_chunk, path, boundaries[0], boundaries[-1], special_tokens).result()


def in_tasks(pairs: Callable, add: Callable = add_counts, specials: Callable = lambda tokens: tokens) -> Callable:
    """Return a count_in_chunks that is made of other parts."""

    def count(path, boundaries, special_tokens, executor):
        tokens = specials(special_tokens)
        tasks = [executor.submit(count_chunk, path, start, end, tokens) for start, end in pairs(boundaries)]
        return add([task.result() for task in tasks])

    return count


def neighbours(boundaries):
    return list(zip(boundaries, boundaries[1:]))


def all_but_last(boundaries):
    return neighbours(boundaries)[:-1]


def every_second(boundaries):
    return list(zip(boundaries[::2], boundaries[1::2]))


def from_zero(boundaries):
    return [(0, end) for end in boundaries[1:]]


def start_and_length(boundaries):
    return [(start, end - start) for start, end in neighbours(boundaries)]


def ends_too_early(boundaries):
    return [(start, end - 1) for start, end in neighbours(boundaries)]


def one_by_one(path, boundaries, special_tokens, executor):
    total = {}
    for start, end in zip(boundaries, boundaries[1:]):
        part = executor.submit(count_chunk, path, start, end, special_tokens).result()
        total = add_counts([total, part])
    return total


class WatchingExecutor(Executor):
    """Runs tasks in this thread, and notes which there are and whether several waited together."""

    def __init__(self) -> None:
        self.tasks: list[tuple] = []
        self.waited_alone = 0
        self._waiting = 0

    def submit(self, function: Callable, /, *args: Any, **kwargs: Any) -> Future:
        """Note a task and return a future that does it when the result is wanted."""
        if function is not count_chunk:
            raise Complaint(
                f"You hand the executor {getattr(function, '__name__', function)!r}. Worker processes can only import "
                "functions from a module: hand over `count_chunk` itself, and its arguments."
            )
        self.tasks.append((*args, *kwargs.values()))
        self._waiting += 1
        return LazyFuture(lambda: function(*args, **kwargs), self._taken)

    def _taken(self) -> None:
        self.waited_alone += self._waiting == 1
        self._waiting -= 1


class LazyFuture(Future):
    """A future that does its work when somebody asks for the result."""

    def __init__(self, work: Callable, taken: Callable) -> None:
        super().__init__()
        self.work, self.taken = work, taken
        self.set_running_or_notify_cancel()

    def result(self, timeout: float | None = None) -> Any:
        """Do the work and return its result."""
        if not self.done():
            self.taken()
            try:
                self.set_result(self.work())
            except Exception as error:
                self.set_exception(error)
        return super().result(0)

    def add_done_callback(self, fn: Callable) -> None:
        """Do the work now: somebody waits for it in another way, such as `as_completed`."""
        self.result()
        super().add_done_callback(fn)


def call_count_in_chunks(function: Callable, content: str, boundaries: list[int], special_tokens: list[str]) -> Any:
    """Call the reader's function on a file of its own, and look at its tasks."""
    executor = WatchingExecutor()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "text.txt")
        with open(path, "wb") as file:
            file.write(content.encode())
        counts = function(path, boundaries, special_tokens, executor)
    wanted = len(boundaries) - 1
    if len(executor.tasks) != wanted:
        raise Complaint(
            f"You give the executor {len(executor.tasks)} tasks, and {len(boundaries)} boundaries make {wanted} "
            f"chunks: "
            "one task for each two neighbours.",
            counts,
        )
    if wanted > 1 and executor.waited_alone == wanted:
        raise Complaint(
            "You wait for each result before you submit the next task, so only one worker is ever busy. "
            "Submit them all, then collect.",
            counts,
        )
    return counts


def serial_fraction(speedup: float, workers: int) -> float:
    """Return which part of the work can't be shared, by Amdahl's law, from a measured speedup.

    Amdahl: speedup = 1 / (s + (1 - s) / workers). This is solved for s.

    >>> round(serial_fraction(2.5, 4), 3)
    0.2
    """
    return (workers / speedup - 1) / (workers - 1)


def parallel_fraction(speedup, workers):
    return 1 - serial_fraction(speedup, workers)


def amdahl_itself(speedup, workers):
    return 1 / (speedup + (1 - speedup) / workers)


def efficiency(speedup, workers):
    return speedup / workers


def inefficiency(speedup, workers):
    return 1 - speedup / workers


def one_over_speedup(speedup, workers):
    return 1 / speedup


def without_sharing(speedup, workers):
    return 1 / speedup - 1 / workers


def percent(speedup, workers):
    return 100 * serial_fraction(speedup, workers)


def rearranged(speedup, workers):
    return (1 / speedup - 1 / workers) / (1 - 1 / workers)


def break_dict_union() -> list[dict]:
    """Return tables of counts that `{**a, **b}`, one after another, does not add up rightly.

    >>> isinstance(break_dict_union(), list)
    True
    """
    return [{"the": 2}, {"the": 3}]


def returning(value):
    """Return a function that returns this value."""

    def function():
        return value

    return function


def check_parts(value: object) -> str:
    """Return what is wrong with the reader's tables, or an empty string."""
    if not isinstance(value, (list, tuple)):
        return f"You return {value!r}, a {type(value).__name__}. The exercise asks for a list of dicts."
    for part in value:
        if not isinstance(part, Mapping):
            return f"{part!r} in your list is no dict."
        for key, count in part.items():
            if not isinstance(count, int) or count < 1:
                return f"The count of {key!r} is {count!r}; it must be a whole number, 1 or more."
    return ""


EXERCISES = [
    Exercise(
        solution=add_counts,
        minutes=6,
        difficulty=1,
        hints=(
            "What should happen to a key that stands in two parts?",
            "Begin with an empty table, not with the first part, and add each count to what is there.",
        ),
        cases=[
            ([{"the": 2}, {"the": 3, "cat": 1}],),
            ([],),
            ([{"a": 1}, {"b": 1}, {"a": 2}],),
            ([{(b"a",): 1}, {(b"a",): 1}],),
            ([{"a": 5}, {"a": 1}],),
            ([{}],),
        ],
        random=random_parts,
        accepts=[with_sum],
        slips=[
            Slip(
                "Where two parts share a key, the later one overwrites the earlier: 2 and 3 become 3. "
                "Counts must be added, and `{**a, **b}` or `|` does not.",
                later_wins,
            ),
            Slip("Where two parts share a key, you keep the earlier count. Counts must be added.", earlier_wins),
            Slip("You keep the highest count of a key. Each part saw other text: add them.", highest_wins),
            Slip("You count in how many parts a key stands. Its counts must be added.", parts_counted),
            Slip("You add two parts and forget the others. There may be any number.", first_two),
            Slip(
                "The sum is right, but you add everything into the first part, which belongs to the caller. "
                "Begin with an empty table.",
                into_the_first,
            ),
            Slip("An empty list makes your function raise. The sum of nothing is an empty table.", none_of_nothing),
            Slip("You keep only keys that all parts share. Every key belongs into the sum.", shared_keys_only),
        ],
    ),
    Exercise(
        solution=count_in_chunks,
        minutes=15,
        difficulty=2,
        imports="from concurrent.futures import Executor\n\nfrom bpe_lib.lessons import count_chunk",
        hints=(
            "`executor.submit(function, argument, …)` gives a future at once; its `.result()` waits.",
            "Submit all tasks first, in a list. Only then ask for results: otherwise one worker works at a time.",
            "`zip(boundaries, boundaries[1:])` gives start and end of each chunk. You have written the addition "
            "already.",
        ),
        cases=[
            ("the cat<|endoftext|>the dog<|endoftext|>", [0, 20, 40], [END]),
            ("", [0], []),
            ("hi hi<|endoftext|>hi<|endoftext|>a<|endoftext|>b", [0, 5, 20, 34, 48], [END]),
            ("the cat", [0, 7], [END]),
            ("a a a", [0, 1, 3, 5], []),
            ("x<|endoftext|>y", [0, 15], [END]),
        ],
        harness=call_count_in_chunks,
        show="count_in_chunks(a file with {0}, {1}, {2}, executor)",
        accepts=[in_tasks(neighbours), by_map],
        slips=[
            Slip(
                "You count in this process: the executor gets no tasks, so no other core has anything to do. "
                "Call `executor.submit` for each chunk.",
                without_executor,
            ),
            Slip(
                "You give the executor one task, the whole file. One chunk for each two neighbouring boundaries can be "
                "shared among workers.",
                one_task_for_all,
            ),
            Slip(
                "You wait for each result before you submit the next task, so only one worker is ever busy. "
                "Submit them all, then collect.",
                one_by_one,
            ),
            Slip("You leave out the last chunk. n boundaries make n - 1 chunks.", in_tasks(all_but_last)),
            Slip(
                "You use each boundary once, so every second chunk is missing. "
                "A boundary ends one chunk and begins the next.",
                in_tasks(every_second),
            ),
            Slip("All your chunks begin at 0, so text is counted again and again.", in_tasks(from_zero)),
            Slip("You hand over the length of a chunk where its end is wanted.", in_tasks(start_and_length)),
            Slip(
                "The last byte of each chunk is missing. `end` is where the next one begins.", in_tasks(ends_too_early)
            ),
            Slip(
                "Where two chunks hold the same word, one count overwrites the other. Add them: your "
                "`add_counts` does.",
                in_tasks(neighbours, later_wins),
            ),
            Slip(
                "The special tokens don't reach the workers, so they are counted as text.",
                in_tasks(neighbours, specials=lambda tokens: []),
            ),
        ],
    ),
    Exercise(
        solution=serial_fraction,
        minutes=6,
        difficulty=2,
        hints=(
            "Write Amdahl's law down, and turn both sides upside down: 1 / speedup = s + (1 - s) / workers.",
            "Multiply by `workers`, and collect what has an s in it.",
        ),
        cases=[(2.5, 4), (4.0, 4), (1.0, 4), (2.0, 8), (1.6, 2)],
        random=lambda chance: (round(chance.uniform(1, 4), 2), chance.randint(4, 16)),
        valid=lambda speedup, workers: speedup >= 1 and workers >= 2,
        accepts=[rearranged],
        slips=[
            Slip("This is the part that *can* be shared. The serial part is what remains.", parallel_fraction),
            Slip(
                "You put the speedup in the place of s, and get a speedup out. The law must be solved for s.",
                amdahl_itself,
            ),
            Slip(
                "Speedup by workers is the efficiency: how busy the workers are. What does Amdahl's law say about s?",
                efficiency,
            ),
            Slip("One minus the efficiency is the time wasted, not the part that can't be shared.", inefficiency),
            Slip("You forget the shared part, (1 - s) / workers. It takes time as well.", one_over_speedup),
            Slip("The term (1 - s) / workers holds an s, too: divide by 1 - 1 / workers.", without_sharing),
            Slip("You return percent. The contract asks for a fraction: 0.2, not 20.", percent),
        ],
    ),
    Exercise(
        solution=break_dict_union,
        minutes=3,
        difficulty=1,
        hints=(
            "`{**a, **b}` has one value for each key. Which one, if both have it?",
            "Two tables with one key are enough.",
        ),
        cases=[()],
        harness=breaks(add_counts, later_wins, check_parts, "`{**a, **b}`"),
        accepts=[returning([{"a": 1}, {"a": 1}])],
        slips=[
            Slip("No two of your tables share a key, so nothing is overwritten.", returning([{"a": 1}, {"b": 2}])),
            Slip("One table is its own sum. It takes two.", returning([{"a": 1}]), returning([])),
            Slip("You return one dict. The exercise asks for a list of them.", returning({"a": 1})),
        ],
    ),
]
