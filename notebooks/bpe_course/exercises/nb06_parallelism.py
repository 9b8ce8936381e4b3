"""The exercises of notebook 06."""

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed, wait
from functools import partial
from itertools import combinations
from random import Random
from typing import Any

from bpe_course.compare import a
from bpe_course.exercise import Args, Complaint, exercise
from bpe_course.harness import breaks, returning
from bpe_course.samples import END
from bpe_course.tasks import count_chunk
from bpe_lib import parallel


@exercise(
    minutes=6,
    difficulty=1,
    library=parallel.add_counts,
    hints=(
        "What should happen to a key that stands in two parts?",
        "Begin with an empty table, not with the first part, and add each count to what is there.",
    ),
)
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


add_counts.cases(
    ([{"the": 2}, {"the": 3, "cat": 1}],),
    ([],),
    ([{"a": 1}, {"b": 1}, {"a": 2}],),
    ([{(b"a",): 1}, {(b"a",): 1}],),
    ([{"a": 5}, {"a": 1}],),
    ([{}],),
)


@add_counts.random
def random_parts(chance: Random) -> Args:
    """Return a few small tables."""
    return ([{chance.choice("abc"): chance.randint(1, 4) for _ in range(chance.randint(0, 3))} for _ in range(3)],)


@add_counts.slip(
    "Where two parts share a key, the later one overwrites the earlier: 2 and 3 become 3. Counts must be added, and "
    "`{**a, **b}` or `|` does not."
)
def later_wins(parts):
    total = {}
    for part in parts:
        total = {**total, **part}
    return total


@add_counts.slip("Where two parts share a key, you keep the earlier count. Counts must be added.")
def earlier_wins(parts):
    total = {}
    for part in parts:
        total = part | total
    return total


@add_counts.slip("You keep the highest count of a key. Each part saw other text: add them.")
def highest_wins(parts):
    total = {}
    for part in parts:
        for key, count in part.items():
            total[key] = max(count, total.get(key, 0))
    return total


@add_counts.slip("You count in how many parts a key stands. Its counts must be added.")
def parts_counted(parts):
    return dict(Counter(key for part in parts for key in part))


@add_counts.slip("A key that you have met before gets 1 more, whatever its count in this part is. Add that count.")
def one_more(parts):
    total = {}
    for part in parts:
        for key, count in part.items():
            total[key] = total[key] + 1 if key in total else count
    return total


@add_counts.slip(
    "A key that is new to your table has no count yet, so `+=` raises KeyError. From which number should it start?"
)
def without_start(parts):
    total = {}
    for part in parts:
        for key, count in part.items():
            total[key] += count
    return total


@add_counts.slip("You add two parts and forget the others. There may be any number.")
def first_two(parts):
    return add_counts(parts[:2])


@add_counts.slip(
    "The sum is right, but you add everything into the first part, which belongs to the caller. Begin with an empty "
    "table."
)
def into_the_first(parts):
    if not parts:
        return {}
    total = parts[0]
    for part in parts[1:]:
        for key, count in part.items():
            total[key] = total.get(key, 0) + count
    return total


@add_counts.slip("An empty list makes your function raise. The sum of nothing is an empty table.")
def none_of_nothing(parts):
    total = Counter(parts[0])
    for part in parts[1:]:
        total.update(part)
    return total


@add_counts.slip("You keep only keys that all parts share. Every key belongs into the sum.")
def shared_keys_only(parts):
    total = add_counts(parts)
    return {key: count for key, count in total.items() if all(key in part for part in parts)}


@add_counts.accept
def with_sum(parts):
    return sum(map(Counter, parts), Counter())


@exercise(
    minutes=15,
    difficulty=2,
    imports="from concurrent.futures import Executor\n\nfrom bpe_course import count_chunk",
    show="from concurrent.futures import ThreadPoolExecutor\nfrom pathlib import Path\n"
    "_ = Path('example.txt').write_bytes({0}.encode())\nwith ThreadPoolExecutor() as executor:\n"
    "    print(count_in_chunks('example.txt', {1}, {2}, executor))",
    hints=(
        "`executor.submit(function, argument, …)` gives a future at once; its `.result()` waits.",
        "Submit all tasks first, in a list. Only then ask for results: otherwise one worker works at a time.",
        "`zip(boundaries, boundaries[1:])` gives start and end of each chunk. You have written the addition already.",
    ),
)
def count_in_chunks(
    path: str, boundaries: list[int], special_tokens: list[str], executor: Executor
) -> dict[tuple[bytes, ...], int]:
    """Return the counts of all pre-tokens of a file, counted chunk by chunk on the executor.

    There is one task `count_chunk(path, start, end, special_tokens)` for each two neighbouring boundaries. The
    executor belongs to the caller: leave it open.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor() as executor:  # no boundaries, no chunks
    ...     count_in_chunks("no_such_file.txt", [0], [], executor)
    {}
    """
    starts, ends = boundaries[:-1], boundaries[1:]
    tasks = [executor.submit(count_chunk, path, start, end, special_tokens) for start, end in zip(starts, ends)]
    return add_counts([task.result() for task in tasks])


count_in_chunks.cases(
    ("the cat<|endoftext|>the dog<|endoftext|>", [0, 20, 40], [END]),
    ("", [0], []),
    ("hi hi<|endoftext|>hi<|endoftext|>a<|endoftext|>b", [0, 5, 20, 34, 48], [END]),
    ("the cat", [0, 7], [END]),
    ("a a a", [0, 1, 3, 5], []),
    ("x<|endoftext|>y", [0, 15], [END]),
    ("a<e>b<|endoftext|>c", [0, 18, 19], ["<e>", END]),
)


@count_in_chunks.valid
def is_cut_up(content: str, boundaries: list[int], special_tokens: list[str]) -> bool:
    """Tell whether the boundaries go from the beginning of the file to its end, and the special tokens are known."""
    ends = boundaries[:1] == [0] and boundaries[-1] == len(content.encode())
    return ends and boundaries == sorted(set(boundaries)) and (END in special_tokens or END not in content)


class WatchedFuture(Future):
    """A future that is done from the beginning, and tells its executor when the result is taken."""

    def __init__(self, executor: "WatchingExecutor", function: Callable, args: tuple, kwargs: dict) -> None:
        super().__init__()
        self.executor, self.taken = executor, True
        self.set_running_or_notify_cancel()
        try:
            self.set_result(function(*args, **kwargs))
        except Exception as error:
            self.set_exception(error)
        self.taken = False

    @property
    def _state(self) -> str:
        """What `result`, `wait` and `as_completed` look at: whoever does so waits for the task."""
        if not self.taken:
            self.taken = True
            self.executor.collected += 1
        return self.__dict__["state"]

    @_state.setter
    def _state(self, state: str) -> None:
        self.__dict__["state"] = state

    def add_done_callback(self, function: Callable) -> None:
        """Call a function with the future, which is done: nobody waits for that."""
        function(self)


ALL_BOUNDARIES = (
    "You hand the whole list of boundaries to one task, and `count_chunk` wants a start and an end. Submit one task "
    "for each two neighbours."
)


LETTER_BY_LETTER = (
    "`executor.map` takes one item of each argument for each task, and of a str it takes one letter. Give it a list "
    "for each parameter, `[path] * n` for the path, or `submit` each task."
)


class WatchingExecutor(Executor):
    """Does each task at once, in this thread, and notes what is asked of it."""

    def __init__(self) -> None:
        self.tasks: list[tuple] = []
        self.collected = 0
        self.alone = 0
        self.closed = False

    def submit(self, function: Callable, /, *args: Any, **kwargs: Any) -> Future:
        """Note a task, do it, and return a future that is done."""
        if isinstance(function, partial):
            args, kwargs, function = function.args + args, function.keywords | kwargs, function.func
        if not callable(function):
            raise Complaint(
                "You call `count_chunk` yourself and submit what it returns, so the work is done before a worker hears "
                "of it. Hand over the function and its arguments: `executor.submit(count_chunk, path, …)`."
            )
        if function is not count_chunk:
            raise Complaint(
                f"You hand the executor {getattr(function, '__name__', function)!r}. Worker processes can only import "
                "functions from a module: hand over `count_chunk` itself, and its arguments."
            )
        if len(args) > 1 and isinstance(args[1], (list, tuple)):
            raise Complaint(ALL_BOUNDARIES)
        self.alone += bool(self.tasks) and self.collected == len(self.tasks)
        self.tasks.append((*args, *kwargs.values()))
        return WatchedFuture(self, function, args, kwargs)

    def map(self, function: Callable, *iterables: Any, **options: Any) -> Iterator:
        """Submit a task for each first, second, … item of all iterables."""
        if any(isinstance(iterable, str) for iterable in iterables):
            raise Complaint(LETTER_BY_LETTER)
        return super().map(function, *iterables, **options)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Note that the executor is closed."""
        self.closed = True


FUTURES = (
    "These are futures, promises of a result, and you add them as if they were tables. Ask each one for its table: "
    "`future.result()`."
)
NO_TASKS = (
    "The executor that you are given gets no tasks: you count here yourself, or on an executor of your own. Call "
    "`executor.submit` for each chunk."
)
ALL_FROM_ZERO = (
    "You make one task for each boundary, and all of them begin at 0. n boundaries make n - 1 chunks, and each begins "
    "where the one before it ends."
)
ONE_BY_ONE = (
    "You wait for each result before you submit the next task, so only one worker is ever busy. "
    "Submit them all, then collect."
)
CLOSED = (
    "The counts are right, but you close the executor, perhaps by `with executor:`. It belongs to the caller, who "
    "may want to go on with it: leave it open."
)


def number(count: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun.

    >>> number(1, "task"), number(0, "boundary", "boundaries")
    ('1 task', '0 boundaries')
    """
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def look_at(executor: WatchingExecutor, counts: Any, wanted: int) -> None:
    """Raise a complaint if the executor was not used as it should be."""
    if isinstance(counts, (dict, list)) and any(isinstance(part, Future) for part in counts):
        raise Complaint(FUTURES)
    if wanted and not executor.tasks:
        raise Complaint(NO_TASKS, counts)
    if wanted > 1 and len(executor.tasks) == wanted + 1 and all(task[1:2] == (0,) for task in executor.tasks):
        raise Complaint(ALL_FROM_ZERO, counts)
    if len(executor.tasks) != wanted:
        raise Complaint(
            f"You give the executor {number(len(executor.tasks), 'task')}, and "
            f"{number(wanted + 1, 'boundary', 'boundaries')} make {number(wanted, 'chunk')}: one task for each two "
            "neighbours.",
            counts,
        )
    if wanted > 1 and executor.alone == wanted - 1:
        raise Complaint(ONE_BY_ONE, counts)
    if wanted and executor.closed:
        raise Complaint(CLOSED, counts)


@count_in_chunks.harness
def call_count_in_chunks(function: Callable, content: str, boundaries: list[int], special_tokens: list[str]) -> Any:
    """Call the reader's function on a file of its own, and look at its tasks."""
    executor, wanted = WatchingExecutor(), max(len(boundaries) - 1, 0)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "text.txt")
        with open(path, "wb") as file:
            file.write(content.encode())
        try:
            counts = function(path, boundaries, special_tokens, executor)
        except (AttributeError, TypeError) as error:
            if WatchedFuture.__name__ in str(error):
                raise Complaint(FUTURES) from error
            raise
    look_at(executor, counts, wanted)
    return counts


def neighbours(boundaries):
    return list(zip(boundaries, boundaries[1:]))


@count_in_chunks.slip(FUTURES)
def adding_futures(path, boundaries, special_tokens, executor):
    return add_counts([executor.submit(count_chunk, path, *ends, special_tokens) for ends in neighbours(boundaries)])


@count_in_chunks.same_slip
def updating_with_futures(path, boundaries, special_tokens, executor):
    total = Counter()
    for ends in neighbours(boundaries):
        total.update(executor.submit(count_chunk, path, *ends, special_tokens))
    return total


@count_in_chunks.same_slip
def counting_futures(path, boundaries, special_tokens, executor):
    return Counter([executor.submit(count_chunk, path, *ends, special_tokens) for ends in neighbours(boundaries)])


@count_in_chunks.slip(NO_TASKS)
def without_executor(path, boundaries, special_tokens, executor):
    return add_counts([count_chunk(path, *ends, special_tokens) for ends in zip(boundaries, boundaries[1:])])


@count_in_chunks.same_slip
def on_its_own(path, boundaries, special_tokens, executor):
    with ThreadPoolExecutor(2) as own:
        return by_map(path, boundaries, special_tokens, own)


@count_in_chunks.slip(
    "You call `count_chunk` yourself and submit what it returns, so the work is done before a worker hears of it. Hand "
    "over the function and its arguments: `executor.submit(count_chunk, path, …)`."
)
def submitting_results(path, boundaries, special_tokens, executor):
    parts = [count_chunk(path, *ends, special_tokens) for ends in neighbours(boundaries)]
    return add_counts([executor.submit(part).result() for part in parts])


@count_in_chunks.slip(CLOSED)
def closing(path, boundaries, special_tokens, executor):
    with executor:
        return by_map(path, boundaries, special_tokens, executor)


@count_in_chunks.slip(
    "You give the executor one task, the whole file. One chunk for each two neighbouring boundaries can be shared "
    "among workers."
)
def one_task_for_all(path, boundaries, special_tokens, executor):
    return executor.submit(count_chunk, path, boundaries[0], boundaries[-1], special_tokens).result()


@count_in_chunks.slip(ONE_BY_ONE)
def one_by_one(path, boundaries, special_tokens, executor):
    total = {}
    for start, end in zip(boundaries, boundaries[1:]):
        part = executor.submit(count_chunk, path, start, end, special_tokens).result()
        total = add_counts([total, part])
    return total


def in_tasks(pairs: Callable, add: Callable = add_counts, specials: Callable = lambda tokens: tokens) -> Callable:
    """Return a count_in_chunks that is made of other parts."""

    def count(path, boundaries, special_tokens, executor):
        tokens = specials(special_tokens)
        tasks = [executor.submit(count_chunk, path, start, end, tokens) for start, end in pairs(boundaries)]
        return add([task.result() for task in tasks])

    return count


@count_in_chunks.slip("You leave out the last chunk. n boundaries make n - 1 chunks.")
@in_tasks
def all_but_last(boundaries):
    return neighbours(boundaries)[:-1]


@count_in_chunks.slip(
    "You use each boundary once, so every second chunk is missing. A boundary ends one chunk and begins the next."
)
@in_tasks
def every_second(boundaries):
    return list(zip(boundaries[::2], boundaries[1::2]))


@count_in_chunks.slip("All your chunks begin at 0, so text is counted again and again.")
@in_tasks
def from_zero(boundaries):
    return [(0, end) for end in boundaries[1:]]


@count_in_chunks.slip(ALL_FROM_ZERO)
@in_tasks
def all_from_zero(boundaries):
    return [(0, end) for end in boundaries]


@count_in_chunks.slip(
    "You pair boundaries with all others. A chunk lies between two neighbours: every other range holds text that is "
    "counted elsewhere, too."
)
@in_tasks
def every_two(boundaries):
    return [(start, end) for start in boundaries for end in boundaries]


@count_in_chunks.same_slip
@in_tasks
def every_two_in_order(boundaries):
    return list(combinations(boundaries, 2))


@count_in_chunks.slip(ALL_BOUNDARIES)
def boundaries_in_one(path, boundaries, special_tokens, executor):
    return executor.submit(count_chunk, path, boundaries, special_tokens).result()


def map_over_tokens(repeat: bool) -> Callable:
    """Return a count_in_chunks that has `map` take the special tokens one by one, from one list or a repeated one."""

    def count(path, boundaries, special_tokens, executor):
        n = len(boundaries) - 1
        tokens = special_tokens * n if repeat else special_tokens
        return add_counts(list(executor.map(count_chunk, [path] * n, boundaries, boundaries[1:], tokens)))

    return count


count_in_chunks.slip(
    "`executor.map` gives each task one item of each list, so out of `special_tokens` or `special_tokens * n` it gets "
    "a str, or nothing at all. Which list has the list of special tokens n times for its items?",
    map_over_tokens(repeat=True),
    map_over_tokens(repeat=False),
)


@count_in_chunks.slip("You hand over the length of a chunk where its end is wanted.")
@in_tasks
def start_and_length(boundaries):
    return [(start, end - start) for start, end in neighbours(boundaries)]


@count_in_chunks.slip("The last byte of each chunk is missing. `end` is where the next one begins.")
@in_tasks
def ends_too_early(boundaries):
    return [(start, end - 1) for start, end in neighbours(boundaries)]


count_in_chunks.slip(
    "Where two chunks hold the same word, one count overwrites the other. Add them: your `add_counts` does.",
    in_tasks(neighbours, later_wins),
)

count_in_chunks.slip(
    "The special tokens don't reach the workers, so they are counted as text.",
    in_tasks(neighbours, specials=lambda tokens: []),
)


@count_in_chunks.slip(ONE_BY_ONE)
def one_after_another(path, boundaries, special_tokens, executor):
    parts = []
    for start, end in neighbours(boundaries):
        task = executor.submit(count_chunk, path, start, end, special_tokens)
        wait([task])
        parts.append(task)
    return add_counts([task.result() for task in parts])


@count_in_chunks.slip(LETTER_BY_LETTER)
def bare_arguments(path, boundaries, special_tokens, executor):
    return add_counts(list(executor.map(count_chunk, path, boundaries, boundaries[1:], special_tokens)))


@count_in_chunks.slip(
    "You hand over special tokens that are written in your function, and take no notice of those you are given. "
    "Another file may have others: use the parameter."
)
def literal_tokens(path, boundaries, special_tokens, executor):
    return count_in_chunks(path, boundaries, [END], executor)


@count_in_chunks.accept
def by_partial(path, boundaries, special_tokens, executor):
    count = partial(count_chunk, path, special_tokens=special_tokens)
    return add_counts([task.result() for task in [executor.submit(count, *ends) for ends in neighbours(boundaries)]])


count_in_chunks.accept(in_tasks(neighbours))


@count_in_chunks.accept
def by_map(path, boundaries, special_tokens, executor):
    n = len(boundaries) - 1
    parts = executor.map(count_chunk, [path] * n, boundaries, boundaries[1:], [special_tokens] * n)
    return add_counts(list(parts))


@count_in_chunks.accept
def by_completion(path, boundaries, special_tokens, executor):
    tasks = [executor.submit(count_chunk, path, *ends, special_tokens) for ends in neighbours(boundaries)]
    return add_counts([task.result() for task in as_completed(tasks)])


@count_in_chunks.accept
def by_waiting(path, boundaries, special_tokens, executor):
    tasks = [executor.submit(count_chunk, path, *ends, special_tokens) for ends in neighbours(boundaries)]
    wait(tasks)
    return add_counts([task.result() for task in tasks])


@exercise(
    minutes=6,
    difficulty=2,
    hints=(
        "Write Amdahl's law down, and turn both sides upside down: 1 / speedup = s + (1 - s) / workers.",
        "Multiply by `workers`, and collect what has an s in it.",
    ),
)
def serial_fraction(speedup: float, workers: int) -> float:
    """Return which part of the work can't be shared, by Amdahl's law, from a measured speedup.

    Amdahl: speedup = 1 / (s + (1 - s) / workers). This is solved for s, with 2 workers or more, and neither rounded nor
    cut off: a measurement may well give something below 0 or above 1.

    >>> f"{serial_fraction(2.5, 4):.3f}"
    '0.200'
    """
    return (workers / speedup - 1) / (workers - 1)


serial_fraction.cases(
    (2.5, 4),
    (4.0, 4),
    (1.0, 4),
    (2.0, 8),
    (1.6, 2),
    (2.5, 2),
    (0.8, 4),
)

serial_fraction.random(lambda chance: (round(chance.uniform(1, 4), 2), chance.randint(4, 16)))

serial_fraction.valid(lambda speedup, workers: speedup > 0 and workers >= 2)


@serial_fraction.normal
def nine_digits(result: object, *_args: object) -> object:
    """Return a number to nine digits, so that 0.2 is shown and not 0.20000000000000004."""
    return round(result, 9) if isinstance(result, float) else result


@serial_fraction.slip("This is the part that *can* be shared. The serial part is what remains.")
def parallel_fraction(speedup, workers):
    return 1 - serial_fraction(speedup, workers)


@serial_fraction.slip("You put the speedup in the place of s, and get a speedup out. The law must be solved for s.")
def amdahl_itself(speedup, workers):
    return 1 / (speedup + (1 - speedup) / workers)


@serial_fraction.slip(
    "Speedup by workers is the efficiency: how busy the workers are. What does Amdahl's law say about s?"
)
def efficiency(speedup, workers):
    return speedup / workers


@serial_fraction.slip("One minus the efficiency is the time wasted, not the part that can't be shared.")
def inefficiency(speedup, workers):
    return 1 - speedup / workers


@serial_fraction.slip("You forget the shared part, (1 - s) / workers. It takes time as well.")
def one_over_speedup(speedup, workers):
    return 1 / speedup


@serial_fraction.slip("The term (1 - s) / workers holds an s, too.")
def without_sharing(speedup, workers):
    return 1 / speedup - 1 / workers


@serial_fraction.slip(
    "You guess a straight line from speedup = 1 to speedup = workers. It is right at both ends and wrong between them: "
    "the law is linear in 1 / speedup."
)
def straight_line(speedup, workers):
    return (workers - speedup) / (workers - 1)


def rounded_to(digits):
    return lambda speedup, workers: round(serial_fraction(speedup, workers), digits)


serial_fraction.slip(
    "You round the result. Return all digits; whoever prints it can round.", *map(rounded_to, (1, 2, 3, 4))
)


@serial_fraction.slip(
    "You cut the result off at 0 or 1. A measurement that gives less or more tells of a disturbed machine, or of "
    "sharing that cost too much: return it as it is."
)
def never_negative(speedup, workers):
    return max(0.0, serial_fraction(speedup, workers))


@serial_fraction.same_slip
def from_0_to_1(speedup, workers):
    return min(1.0, never_negative(speedup, workers))


@serial_fraction.slip("You return percent. The contract asks for a fraction: 0.2, not 20.")
def percent(speedup, workers):
    return 100 * serial_fraction(speedup, workers)


@serial_fraction.accept
def rearranged(speedup, workers):
    return (1 / speedup - 1 / workers) / (1 - 1 / workers)


@exercise(
    minutes=3,
    difficulty=1,
    collected=False,
    hints=(
        "`{**a, **b}` has one value for each key. Which one, if both have it?",
        "Two tables with one key are enough.",
    ),
)
def break_dict_union() -> list[dict]:
    """Return tables of counts that `{**a, **b}`, one after another, does not add up rightly.

    >>> isinstance(break_dict_union(), list)
    True
    """
    return [{"the": 2}, {"the": 3}]


NO_TABLE = "Your list is empty. The sum of no tables is an empty table, and so is their union."
ONE_TABLE = "One table is its own sum. It takes two."


def check_parts(value: object) -> str:
    """Return what is wrong with the reader's tables, or an empty string."""
    if not isinstance(value, (list, tuple)):
        return f"You return {value!r}, {a(type(value).__name__)}. The exercise asks for a list of dicts."
    if len(value) < 2:
        return ONE_TABLE if value else NO_TABLE
    for part in value:
        if not isinstance(part, Mapping):
            return f"{part!r} in your list is no dict."
        for key, count in part.items():
            if not isinstance(count, int) or count < 1:
                return f"The count of {key!r} is {count!r}; it must be a whole number, 1 or more."
    return ""


break_dict_union.harness(breaks(add_counts, later_wins, check_parts, "`{**a, **b}`"))

break_dict_union.slip("No two of your tables share a key, so nothing is overwritten.", returning([{"a": 1}, {"b": 2}]))

break_dict_union.slip(
    ONE_TABLE,
    returning([{"a": 1}]),
    returning([{"the": 2}]),
)

break_dict_union.slip(NO_TABLE, returning([]))

break_dict_union.slip("You return one dict. The exercise asks for a list of them.", returning({"a": 1}))

break_dict_union.accept(returning([{"a": 1}, {"a": 1}]))
