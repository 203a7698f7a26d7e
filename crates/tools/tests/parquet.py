#!/usr/bin/env python3
"""Compares what DuckDB, polars and Spark read from an export with each other and with 'pgn find'.

    parquet.py PROGRAM FILE.pgn

PROGRAM is bartizan-tools with the feature parquet. Needs `pip install duckdb polars pyspark pyarrow` and, for Spark,
Java 17. An engine that is not there is skipped with a message; without any, the script fails.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# The position after 1. e4 and its Polyglot key as a signed number.
FEN = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
KEY = 0x823C9B50FD114196
SIGNED = KEY - (1 << 64)

OPENINGS = """SELECT substr(ECO, 1, 1) AS volume, Result AS result, count(*) AS games
              FROM games GROUP BY 1, 2 ORDER BY 1, 2"""
POSITIONS = f"""SELECT game, min(ply) AS ply FROM positions WHERE key = {SIGNED} GROUP BY game ORDER BY game"""
# The mean of the clocks, in seconds, of games that have any, in whole hundredths so that sums may differ in order.
CLOCKS = """SELECT game, count(clock) AS clocks, CAST(round(sum(clock)) AS BIGINT) AS seconds
            FROM (SELECT game, {unnest} AS clock FROM games) WHERE clock IS NOT NULL GROUP BY game ORDER BY game"""


def duckdb_rows(folder):
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    for table in ("games", "positions"):
        files = f"{folder}/{table}/**/*.parquet"
        connection.execute(f"CREATE VIEW {table} AS FROM read_parquet('{files}', hive_partitioning = true)")
    queries = OPENINGS, POSITIONS, CLOCKS.format(unnest="unnest(clocks)")
    return [connection.execute(query).fetchall() for query in queries]


def polars_rows(folder):
    import polars

    context = polars.SQLContext(
        games=polars.scan_parquet(f"{folder}/games/", hive_partitioning=True),
        positions=polars.scan_parquet(f"{folder}/positions/"),
    )
    exploded = polars.scan_parquet(f"{folder}/games/", hive_partitioning=True).select("game", "clocks").explode("clocks")
    clocks = exploded.drop_nulls("clocks").group_by("game").agg(
        polars.len().alias("clocks_"), polars.col("clocks").sum().round(0).cast(polars.Int64).alias("seconds")
    )
    rows = [context.execute(query).collect().rows() for query in (OPENINGS, POSITIONS)]
    return rows + [clocks.sort("game").collect().rows()]


def spark_rows(folder):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").appName("bartizan").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "1").config("spark.driver.bindAddress", "127.0.0.1")
    spark = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try:
        for table in ("games", "positions"):
            spark.read.parquet(f"{folder}/{table}").createOrReplaceTempView(table)
        queries = OPENINGS, POSITIONS, CLOCKS.format(unnest="explode(clocks)")
        return [[tuple(row) for row in spark.sql(query).collect()] for query in queries]
    finally:
        spark.stop()


def find(program, folder):
    command = [program, "pgn", "find", folder, "--fen", FEN, "--json", "--quiet"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [(hit["game"], hit["ply"]) for hit in map(json.loads, lines)]


def none_first(rows):
    """Engines sort missing values first or last."""
    return sorted(map(tuple, rows), key=lambda row: [(value is not None, value) for value in row])


def main():
    program, games = sys.argv[1:]
    read = 0
    with tempfile.TemporaryDirectory() as work:
        folder = str(Path(work) / "out")
        export = [program, "pgn", "export", games, "--out", folder, "--positions", "--part-games", "100"]
        subprocess.run(export + ["--partition", "rating", "--quiet"], check=True)
        expected = None
        for name, rows_of in (("duckdb", duckdb_rows), ("polars", polars_rows), ("pyspark", spark_rows)):
            start = time.monotonic()
            try:
                rows = [none_first(rows) for rows in rows_of(folder)]
            except ImportError as error:
                print(f"SKIPPED {name}: {error}", file=sys.stderr)
                continue
            read += 1
            shape = ", ".join(str(len(rows)) for rows in rows)
            print(f"{name}: {shape} rows of openings, positions and clocks in {time.monotonic() - start:.1f} s")
            if expected is None:
                expected = rows
                print("\n".join(f"  {row}" for rows in expected for row in rows[:3]))
                assert rows[1] == find(program, folder), "the positions differ from those of pgn find"
            assert rows == expected, f"{name} reads other rows"
        try:
            import pyarrow.dataset
            import pyarrow.parquet

            tables = {name: pyarrow.dataset.dataset(f"{folder}/{name}", partitioning="hive") for name in ("games", "positions")}
            print("pyarrow:", {name: table.count_rows() for name, table in tables.items()})
            metadata = pyarrow.parquet.read_metadata(next(Path(folder).glob("positions/*.parquet"))).metadata
            assert metadata[b"bartizan.schema"] == b"1"
        except ImportError as error:
            print(f"SKIPPED pyarrow: {error}", file=sys.stderr)
    assert read, "no engine: pip install duckdb polars pyspark pyarrow"


if __name__ == "__main__":
    main()
