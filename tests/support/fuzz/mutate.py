"""Breaks a sample: bits, pieces, lengths, and words that readers stumble over. The seed decides everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

WORDS = (
    *(
        b"",
        b"\0",
        b"\xff\xfe",
        b"\xed\xa0\x80",
        b"\r",
        b"\n",
        b"\t",
        b" ",
        b"'",
        b'"',
        b"\\",
        b"%",
        b"{{",
        b"../",
        b"/" * 40,
    ),
    *(
        b"null",
        b"true",
        b"~",
        b"[]",
        b"{}",
        b"[",
        b"{",
        b"]",
        b"}",
        b":",
        b"- ",
        b"<<: *a",
        b"&a ",
        b"*a",
        b"!!binary ",
        b"!!int ",
    ),
    *(
        b"0",
        b"-1",
        b"1e999",
        b"0x7fffffffffffffff",
        b"18446744073709551616",
        b"9" * 500,
        b".nan",
        b"1:1:1",
        b"2025-13-45",
    ),
    *(b"::", b"0.0.0.0/0", b"fe80::1%eth0", b"255.255.255.256", b"sha256:", b"data:;base64,", b"=" * 5, b"A" * 300),
    *(
        b"[" * 3000,
        b"{" * 3000,
        b'{"a":' * 3000,
        b"- " * 400,
        b"-----BEGIN CERTIFICATE-----\n",
        b"-----END",
        b"\x1b[31m",
    ),
)


def mutants(samples: Sequence[bytes], count: int, seed: int, longest: int = 1 << 16) -> Iterator[bytes]:
    """The samples themselves first, then broken ones."""
    random = Random(seed)
    yield from samples[:count]
    for _ in range(count - len(samples)):
        content = random.choice(samples)
        for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
            content = _broken(content, samples, random)
        yield content[:longest]


def _broken(content: bytes, samples: Sequence[bytes], random: Random) -> bytes:
    start = random.randrange(len(content) + 1)
    end = min(len(content), start + random.choice((0, 1, 1, 2, 4, 8, 32, 200)))
    head, piece, tail = content[:start], content[start:end], content[end:]
    match random.randrange(8):
        case 0:
            return head + tail
        case 1:
            return head + bytes([random.randrange(256)]) + content[start + 1 :]
        case 2:
            return head + random.choice(WORDS) + tail
        case 3:
            return head + piece * random.choice((2, 3, 20)) + tail
        case 4:
            return head
        case 5:
            other = random.choice(samples)
            return head + other[random.randrange(len(other) + 1) :]
        case 6:
            return head + bytes(byte ^ 1 << random.randrange(8) for byte in piece) + tail
        case _:
            lines = content.split(b"\n")
            random.shuffle(lines) if random.random() < 0.1 else lines.insert(random.randrange(len(lines)), piece)
            return b"\n".join(lines)
