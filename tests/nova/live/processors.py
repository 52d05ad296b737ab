# SPDX-License-Identifier: Apache-2.0
"""Which processors the benchmark uses for what."""

import os


def halves() -> tuple[set[int], set[int]]:
    """Those of the servers, and those of the clients: the same ones on a small machine."""
    numbers = sorted(os.sched_getaffinity(0))
    half = len(numbers) // 2
    return (set(numbers[half:]), set(numbers[:half])) if len(numbers) >= 4 else (set(numbers), set(numbers))
