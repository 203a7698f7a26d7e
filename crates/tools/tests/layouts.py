#!/usr/bin/env python3
"""Compares ways to write the positions of an export: sorted by key, or in the order of the games with and without Bloom
filters.

    layouts.py FOLDER/positions/part-00000.parquet

Needs `pip install duckdb pyarrow`. Writes its files beside the given one and removes them.
"""

import sys
import tempfile
import time
from pathlib import Path

import duckdb
import pyarrow.parquet as parquet

ROWS = 65_536
PACKED = "DELTA_BINARY_PACKED"


def write(path, table, **more):
    encodings = {"key": PACKED, "game": PACKED}
    parquet.write_table(
        table, path, row_group_size=ROWS, compression="zstd", use_dictionary=["ply", "move"],
        column_encoding=encodings, **more,
    )


def connect():
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    return connection


def examples(path):
    """A key that one game reaches, one that about a hundred do, and the most frequent one."""
    counts = f"SELECT key, count(DISTINCT game) AS games FROM '{path}' GROUP BY key"
    orders = "games, key", "abs(games - 100), key", "games DESC, key"
    return [connect().execute(f"SELECT key FROM ({counts}) ORDER BY {order} LIMIT 1").fetchone()[0] for order in orders]


def seconds(path, key):
    connection = connect()
    best = float("inf")
    for _ in range(5):
        begin = time.perf_counter()
        games = connection.execute(f"SELECT count(DISTINCT game) FROM '{path}' WHERE key = {key}").fetchone()[0]
        best = min(best, time.perf_counter() - begin)
    return games, best


def main():
    source = Path(sys.argv[1])
    table = parquet.read_table(source)
    keys = examples(source)
    bloom = {"key": {"ndv": ROWS, "fpp": 0.01}}
    by_game = table.sort_by([("game", "ascending"), ("ply", "ascending")])
    layouts = (
        ("order of the games", by_game, {}),
        ("order of the games, Bloom filter (1 %)", by_game, {"bloom_filter_options": bloom}),
        ("sorted by key, statistics only", table, {}),
    )
    print(f"{table.num_rows} positions, groups of {ROWS} rows, DuckDB {duckdb.__version__} with one thread")
    with tempfile.TemporaryDirectory(dir=source.parent) as folder:
        for name, rows, more in layouts:
            path = Path(folder) / "positions.parquet"
            write(path, rows, **more)
            found = [seconds(path, key) for key in keys]
            cells = [f"{1000 * best:.1f} ms for {games} games" for games, best in found]
            print(f"| {name} | {path.stat().st_size / 1e6:.1f} MB | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
