#!/usr/bin/env python3
"""Compares ways to write a part's positions for 'pgn find': in the order of the games, with and without Bloom filters,
and sorted by key. Prints the table of docs/parquet.md.

The keys are made up: after p moves at most 3^p positions, some of them far more frequent than others, so that most
positions after the opening are reached by one game. Needs `pip install duckdb numpy pyarrow`, 2 GB of memory and 300 MB
for temporary files.
"""

import tempfile
import time
from pathlib import Path

import duckdb
import numpy
import pyarrow
import pyarrow.parquet as parquet

GAMES = 100_000
PLIES = 75
ROWS = 65_536


def positions():
    random = numpy.random.default_rng(1)
    keys = numpy.empty((GAMES, PLIES), numpy.int64)
    for ply in range(PLIES):
        most = min(3.0**ply, 2.0**60)
        # The fourth power makes the first of the positions the frequent ones.
        node = (random.random(GAMES) ** 4 * most).astype(numpy.uint64)
        # A key that depends on the position and the ply, by multiplications and shifts as in SplitMix64.
        key = node * numpy.uint64(0x9E3779B97F4A7C15) + numpy.uint64(ply) * numpy.uint64(0xBF58476D1CE4E5B9)
        key = (key ^ (key >> numpy.uint64(31))) * numpy.uint64(0x94D049BB133111EB)
        keys[:, ply] = (key ^ (key >> numpy.uint64(29))).astype(numpy.int64)
    game = numpy.repeat(numpy.arange(1, GAMES + 1, dtype=numpy.int64), PLIES)
    ply = numpy.tile(numpy.arange(PLIES, dtype=numpy.int32), GAMES)
    move = random.integers(0, 1900, GAMES * PLIES).astype(numpy.uint16)
    return keys, pyarrow.table({"key": keys.ravel(), "game": game, "ply": ply, "move": move})


def write(path, table, **more):
    packed = {"key": "DELTA_BINARY_PACKED", "game": "DELTA_BINARY_PACKED"}
    parquet.write_table(
        table, path, row_group_size=ROWS, compression="zstd", use_dictionary=["ply", "move"],
        column_encoding=packed, **more,
    )


def search(path, key):
    """The number of games that reach a position, and the least time of five searches in seconds."""
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    best = float("inf")
    for _ in range(5):
        begin = time.perf_counter()
        games = connection.execute(f"SELECT count(DISTINCT game) FROM '{path}' WHERE key = {key}").fetchone()[0]
        best = min(best, time.perf_counter() - begin)
    return games, best


def main():
    keys, table = positions()
    examples = keys[77, 60], keys[77, 9], keys[0, 0]
    bloom = {"key": {"ndv": ROWS, "fpp": 0.01}}
    layouts = (
        ("order of the games", table, {}),
        ("order of the games, Bloom filter (1 %)", table, {"bloom_filter_options": bloom}),
        ("sorted by key, statistics only", table.sort_by([("key", "ascending"), ("game", "ascending")]), {}),
    )
    print(f"{table.num_rows} positions, groups of {ROWS} rows, DuckDB {duckdb.__version__} with one thread")
    with tempfile.TemporaryDirectory() as folder:
        for name, rows, more in layouts:
            path = Path(folder) / "positions.parquet"
            write(path, rows, **more)
            found = [search(path, key) for key in examples]
            cells = [f"{1000 * best:.1f} ms for {games} games" for games, best in found]
            print(f"| {name} | {path.stat().st_size / 1e6:.1f} MB | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
