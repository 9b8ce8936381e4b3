"""Every Python that finds this folder in PYTHONPATH starts its processes as `START_METHOD` says, if it says so.

So one version of Python tries what is the default of another, `python -m bpe_lib` and its workers included.
"""

import multiprocessing
import os

if method := os.environ.get("START_METHOD"):
    multiprocessing.set_start_method(method, force=True)
