#!/bin/sh
# Builds the wheel for the stable ABI with a Python from 3.12 on, and tries it beside the installed build.
#
#   sh tools/try_abi3.sh PYTHON FOLDER
#
# PYTHON has what pyproject.toml builds with, NumPy, safetensors, typer and rich. FOLDER gets the wheel, its build log,
# and results.txt: the tag, the symbols of Python that the extension asks for, its signature and its speed.
set -eu
python=$1 out=$2
mkdir -p "$out"
"$python" -m pip wheel --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir "$out/dist" \
  --config-settings build-dir=build/abi3 --config-settings wheel.py-api=cp312 \
  --config-settings cmake.define.TEMPO_NATIVE=OFF --config-settings cmake.define.TEMPO_STABLE_ABI=ON . > "$out/build.log" 2>&1
"$python" -m pip install --disable-pip-version-check --no-index --no-deps --target "$out/site" "$out"/dist/*.whl >> "$out/build.log" 2>&1
packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
SPEED='
import sys, time
import tempo
from tempo import _core, agents
def spent(work):
    best = 1e9
    for _ in range(3):
        begun = time.process_time(); work(); best = min(best, time.process_time() - begun)
    return best
print(_core.__file__.rpartition("/")[2])
chess = tempo.load("chess")
print("perft", round(spent(lambda: chess.perft(6)), 3))
for spec, game in (("alphabeta:depth=8,table=1", "chess"), ("mcts:sims=200000", "gomoku"), ("shogi-strong:nodes=2000000", "shogi")):
    agent, position = agents.load(spec), tempo.load(game).start()
    print(spec, round(spent(lambda: (agent.reset(1), agent.choose(position))), 3))
def walk():
    for seed in range(3000):
        position = chess.start()
        while not position.is_over:
            position = position.play(position.legal_moves[seed % len(position.legal_moves)])
print("moves from Python", round(spent(walk), 3))
from tempo.games.registry import from_file
nim = tempo.load(from_file("examples/nim.py"))
agent = agents.load("mcts:sims=50000")
print("a game in Python", round(spent(lambda: (agent.reset(1), agent.choose(nim.start()))), 3))
'
{
  ls -l "$out"/dist
  extension=$(find "$out/site/tempo" -name '_core*.so')
  echo "$extension"
  nm -D --undefined-only "$extension" | grep -o ' _*Py[A-Za-z_0-9]*' | sort | tr -d '\n'
  echo
  echo "--- the wheel for the stable ABI"
  PYTHONPATH="$out/site:$packages" "$python" -S -m tempo signature
  PYTHONPATH="$out/site:$packages" "$python" -S -c "$SPEED"
  echo "--- the build that is installed"
  "$python" -m tempo signature
  "$python" -c "$SPEED"
} > "$out/results.txt" 2>&1
cat "$out/results.txt"
