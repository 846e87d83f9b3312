"""Write battles of Jiu as a file of openings, so that matches can compare battle engines alone.

    python tools/jiu_battles.py 200 > docs/experiments/jiu-battles.txt
    tempo match jiu-strong jiu-expert --game jiu --openings docs/experiments/jiu-battles.txt

The boards are filled by chance or by the expert in the centre and by the expert around it; no
learner of `tempo train jiu-terms` has begun from any of them.
"""

import sys

import tempo
from tempo.arena.openings import Opening
from tempo.recipes.jiu_battles import BLOCK, LEARNT_FROM, battles


def main() -> None:
    """Prints as many openings as asked for."""
    count = int(sys.argv[1])
    if not 0 < count <= BLOCK:
        sys.exit(f"from 1 to {BLOCK} battles can be had, not {count}")
    print("# Battles of Jiu about to begin: tools/jiu_battles.py", count)
    for position in battles(tempo.load("jiu"), LEARNT_FROM)[:count]:
        print(Opening(start=position.text))


if __name__ == "__main__":
    main()
