#!/usr/bin/env python3
"""Trains a network on positions with PyTorch, as `bartizan-tools train` does, on a GPU if there is one."""

import argparse
import hashlib
import json
import math
import os
import signal
import subprocess
import sys
import time

import numpy as np

from architecture import KING_BUCKETS, Architecture, Invalid, factor_shape, first_weights, grown
from checkpoint import Checkpoint
from network import Network, Quantisation, quantise, replace
from positions import PHASES, open_positions

EXAMPLE = """\
Each epoch reads the data in file order, so shuffle it first. Ctrl-C writes a checkpoint, from which --resume continues.
The checkpoints of `bartizan-tools train` can be resumed here, and vice versa.

example:
  python3 train/train.py --data shuffled.pos --validation held.pos --epochs 20 --out network.bin"""

# Seconds between two checkpoints within an epoch.
CHECKPOINT_INTERVAL = 300

# Positions per validation step.
VALIDATION_CHUNK = 16384

# Values of the hand-written terms read at a time.
TERMS_CHUNK = 1 << 20

INTERRUPTED = 130


def number(kind, least, most, above=False):
    """A type of argument: a number from `least` to `most`, or above `least`."""

    def parse(text):
        value = kind(text)
        if not least <= value <= most or above and value == least:
            raise argparse.ArgumentTypeError(f"must be {'above' if above else 'from'} {least} to {most}")
        return value

    parse.__name__ = "number"
    return parse


def cores(text):
    """A type of argument: a number of threads, or 'auto' for one per core."""
    if text != "auto":
        return number(int, 1, 1024)(text)
    # Only Linux and a few other systems report which cores this process may use.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def parse(arguments):
    """The arguments: those of `bartizan-tools train` except --plot, and --device and --tools."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    share = number(float, 0, 1)
    rate = number(float, 0, 1, above=True)
    add = parser.add_argument
    add("--data", metavar="POSITIONS", required=True, help="training positions, from `data shuffle`")
    add("--validation", metavar="POSITIONS", help="validation positions, from `data filter`")
    add("--out", metavar="FILE", required=True, help="file for the network")
    add("--checkpoint", metavar="FILE", help="checkpoint file [default: the --out file name with .train appended]")
    add(
        "--resume",
        action="store_true",
        help="continue from the checkpoint with the same settings; only --epochs may differ",
    )
    add(
        "--start",
        metavar="NETWORK",
        help="network to start from instead of random weights, with the same --scale. It may have fewer neurons, and "
        "one bucket where the options ask for several; it is then enlarged without a change of its output",
    )
    add(
        "--with-terms",
        action="store_true",
        help="train for the mean of the network and the hand-written terms, which the engine plays with ('Evaluation' "
        "combined). 'bartizan-tools data evaluate' computes the terms",
    )
    add(
        "--factorised",
        action="store_true",
        help="share a part of the weights of a piece among the squares of each rank and of each file, so that "
        "squares learn from each other",
    )
    add(
        "--tools",
        metavar="PROGRAM",
        default="bartizan-tools",
        help="bartizan-tools, for --with-terms [default: on the path]",
    )
    add("--device", choices=["auto", "cpu", "cuda"], default="auto", help="'auto' is the GPU if there is one")
    add("--json", action="store_true", help="print a JSON object for each epoch, and no progress")
    plan = []

    def setting(option, unit, kind, default, text, **more):
        plan.append(add(option, metavar=unit, type=kind, default=default, help=text, **more))

    buckets = {"choices": list(KING_BUCKETS)}
    setting("--hidden", "N", int, 128, "hidden neurons for each side, a multiple of 32")
    setting("--king-buckets", "N", int, 1, "buckets of king squares, each with separate weights", **buckets)
    setting("--output-buckets", "N", int, 1, "buckets by the number of men, each with a separate output")
    setting("--epochs", "N", number(int, 0, 1 << 32), 10, "number of passes over all positions")
    setting("--batch", "POSITIONS", number(int, 1, 1 << 24), 16384, "positions per step")
    setting(
        "--rate", "RATE", rate, 0.001, "learning rate of the first step; it falls to --final-rate along half a cosine"
    )
    setting("--final-rate", "RATE", rate, 0.00001, "learning rate of the last step")
    setting("--lambda", "SHARE", share, 1.0, "weight of the score in the target; the rest is that of the result")
    unit = "internal centipawns for which the expected result is 73 %%: the unit of the network's output"
    setting("--scale", "CENTIPAWNS", number(int, 50, 2000), 400, unit)
    text = "share of the hidden values that are dropped at random for each training position"
    setting("--dropout", "SHARE", number(float, 0, 0.9), 0.0, text)
    setting("--weight-decay", "SHARE", share, 0.01, "share of the weights, times the rate, that each step subtracts")
    setting("--seed", "N", number(int, 0, (1 << 64) - 1), 1, "seed of the initial weights")
    setting("--threads", "N", cores, "auto", "number of threads; 'auto' is one per core")
    args = parser.parse_args(arguments)
    args.plan = {argument.dest: getattr(args, argument.dest) for argument in plan}
    args.plan |= {"with_terms": args.with_terms, "factorised": args.factorised, "start_digest": None}
    args.checkpoint = args.checkpoint or f"{args.out}.train"
    return args


def learning_rate(plan, step, steps):
    """The learning rate of a step, counted from 0."""
    share = (1 + math.cos(math.pi * min(step / max(steps - 1, 1), 1))) / 2
    return plan["final_rate"] + (plan["rate"] - plan["final_rate"]) * share


def command(plan, changes, device):
    """The command that trains with these settings, and the numbers of epochs that were given on resuming."""

    def shown(value):
        return np.format_float_positional(np.float32(value), trim="-") if isinstance(value, float) else value

    plan = dict(plan)
    with_terms, factorised, start = (plan.pop(name) for name in ("with_terms", "factorised", "start_digest"))
    dropout = plan.pop("dropout")
    options = " ".join(f"--{name.replace('_', '-')} {shown(value)}" for name, value in plan.items())
    options += (" --with-terms" if with_terms else "") + (f" --dropout {shown(dropout)}" if dropout else "")
    options += (" --factorised" if factorised else "") + (f" --start {start}" if start else "")
    later = "".join(f", after {change['done']} --epochs {change['epochs']}" for change in changes)
    return f"python3 train/train.py {options} --device {device.type}{later}"


def check_outputs(args):
    """Rejects two outputs to the same file, or an output over an input."""
    out, checkpoint = (os.path.realpath(path) for path in (args.out, args.checkpoint))
    if out == checkpoint:
        raise Invalid(f"'{args.checkpoint}' is given for two outputs: choose different files")
    inputs = [os.path.realpath(path) for path in (args.data, args.validation, args.start) if path]
    for path, real in ((args.out, out), (args.checkpoint, checkpoint)):
        if real in inputs:
            raise Invalid(f"'{path}' is an input and would be overwritten: choose another output file")


def plan_epochs(state, epochs):
    """Records a new number of epochs in the state of a resumed training."""
    done, changes = len(state["history"]), state.setdefault("changes", [])
    if epochs < done:
        raise Invalid(f"{done} epochs are done, more than --epochs {epochs}")
    if epochs != (changes[-1] if changes else state["plan"])["epochs"]:
        changes.append({"done": done, "epochs": epochs})


def line(epoch):
    """The report of an epoch."""
    text = f"epoch {epoch['epoch']:>3}  loss {epoch['train']:.6f}"
    if epoch["validation"] is not None:
        shown = ("–" if loss is None else f"{loss:.6f}" for loss in epoch["phases"])
        phases = ", ".join(f"{name} {loss}" for (name, _), loss in zip(PHASES, shown))
        text += f"  validation {epoch['validation']:.6f} ({phases})"
    return text + f"  rate {epoch['rate']:.6f}  {epoch['positions_per_second']:.0f} positions/s"


def signals():
    """The signals that stop training. Windows has no SIGHUP."""
    return [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


# Signals within this many seconds count as one: `timeout` and shells send two.
SAME_REQUEST = 0.5


class Interrupt:
    """Ctrl-C, SIGTERM and SIGHUP: the first one stops training after the current step, a later one at once."""

    def __init__(self):
        self.is_set = False
        self.since = None
        for name in signals():
            signal.signal(name, self.handle)

    def handle(self, *_):
        now = time.monotonic()
        if self.is_set and now - self.since >= SAME_REQUEST:
            os._exit(INTERRUPTED)
        if not self.is_set:
            self.is_set, self.since = True, now


class Interrupted(Exception):
    """The training was interrupted before its first step."""


def terms(tools, path, count):
    """The hand-written terms of the positions of a file, in internal centipawns for the side to move."""
    values, found = np.empty(count, np.int16), 0
    command = [tools, "data", "evaluate", path, "--evaluation", "classical"]
    cannot = f"cannot compute the terms of '{path}'"
    try:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
            # TERMS_CHUNK lines have about this many bytes.
            while lines := process.stdout.readlines(5 * TERMS_CHUNK):
                chunk = np.array(lines).astype(np.int16)
                if found + len(chunk) <= count:
                    values[found : found + len(chunk)] = chunk
                found += len(chunk)
    except OSError as error:
        raise Invalid(f"{cannot}: cannot run '{tools}': {error.strerror}") from None
    except (ValueError, OverflowError):
        raise Invalid(f"{cannot}: '{tools}' does not print numbers") from None
    if process.returncode:
        raise Invalid(f"{cannot}: '{tools}' ended with status {process.returncode}")
    if found != count:
        raise Invalid(f"{cannot}: '{tools}' printed {found} values, {count} expected")
    return values


class Training:
    """A training run: its data, its model and its progress."""

    def __init__(self, args):
        check_outputs(args)
        # PyTorch takes seconds to load; invalid arguments should fail before.
        import model
        import torch

        self.args, self.plan, self.interrupt = args, args.plan, Interrupt()
        self.data = open_positions(args.data)
        self.validation = open_positions(args.validation) if args.validation else None
        for path, records in ((args.validation, self.validation), (args.data, self.data)):
            if records is not None and not len(records):
                raise Invalid(f"'{path}' has no positions")
        with open(args.data, "rb") as file:
            self.hash = hashlib.file_digest(file, "sha256")
        self.model = model
        has_gpu = torch.cuda.is_available()
        if args.device == "cuda" and not has_gpu:
            raise Invalid("no GPU for --device cuda")
        self.device = torch.device("cuda" if has_gpu and args.device != "cpu" else "cpu")
        torch.set_num_threads(self.plan["threads"])
        self.first_network = self.begin_with() if args.start else None
        self.start() if not args.resume else self.resume()
        self.reader = model.Reader(self.architecture, self.plan["lambda"], self.plan["scale"], self.device)
        self.terms = [self.terms_of(args.data, self.data), self.terms_of(args.validation, self.validation)]
        self.steps = -(-len(self.data) // self.plan["batch"]) * self.plan["epochs"]

    def begin_with(self):
        """Reads the network of --start and records its digest."""
        path, network = self.args.start, Network.open(self.args.start)
        scale = network.quantisation.scale
        if scale != self.plan["scale"]:
            raise Invalid(f"cannot start from '{path}': its --scale is {scale}, not {self.plan['scale']}")
        with open(path, "rb") as file:
            self.plan["start_digest"] = hashlib.file_digest(file, "sha256").hexdigest()
        return network

    def terms_of(self, path, records):
        """The terms of a position file, if training is for the mean with them."""
        if records is None or not self.plan["with_terms"]:
            return None
        if self.interrupt.is_set:
            raise Interrupted
        try:
            return terms(self.args.tools, path, len(records))
        except Invalid:
            # Ctrl-C also stops the tools, which then fail.
            if self.interrupt.is_set:
                raise Interrupted from None
            raise

    def start(self):
        """Begins a training."""
        if os.path.exists(self.args.checkpoint):
            raise Invalid(
                f"'{self.args.checkpoint}' exists from another training: continue it with --resume, or remove it"
            )
        plan = self.plan
        king_buckets = tuple(KING_BUCKETS[plan["king_buckets"]])
        self.architecture = Architecture(plan["hidden"], king_buckets, plan["output_buckets"])
        if self.first_network is None:
            parameters = first_weights(self.architecture, plan["seed"])
        else:
            try:
                small = self.first_network
                parameters = grown(small.parameters(), small.architecture, self.architecture, plan["seed"])
            except Invalid as error:
                raise Invalid(f"cannot start from '{self.args.start}': {error}") from None
        if plan["factorised"]:
            parameters.append(np.zeros(factor_shape(self.architecture), np.float32))
        self.trainer = self.model.Trainer(parameters, plan["weight_decay"], self.device, plan["dropout"])
        self.state = {
            "plan": plan,
            "changes": [],
            "data": self.hash.hexdigest(),
            "batches": 0,
            "loss": {"sum": 0.0, "count": 0},
            "history": [],
        }

    def resume(self):
        """Resumes the training of the checkpoint."""
        cannot_resume = f"cannot resume from '{self.args.checkpoint}'"
        checkpoint = Checkpoint.open(self.args.checkpoint)
        self.architecture, self.state = checkpoint.architecture, checkpoint.state
        for name, value in self.plan.items():
            other = self.state["plan"].get(name)
            # The Rust trainer stores fractions in single precision.
            is_same = np.float32(other) == np.float32(value) if isinstance(value, float) else other == value
            if name != "epochs" and not is_same:
                option = name.removesuffix("_digest").replace("_", "-")
                raise Invalid(f"{cannot_resume}: it was trained with another --{option}")
        try:
            plan_epochs(self.state, self.plan["epochs"])
        except Invalid as error:
            raise Invalid(f"{cannot_resume}: {error}") from None
        if self.state["data"] != self.hash.hexdigest():
            raise Invalid(f"{cannot_resume}: '{self.args.data}' is not the data of that training")
        plan = self.plan
        self.trainer = self.model.Trainer(checkpoint.parameters, plan["weight_decay"], self.device, plan["dropout"])
        self.trainer.restore(checkpoint.steps, checkpoint.first, checkpoint.second)

    def save(self):
        """Writes a checkpoint."""
        numbers = self.trainer.numbers()
        checkpoint = Checkpoint(self.architecture, self.state, self.trainer.steps, *numbers)
        replace(self.args.checkpoint, checkpoint.to_bytes())

    def run(self):
        """Trains to the end, and writes the network. Returns the exit code."""
        while len(self.state["history"]) < self.plan["epochs"]:
            if not self.epoch():
                self.save()
                print("interrupted: continue with --resume", file=sys.stderr)
                return INTERRUPTED
            self.save()
            epoch = self.state["history"][-1]
            print(json.dumps(epoch) if self.args.json else line(epoch), flush=True)
        quantisation = Quantisation(scale=self.plan["scale"])
        # The command lists later numbers of epochs after the original one.
        plan = self.plan | {"epochs": self.state["plan"]["epochs"]}
        origin = (self.hash.digest(), command(plan, self.state["changes"], self.device))
        network = quantise(self.architecture, self.trainer.numbers()[0][:4], quantisation, *origin)
        replace(self.args.out, network.to_bytes())
        if not self.args.json:
            print(f"{self.args.out}: {self.architecture.inputs} inputs, {self.architecture.hidden} hidden neurons")
        return 0

    def batches(self, path, records, terms, size, first=0):
        """Batches on the device."""
        for number in range(first, -(-len(records) // size)):
            part = slice(number * size, (number + 1) * size)
            try:
                yield self.reader.examples(records[part], None if terms is None else terms[part])
            except Invalid as error:
                raise Invalid(f"cannot read '{path}': batch {number + 1} has {error}") from None

    def epoch(self):
        """Trains with all positions, or the rest of them, and validates. Returns False if interrupted."""
        plan, state, trainer = self.plan, self.state, self.trainer
        begin = saved = shown = time.monotonic()
        before = state["loss"]["count"]
        # The sum of losses stays on the device: fetching it at each step would stall the pipeline.
        total = state["loss"]["sum"]
        for examples in self.batches(self.args.data, self.data, self.terms[0], plan["batch"], state["batches"]):
            total = total + trainer.step(examples, learning_rate(plan, trainer.steps, self.steps))
            state["batches"] += 1
            state["loss"]["count"] += len(examples.target)
            now = time.monotonic()
            is_due = now - saved > CHECKPOINT_INTERVAL
            if self.interrupt.is_set or is_due:
                state["loss"]["sum"] = float(total)
            if self.interrupt.is_set:
                return False
            if is_due:
                self.save()
                saved = now
            if now - shown > 1 and sys.stderr.isatty() and not self.args.json:
                done, shown = state["loss"]["count"], now
                print(
                    f"epoch {len(state['history']) + 1}/{plan['epochs']}  {done}/{len(self.data)}  "
                    f"loss {float(total) / done:.6f}",
                    end="\r",
                    file=sys.stderr,
                )
        losses = self.validate()
        train = float(total) / state["loss"]["count"]
        if not math.isfinite(train):
            raise Invalid("the training has failed: the loss is not finite")
        state["history"].append(
            {
                "epoch": len(state["history"]) + 1,
                "train": train,
                "validation": losses and losses[0],
                "phases": losses and losses[1],
                "rate": float(np.float32(learning_rate(plan, trainer.steps - 1, self.steps))),
                "positions_per_second": (state["loss"]["count"] - before) / (time.monotonic() - begin),
            }
        )
        state["batches"], state["loss"] = 0, {"sum": 0.0, "count": 0}
        return True

    def validate(self):
        """The mean validation loss, in total and for each phase; None for a phase without positions."""
        if self.validation is None:
            return None
        sums, counts = np.zeros(len(PHASES)), np.zeros(len(PHASES), np.int64)
        for examples in self.batches(self.args.validation, self.validation, self.terms[1], VALIDATION_CHUNK):
            losses, positions = self.trainer.loss(examples)
            sums, counts = sums + losses, counts + positions
        phases = [float(loss / count) if count else None for loss, count in zip(sums, counts)]
        return float(sums.sum() / counts.sum()), phases


def main():
    args = parse(sys.argv[1:])
    try:
        return Training(args).run()
    except Interrupted:
        print("interrupted before the first step: nothing was written", file=sys.stderr)
        return INTERRUPTED
    except Invalid as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
