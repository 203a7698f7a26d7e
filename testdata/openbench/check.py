"""Runs the functions of an OpenBench worker against a commit of this repository, with a server that knows nothing.

    python3 testdata/openbench/check.py OPENBENCH [--commit HEAD] [--threads 2] [--openings 64]

OPENBENCH is a checkout of https://github.com/AndyGrant/OpenBench. The checks, each by OpenBench's own code:

- the engine's configuration (Bartizan.json) is accepted, and a compiler for it is found;
- the commit, downloaded as an archive, is built by make;
- bench gives the node count of testdata/bench.txt in several processes at once, and a factor for the time control;
- genfens makes openings without a book, from an EPD book and from a PGN book; python-chess checks each of them;
- `bartizan spsa` of a tuning build is accepted as the input of a tuning, and that build accepts the options that
  the command line of the match gives it.

The configuration and the tuning build are those of the working tree, the rest is that of the commit.

Needs git, make, cargo and the Python packages requests, psutil, py-cpuinfo, numpy and chess. A missing package or
checkout gives the exit code 77.
"""

import argparse
import contextlib
import http.server
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import types

SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parents[2]
ENGINE = "Bartizan"


def skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(SKIPPED)


def check(condition, message):
    if not condition:
        raise SystemExit(f"FAILED: {message}")


def say(message):
    print(f"ok      {message}", flush=True)


def start_server(archive):
    """Serves the archive to every GET, and answers every report of the worker by `{}`. Returns address and reports."""
    reports = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self, content):
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def do_GET(self):
            self.answer(archive)

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            reports.append((self.path, body))
            self.answer(b"{}")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}", reports


def load_website(openbench):
    """Imports the parts of the website that check configurations and tunings. Its database is replaced by lists."""
    sys.path.insert(0, str(openbench))

    class Row(types.SimpleNamespace):
        """A row of a table, or with `rows` a table."""

    def create(**fields):
        run = Row(**fields)
        run.parameters = Row(order_by=lambda key: sorted(PARAMETERS, key=lambda row: getattr(row, key)))
        return run

    class SPSARun:
        objects = Row(create=create)

    class SPSAParameter(Row):
        objects = Row(bulk_create=lambda rows: PARAMETERS.extend(rows))

    models = types.ModuleType("OpenBench.models")
    models.SPSARun, models.SPSAParameter = SPSARun, SPSAParameter
    sys.modules["OpenBench.models"] = models
    # Sessions and downloads, which need Django.
    sys.modules["OpenBench.utils"] = types.ModuleType("OpenBench.utils")
    import OpenBench.config
    import OpenBench.spsa_utils
    import OpenBench.workloads.verify_workload
    return OpenBench


PARAMETERS = []


def kill_children(name):
    """In place of OpenBench's pkill, which would also end processes of others."""
    import psutil
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if os.path.basename(name) in " ".join(process.cmdline()):
                process.kill()


def check_openings(path, expected):
    """Checks the book that the worker wrote, and returns its lines."""
    import chess
    lines = path.read_text().splitlines()
    check(len(lines) == expected, f"{len(lines)} openings, not {expected}")
    for line in lines:
        board = chess.Board()
        operations = board.set_epd(line)
        check(board.is_valid(), f"illegal position: {line}")
        check(not board.is_check() and not board.is_game_over(), f"in check or over: {line}")
        check({"hmvc", "fmvn"} <= operations.keys(), f"no counters: {line}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("openbench", type=pathlib.Path, help="checkout of OpenBench")
    parser.add_argument("--commit", default="HEAD", help="commit to check")
    parser.add_argument("--threads", type=int, default=2, help="processes at once")
    parser.add_argument("--openings", type=int, default=64, help="openings for each process")
    arguments = parser.parse_args()
    openbench = arguments.openbench.resolve()
    if not (openbench / "Client" / "worker.py").is_file():
        skip(f"'{arguments.openbench}' is not a checkout of OpenBench")
    sys.path.insert(0, str(openbench / "Client"))
    try:
        import chess  # noqa: F401
        import numpy  # noqa: F401
        import genfens
        import utils
        import worker
    except ImportError as error:
        skip(f"{error}; install requests, psutil, py-cpuinfo, numpy and chess")
    utils.kill_process_by_name = kill_children
    git = ["git", "-C", str(ROOT)]
    archive = subprocess.check_output([*git, "archive", "--format=zip", f"--prefix={ENGINE}/", arguments.commit])
    sha = subprocess.check_output([*git, "rev-parse", arguments.commit], text=True).strip()
    bench = int(subprocess.check_output([*git, "show", f"{sha}:testdata/bench.txt"], text=True).split()[0])
    address, reports = start_server(archive)

    with tempfile.TemporaryDirectory() as folder:
        # The worker runs in its own folder, with these folders in it.
        os.chdir(folder)
        for name in ["Engines", "Books", "Networks", "PGNs"]:
            os.mkdir(name)

        website = load_website(openbench)
        website.config.PROJECT_PATH = folder
        shutil.copy(ROOT / "testdata/openbench/Bartizan.json", "Engines/Bartizan.json")
        settings = website.config.load_engine_config(ENGINE)
        say(f"configuration: {len(settings['test_presets'])} presets of tests")

        branch = {
            "engine": ENGINE, "name": "checked", "sha": sha, "source": f"{address}/archive.zip", "private": False,
            "bench": str(bench), "build": settings["build"], "options": "Threads=1 Hash=16",
            "time_control": "8.0+0.08", "network": "", "netname": "",
        }
        config = object.__new__(worker.Configuration)
        config.compilers, config.blacklist = {}, []
        config.threads, config.server, config.machine_id, config.secret_token = arguments.threads, address, "1", "1"
        config.syzygy_max, config.syzygy_path = 0, None
        config.workload = {
            "test": {
                "id": 1, "type": "DATAGEN", "dev": branch, "base": branch, "scale_method": "BOTH",
                "scale_nps": settings["nps"], "play_reverses": False, "syzygy_wdl": "DISABLED",
                "syzygy_adj": "DISABLED", "win_adj": "None", "draw_adj": "None", "book_index": 1, "book_seed": 1,
            },
            "distribution": {
                "runner-count": 1, "concurrency-per": arguments.threads,
                "rounds-per-runner": arguments.threads * arguments.openings,
            },
            "result": {"id": 1},
        }
        test = config.workload["test"]

        config.scan_for_compilers({ENGINE: settings["build"]})
        check(ENGINE in config.compilers, "no compiler")
        say(f"compiler: {' '.join(config.compilers[ENGINE])}")

        name = worker.safe_download_engine(config, "dev", None)
        check(name == utils.engine_binary_name(ENGINE, sha, None) + [".exe", ""][utils.IS_LINUX], name)
        say(f"build: {name}")

        factor = worker.determine_scale_factor(config, name, name)
        check(factor > 0, f"the factor of the time control is {factor}")
        say(f"bench: {bench} nodes in {arguments.threads} processes, twice; factor {factor:.3f}")

        shutil.copy(ROOT / "testdata/examples/openings.pgn", "Books/openings.pgn")
        for book, extra in [("NONE", ""), ("made.epd", "plies 2"), ("openings.pgn", "plies 4 balance 150")]:
            test["book"] = {"name": book}
            test["genfens_args"] = extra
            seeds = []
            for run in range(2):
                test["genfens_seeds"] = [run * 1000 + thread for thread in range(arguments.threads)]
                worker.safe_create_genfens_opening_book(config, name)
                written = pathlib.Path("Books/openbench.genfens.epd")
                seeds.append(check_openings(written, arguments.threads * arguments.openings))
            check(set(seeds[0]) != set(seeds[1]), "other seeds give the same openings")
            distinct = len(set(seeds[0]))
            say(f"genfens, book {book}: {len(seeds[0])} openings, {distinct} of them distinct, such as {seeds[0][0]}")
            shutil.copy(written, "Books/made.epd")

        tuning = [os.environ.get("CARGO", "cargo"), "run", "--quiet", "--package", "bartizan", "--features", "tuning"]
        parameters = subprocess.check_output([*tuning, "--", "spsa"], cwd=ROOT, text=True).strip()
        post = {
            "spsa_inputs": parameters, "spsa_alpha": "0.602", "spsa_gamma": "0.101", "spsa_A_ratio": "0.1",
            "spsa_iterations": "1000", "spsa_reporting_type": "BATCHED", "spsa_distribution_type": "SINGLE",
            "spsa_pairs_per": "8",
        }
        errors, request = [], types.SimpleNamespace(POST=post)
        website.workloads.verify_workload.verify_spsa_inputs(errors, request, "spsa_inputs")
        check(not errors, f"spsa: {errors}")
        workload = types.SimpleNamespace(test_mode="SPSA", games=0)
        workload.spsa_run = website.spsa_utils.create_spsa_run(workload, request)
        count = len(parameters.splitlines())
        original = website.spsa_utils.spsa_original_input(workload).splitlines()
        check(len(original) == count, f"spsa: {len(original)} parameters, not {count}")
        test["type"], test["book"] = "SPSA", {"name": "made.epd"}
        config.workload["spsa"] = website.spsa_utils.spsa_workload_assignment_dict(workload, 1)
        command = worker.build_runner_command(config, name, name, factor, 0, 0)
        options = [word[len("option."):].split("=") for word in shlex.split(command) if word.startswith("option.")]
        check(len(options) == 2 * (count + 2), f"spsa: {len(options)} options for {count} parameters")
        lines = [f"setoption name {option} value {value}" for option, value in options]
        said = subprocess.run(tuning, cwd=ROOT, input="\n".join([*lines, "isready"]), text=True, stdout=subprocess.PIPE)
        check(said.stdout.split() == ["readyok"] and said.returncode == 0, f"spsa: {said.stdout}")
        say(f"spsa: {count} parameters, {len(options)} options of a match set")

    names = [path.strip("/") for path, _ in reports]
    check(names == ["clientSubmitNPS"], f"the worker reported {names}")
    say("reports to the server: clientSubmitNPS")


if __name__ == "__main__":
    # The worker prints much; keep it in order with our lines.
    sys.stdout.reconfigure(line_buffering=True)
    main()
