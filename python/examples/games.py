# ---
# jupyter:
#   jupytext:
#     formats: py:percent
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # Games in a notebook
#
# Needs `pip install matplotlib jupytext nbconvert ipykernel`. Run it with
#
#     jupytext --to notebook games.py && jupyter nbconvert --to html --execute games.ipynb
#
# The 62 games are from the open database of lichess.org (CC0), without names.

# %%
import collections
from pathlib import Path

import matplotlib.pyplot as plt

import bartizan
from bartizan import eco, svg

PATH = next(up / "testdata/judgement/games.pgn" for up in Path.cwd().parents if (up / "testdata").is_dir())
games = list(bartizan.read_pgn(PATH))
len(games), sum(len(game.mainline_moves()) for game in games), sum(len(game.problems) for game in games)

# %% [markdown]
# ## Results by opening

# %%
results = collections.defaultdict(collections.Counter)
for game in games:
    opening = eco.classify(game)
    results[opening.opening if opening else "none"][game.result] += 1

common = sorted(results, key=lambda name: results[name].total())[-10:]
left = [0] * len(common)
for result, color in [("1-0", "#f0d9b5"), ("1/2-1/2", "#b0b0b0"), ("0-1", "#50402f")]:
    counts = [results[name][result] for name in common]
    plt.barh(common, counts, left=left, color=color, edgecolor="black", label=result)
    left = [a + b for a, b in zip(left, counts)]
plt.xlabel("games")
plt.legend()
plt.title("Results by opening")
plt.show()

# %% [markdown]
# ## A board
#
# The last position of the shortest decisive game, then the position before its last move with the better moves.

# %%
game = min((game for game in games if game.result != "1/2-1/2"), key=lambda game: len(game.mainline_moves()))
game

# %%
engine = bartizan.Engine()
board = game.end().parent.board()
lines = engine.analyse(board, bartizan.Limit(nodes=50_000), multipv=3)
best = [line["pv"][0] for line in lines]
arrows = [(move.from_square, move.to_square, color) for move, color in zip(best, ["green", "blue", "yellow"])]
print(*(f"{line['score'].white()} {' '.join(line['pv_san'][:5])}" for line in lines), sep="\n")
svg.board(board, arrows=arrows, size=390)

# %% [markdown]
# ## A review
#
# Each mistake with its reasons, then the game with evaluations, glyphs and better lines.

# %%
review = engine.review(game, nodes=20_000)
for move in review.mistakes:
    print(move["san"], move["class"], *move["reasons"], sep="\n    ")

# %%
print(review.game)

# %% [markdown]
# ## The same games as a table

# %%
try:
    import polars as pl

    table = pl.DataFrame(bartizan.pgn_to_arrow(PATH, evals=True))
    print(table.select("WhiteElo", "BlackElo", "Result", "plies", pl.col("evals").list.last()).head())
except ImportError:
    print("polars is not installed")
