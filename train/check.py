#!/usr/bin/env python3
"""Compares this trainer and its reading of network files with those in Rust."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

from architecture import KING_BUCKETS, Architecture, Invalid, factor_shape, first_weights, grown
from checkpoint import Checkpoint
from network import Network
from positions import MAGIC, decode, open_positions
from train import terms as terms_of

EXAMPLE = """\
examples:
  python3 train/check.py values network.bin held.pos --tools target/release/bartizan-tools
  python3 train/check.py training shuffled.pos --tools target/release/bartizan-tools"""

# Shapes to train: hidden neurons, king buckets, output buckets. The last one begins with a network of half the neurons
# and one bucket, is trained for the mean with the hand-written terms, and has factorised weights.
SHAPES = [(32, 1, 1), (64, 4, 8), (32, 8, 32), (64, 4, 8, "grown, with terms, factorised")]

# Number of steps after which weights are compared, and positions per step.
STEPS, BATCH = 10, 2000

# The largest differences that rounding explains: of a gradient relative to its largest part, of a weight after these
# steps, and of the mean loss. Adam divides gradients by their size, so tiny ones that differ by rounding only move
# weights apart: this share of them may differ by more, and all of the inputs by this much on average.
MOST_GRADIENT, MOST_WEIGHT, MOST_LOSS = 1e-4, 1e-4, 1e-5
MOST_APART, MOST_MEAN = 1e-4, 1e-6


class Different(Exception):
    """The programs disagree; the message says where."""


def output(*command):
    """A program's output."""
    try:
        done = subprocess.run(
            [str(part) for part in command], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
        )
    except OSError as error:
        raise Invalid(f"cannot run '{command[0]}': {error.strerror}") from None
    if done.returncode:
        raise Invalid(f"'{' '.join(map(str, command))}' ended with status {done.returncode}")
    return done.stdout


def values(tools, network, positions):
    """Compares the value of every position. Returns their number."""
    loaded, records = Network.open(network), open_positions(positions)
    printed = output(tools, "data", "evaluate", positions, "--network", network).split()
    expected = np.array(printed, np.int64)
    if len(expected) != len(records):
        raise Different(f"{len(records)} positions, and {len(expected)} values printed")
    # Each position takes the weights of up to 64 inputs.
    chunk = max((1 << 21) // loaded.architecture.hidden, 1)
    for start in range(0, len(records), chunk):
        found = loaded.evaluate(decode(records[start : start + chunk], loaded.architecture))
        wrong = np.flatnonzero(found != expected[start : start + chunk])
        if len(wrong):
            at = start + wrong[0]
            raise Different(
                f"position {at + 1}: {found[wrong[0]]} here, {expected[at]} of bartizan-tools; "
                f"{len(wrong)} of {len(found)} differ"
            )
    return len(records)


def training(tools, positions, shape, device="cpu"):
    """Compares initial weights, the gradient, weights after some steps and the network. Returns a summary line."""
    import model
    import torch

    records = open_positions(positions)[: STEPS * BATCH]
    if len(records) < STEPS * BATCH:
        raise Invalid(f"'{positions}' has {len(records)} positions, {STEPS * BATCH} needed")
    hidden, king_buckets, outputs, *is_grown = shape
    device = torch.device(device)
    architecture = Architecture(hidden, tuple(KING_BUCKETS[king_buckets]), outputs)
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data")
        with open(data, "wb") as file:
            file.write(MAGIC + records.tobytes())
        common = f"--data {data} --epochs 1 --seed 5 --threads 1 --json".split()

        def train(name, program, *more):
            """Trains an epoch; returns its report and the checkpoint."""
            out = os.path.join(folder, name)
            report = output(*program, "--out", out, *common, *more)
            return report, Checkpoint.open(f"{out}.train")

        rust = (tools, "train")
        start, terms = first_weights(architecture, 5), None
        twin = (sys.executable, os.path.join(os.path.dirname(__file__), "train.py"), "--device", device.type)
        if is_grown:
            train("small", rust, "--hidden", hidden // 2)
            small = Network.open(os.path.join(folder, "small"))
            start = grown(small.parameters(), small.architecture, architecture, 5)
            terms = terms_of(tools, data, len(records))
            common += ["--start", os.path.join(folder, "small"), "--with-terms", "--factorised"]
            twin += ("--tools", tools)
        common += f"--hidden {hidden} --king-buckets {king_buckets} --output-buckets {outputs}".split()

        # A step that moves no weight shows the initial weights; the average of gradients is then a tenth of the
        # gradient.
        tiny = "0." + 29 * "0" + "1"
        _, checkpoint = train("still", rust, "--batch", len(records), "--rate", tiny, "--final-rate", tiny)
        if is_grown:
            start.append(np.zeros(factor_shape(architecture), np.float32))
        # Parts are subtracted from the weights and added again, which rounds.
        most = 1e-7 if is_grown else 1e-28
        if not all(np.abs(ours - theirs).max() < most for ours, theirs in zip(start, checkpoint.parameters)):
            raise Different(f"{shape}: other first weights")
        trainer = model.Trainer(start, 0.01, device)
        trainer.step(model.Reader(architecture, 0.7, 400, device).examples(records, terms), 1e-30)
        slopes = zip(trainer.numbers()[1], checkpoint.first)
        gradient = max(np.abs(ours - theirs).max() / np.abs(theirs).max() for ours, theirs in slopes)
        if not gradient < MOST_GRADIENT:
            raise Different(f"{shape}: gradients differ by {gradient:.1e} of their largest part")

        steps = ("--batch", BATCH, "--rate", "0.01")
        (ours, mine), (theirs, checkpoint) = train("twin", twin, *steps), train("rust", rust, *steps)
        loss = abs(json.loads(ours)["train"] / json.loads(theirs)["train"] - 1)
        weight = max(np.abs(one - other).max() for one, other in zip(mine.parameters, checkpoint.parameters))
        mean = np.mean(np.abs(mine.parameters[0] - checkpoint.parameters[0]))
        differences = [np.abs(one - other) for one, other in zip(mine.parameters, checkpoint.parameters)]
        apart = sum((part >= MOST_WEIGHT).sum() for part in differences) / sum(part.size for part in differences)
        if not (apart < MOST_APART and mean < MOST_MEAN and loss < MOST_LOSS):
            what = f"weights differ by {weight:.1e}, {mean:.1e} on average, and losses by {loss:.1e}"
            raise Different(f"{shape}: after {STEPS} steps {what}")

        # Rust reads the twin's checkpoint, which has no epoch left, and writes the network again.
        network = Network.open(os.path.join(folder, "twin"))
        train("twin", rust, *steps, "--resume")
        again = Network.open(os.path.join(folder, "twin"))
        same = all(np.array_equal(one, other) for one, other in zip(network.weights, again.weights))
        if not same or network.data != again.data or not again.command.startswith("bartizan-tools"):
            raise Different(f"{shape}: other networks of the same weights")
    return (
        f"{', '.join([f'{hidden} hidden neurons, {king_buckets} king buckets, {outputs} output buckets', *is_grown])}: "
        "the same first weights; "
        f"gradients within {gradient:.1e}; after {STEPS} steps weights within {weight:.1e}, {mean:.1e} on average, "
        f"losses within {loss:.1e}; the same network of them"
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser(
        "values", help="evaluate positions in integers, each as `bartizan-tools data evaluate` does"
    )
    add.add_argument("network", metavar="NETWORK", help="network file")
    add.add_argument("positions", metavar="POSITIONS", help="file of positions")
    other = commands.add_parser("training", help="first weights, gradients and steps of both trainers (needs PyTorch)")
    other.add_argument("positions", metavar="POSITIONS", help=f"file of {STEPS * BATCH} positions or more")
    other.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="of this trainer [default: cpu]")
    for command in (add, other):
        command.add_argument(
            "--tools", metavar="PROGRAM", default="bartizan-tools", help="bartizan-tools [default: on the path]"
        )
    args = parser.parse_args()
    try:
        if args.command == "values":
            print(f"{values(args.tools, args.network, args.positions)} positions, the same value of each")
        else:
            for shape in SHAPES:
                print(training(args.tools, args.positions, shape, args.device), flush=True)
    except (Different, Invalid) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
