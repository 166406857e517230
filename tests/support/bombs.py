"""YAML that is small on disk and ends a careless reader: by the C stack, by memory, or by time."""

from __future__ import annotations

import sys

DEEP = 60_000


def _merged_twice(levels: int) -> str:
    """Each mapping merges the one before it twice: 2^levels pairs for who copies them."""
    lines = ["m0: &m0 {a: 1, b: 2}"]
    lines += [f"m{n}: &m{n} {{<<: [*m{n - 1}, *m{n - 1}]}}" for n in range(1, levels)]
    return "\n".join(lines) + "\n"


def _merged_wide(keys: int, lists: int) -> str:
    """One mapping of many keys that others merge many times: a product, not a power."""
    names = ", ".join(f"k{n}: {n}" for n in range(keys))
    merges = ", ".join(["*w"] * lists)
    return f"w: &w {{{names}}}\n" + "\n".join(f"x{n}: {{<<: [{merges}]}}" for n in range(lists)) + "\n"


def _laughs(levels: int) -> str:
    lines = ["l0: &l0 [a, a, a, a, a, a, a, a, a]"]
    lines += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "\n".join(lines) + "\n"


def _one_hash(keys: int) -> str:
    """Numbers that Python gives the same hash: each key is compared with all before it."""
    return "a: {" + ", ".join(f"{number * sys.hash_info.modulus}: 1" for number in range(1, keys)) + "}\n"


def _one_hash_merged(mappings: int, keys: int) -> str:
    """The same, spread over mappings that are merged into one."""
    numbers = iter(range(1, mappings * keys + 1))
    parts = [", ".join(f"{next(numbers) * sys.hash_info.modulus}: 1" for _ in range(keys)) for _ in range(mappings)]
    lines = [f"m{n}: &m{n} {{{part}}}" for n, part in enumerate(parts)]
    return "\n".join([*lines, f"all: {{<<: [{', '.join(f'*m{n}' for n in range(mappings))}]}}"]) + "\n"


BOMBS: dict[str, str] = {
    "lists in brackets": "a: " + "[" * DEEP,
    "lists in brackets, closed": "a: " + "[" * DEEP + "]" * DEEP + "\n",
    "mappings in braces": "a: " + "{a: " * DEEP,
    "lists by dashes": "a:\n  " + "- " * DEEP + "a\n",
    "keys by question marks": "? " * DEEP + "a\n",
    "merge keys that double": _merged_twice(26),
    "merge keys by the list": _merged_wide(2_000, 800),
    "aliases of aliases": _laughs(12),
    "an alias of its own list": "a: &a [*a]\n",
    "very many nodes": "a: [" + "1," * 600_000 + "1]\n",
    "keys of one hash": _one_hash(5_000),
    "keys of one hash, merged": _one_hash_merged(60, 90),
    "one long number": "a: 1" + ":1" * 400_000 + "\n",
}
"""By what is in them. None of them is a document that anybody means."""
