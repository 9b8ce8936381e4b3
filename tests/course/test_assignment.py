"""What Stanford CS336's assignment 1 asks for in its section 2, and where the course teaches it.

Whoever has worked through 00 to 08 has met each requirement. A row names it, the notebook, and words that stand
together in one cell there.
"""

import pytest

from notebook_tools import load, paths

REQUIREMENTS = [
    ("2.1 what chr(0) is, and its repr", "01", ["chr(0)", "repr(text)"]),
    ("2.1 code points of characters", "01", ["ord(character)", "U+"]),
    ("2.2 encode and decode UTF-8", "01", ["def utf8_bytes", "NotImplementedError"]),
    ("2.2 why UTF-8 rather than UTF-16 or UTF-32", "01", ["Why UTF-8", "UTF-16", "UTF-32"]),
    ("2.2 why decoding byte by byte is wrong", "01", ["def decode_tokens", "NotImplementedError"]),
    ("2.2 two bytes that are no UTF-8", "01", ["def invalid_utf8", "NotImplementedError"]),
    ("2.3 bytes against words: nothing is out of vocabulary", "01", ["256 tokens are enough"]),
    ("2.4 the vocabulary starts from 256 bytes", "04", ["def build_vocab", "NotImplementedError"]),
    ("2.4 pre-tokenization with GPT-2's regex", "03", ["def pretokenize", "NotImplementedError"]),
    ("2.4 pre-tokens as tuples of bytes, with counts", "03", ["def count_pretokens", "NotImplementedError"]),
    ("2.4 counting pairs", "04", ["def count_pairs", "NotImplementedError"]),
    ("2.4 ties go to the lexicographically greater pair", "04", ["def best_pair", "greatest pair"]),
    ("2.4 merging a pair", "04", ["def merge_pair", "NotImplementedError"]),
    ("2.4 special tokens are boundaries and have an id", "03", ["def split_on_special_tokens", "NotImplementedError"]),
    ("2.4 the worked example low, lower, widest, newest", "04", ["low", "lower", "widest", "newest"]),
    ("2.5 chunk boundaries at a special token", "02", ["def find_chunk_boundaries", "NotImplementedError"]),
    ("2.5 parallel pre-tokenization", "06", ["def count_in_chunks", "NotImplementedError"]),
    ("2.5 splitting on special tokens before pre-tokenizing", "03", ["special token", "first"]),
    ("2.5 merging with changes of counts only", "05", ["def count_changes", "NotImplementedError"]),
    ("2.5 an indexed trainer", "05", ["def train_indexed", "NotImplementedError"]),
    ("2.5 profiling the trainer", "05", ["cProfile"]),
    ("2.5 train_bpe(input_path, vocab_size, special_tokens)", "08", ["def train_bpe", "NotImplementedError"]),
    ("2.5 train to 10,000 tokens; what takes longest", "08", ["10_000", "progress=True"]),
    ("2.5 the longest token, and whether it makes sense", "08", ["def longest_tokens", "NotImplementedError"]),
    ("2.5 two corpora compared", "08", ["tokens in both"]),
    ("2.5 time and memory of training", "08", ["tracemalloc"]),
    ("2.6 encoding replays the merges in order", "07", ["def encode_pretoken", "NotImplementedError"]),
    ("2.6 encoding with special tokens", "07", ["def encode(", "NotImplementedError"]),
    ("2.6 special tokens added to a vocabulary", "07", ["def add_special_tokens", "NotImplementedError"]),
    ("2.6 encode_iterable in bounded memory", "07", ["def encode_iterable", "NotImplementedError"]),
    ("2.6 decoding, with U+FFFD for invalid bytes", "07", ["def decode(", "NotImplementedError"]),
    ("2.6 vocabulary and merges from files", "08", ["Tokenizer.load", "merges.txt"]),
    ("2.7 bytes per token", "00", ["def bytes_per_token", "NotImplementedError"]),
    ("2.7 one tokenizer on the other's corpus", "08", ["my_tokenizer", "stories"]),
    ("2.7 throughput, and the time for the Pile", "08", ["825"]),
    ("2.7 uint16 for the ids, and why", "07", ["uint16", "65,535"]),
    ("2.7 a data set of ids on disk", "08", ["encode_file", "mmap_mode"]),
]


@pytest.mark.parametrize(("requirement", "number", "words"), REQUIREMENTS, ids=[row[0] for row in REQUIREMENTS])
def test_the_course_teaches(requirement, number, words):
    (path,) = [path for path in paths() if path.stem.startswith(number)]
    assert any(all(word in cell.source for word in words) for cell in load(path).node.cells), requirement
