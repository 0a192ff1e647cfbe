"""Times task detection on 100 kB inputs, ordinary and hostile, and prints one line each.

    python benchmarks/task_detection.py

The best of several runs is shown: the time of the work itself. The first call also compiles the word tables.
"""

from __future__ import annotations

import time

from specgen.tasks import detect

SIZE = 100_000
RUNS = 20

PROSE = "The ferry leaves at nine, but nobody told the people on the pier. "
CODE = "def area(width, height):\n    return width * height\n\n\n"
CSV = "id,name,price\n17,kettle,31.50\n"
LOG = "2030-01-03 11:02:01 INFO  worker-1 job 118 started\n"


def sized(piece: str) -> str:
    """`piece` repeated to `SIZE` characters."""
    return piece * (SIZE // len(piece))


ORDINARY = {
    "summary of prose": ("summarize this in two sentences", sized(PROSE)),
    "edit of code": ("rename area to surface and add type hints", sized(CODE)),
    "conversion of CSV": ("convert to JSON", sized(CSV)),
    "filter of a log": ("only the lines with ERROR", sized(LOG)),
    "text in the argument": ("Summarize this:\n\n" + sized(PROSE), ""),
    "instruction ends stdin": ("", sized(CODE) + "\n\nAdd type hints to the code above."),
    "no instruction": ("", sized(PROSE)),
    "Chinese": ("请总结这篇文章", sized("图书馆将延长开放时间。")),
}
HOSTILE = {
    repr(piece): (sized(piece), sized(piece))
    for piece in (
        "fix, ",
        "turn ",
        "please ",
        '"',
        "`",
        "„",
        "```\n",
        "\n \n",
        "make\n\n",
        "{[",
        "请总结",
        ": ",
        "50 ",
        " ",
    )
}


def best_ms(prompt: str, piped: str) -> float:
    """Shortest of `RUNS` calls, in milliseconds."""
    best = float("inf")
    for _ in range(RUNS):
        start = time.perf_counter()
        detect(prompt, piped)
        best = min(best, time.perf_counter() - start)
    return best * 1e3


def main() -> None:
    """Print the table."""
    start = time.perf_counter()
    detect("summarize", PROSE)
    print(f"{'first call':28}{(time.perf_counter() - start) * 1e3:8.2f} ms")
    for group, cases in (("ordinary", ORDINARY), ("hostile", HOSTILE)):
        for what, (prompt, piped) in cases.items():
            print(f"{group:10}{what:26}{best_ms(prompt, piped):8.2f} ms  {detect(prompt, piped).task}")


if __name__ == "__main__":
    main()
