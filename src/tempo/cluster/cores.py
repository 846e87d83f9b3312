"""How many cores this process may use, which may be fewer than the machine has."""

from __future__ import annotations

import math
import os
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")


def cores() -> int:
    """Cores by affinity (`taskset`) and by the quota of control groups (`docker run --cpus`)."""
    try:
        allowed = len(os.sched_getaffinity(0))
    except AttributeError:  # macOS
        allowed = os.cpu_count() or 1
    return max(1, min(allowed, quota()))


def quota(groups: Path = GROUPS, own: Path = Path("/proc/self/cgroup")) -> int:
    """Cores that control groups allow, rounded up; very many where they set no limit."""
    limits = []
    for line in _lines(own):
        _, kinds, path = line.split(":", 2)
        if not kinds:  # version 2: the limits of all groups above hold, too
            inner = groups / path.lstrip("/")
            for group in (inner, *inner.parents):
                if group.is_relative_to(groups):
                    limits += [_share(words) for words in _lines(group / "cpu.max")]
        elif "cpu" in kinds.split(","):
            for group in (groups / "cpu" / path.lstrip("/"), groups / "cpu"):
                both = _lines(group / "cpu.cfs_quota_us") + _lines(group / "cpu.cfs_period_us")
                limits.append(_share(" ".join(both)))
    return min(limits, default=2**31)


def _share(text: str) -> int:
    """`150000 100000` is one and a half cores, for which there are two threads; `max`: no limit."""
    words = text.split()
    if len(words) != 2 or not all(word.isdecimal() and int(word) for word in words):
        return 2**31
    return math.ceil(int(words[0]) / int(words[1]))


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
