"""`python -m tests.support.fuzz TARGET COUNT SEED`: the child. It prints the case that broke it, if one did."""

from __future__ import annotations

import sys
import traceback
import warnings

from hardway.model.errors import HardwayError
from tests.support.bounded import limit_memory
from tests.support.fuzz.mutate import mutants
from tests.support.fuzz.targets import TARGETS, Reader

OURS = (HardwayError,)


def main() -> int:
    name, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    warnings.simplefilter("ignore")
    target = TARGETS[name]()
    for sample in target.samples:  # imports what is imported on demand
        refused(target.read, sample)
    limit_memory()
    broken = sum(refused(target.read, content) for content in mutants(target.samples, count, seed))
    print(f"{count} cases, {broken} refused")
    return 0


def refused(read: Reader, content: bytes) -> bool:
    try:
        read(content)
    except OURS:
        return True
    except BaseException:
        print(f"broken by {content[:2000]!r}")
        traceback.print_exc()
        sys.exit(1)
    return False


if __name__ == "__main__":
    sys.exit(main())
