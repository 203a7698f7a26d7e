"""Training steps. Needs PyTorch; without it, every test is skipped with a message."""

import contextlib
import hashlib
import io
import json
import os
import signal
import stat
import tempfile
import unittest

import numpy as np

import train
from architecture import KING_BUCKETS, Architecture, Invalid, first_weights
from checkpoint import Checkpoint
from network import Network, Quantisation, quantise
from positions import MAGIC, decode, open_positions
from test_positions import FENS, pack

try:
    import torch

    import model
except ImportError:
    torch = None

SHAPE = Architecture(32, tuple(KING_BUCKETS[4]), 8)


def records(count):
    """Positions with scores that a network can learn."""
    scores = [0, 150, -30, 60, 250, 900, -900]
    return np.array([pack(FENS[number % 7], scores[number % 7], 1) for number in range(count)])


@unittest.skipIf(torch is None, "SKIPPED: PyTorch is not installed: pip install -r train/requirements.txt")
class Steps(unittest.TestCase):
    def setUp(self):
        torch.set_num_threads(1)
        self.device = torch.device("cpu")

    def trainer(self, weights=None):
        return model.Trainer(weights or first_weights(SHAPE, 3), 0.01, self.device)

    def examples(self, count=700, score_weight=1.0):
        return model.Reader(SHAPE, score_weight, 400, self.device).examples(records(count))

    def test_outputs_are_those_of_the_integers(self):
        weights = first_weights(SHAPE, 3)
        weights[0] *= 6
        weights[3] += np.linspace(-1, 1, 8, dtype=np.float32)
        with torch.no_grad():
            floats = self.trainer(weights).model(self.examples(7)).numpy() * 400
        # The output weights are small enough for a finer unit than the usual one.
        network = quantise(SHAPE, weights, Quantisation(255, 1000, 400), bytes(32), "")
        integers = network.evaluate(decode(records(7), SHAPE))
        self.assertGreater(np.ptp(floats), 100)
        np.testing.assert_allclose(floats, integers, atol=3)

    def test_a_step_is_that_of_adam_with_decoupled_decay(self):
        trainer = self.trainer()
        examples = self.examples()
        errors = (torch.sigmoid(trainer.model(examples)) - examples.target).square()
        self.assertAlmostEqual(float(trainer.step(examples, 0.01)), float(errors.detach().sum()), 4)
        parameters, first, second = trainer.numbers()
        for start, now, mean, square in zip(first_weights(SHAPE, 3), parameters, first, second):
            gradient = mean / 0.1
            np.testing.assert_allclose(square, 0.001 * gradient**2, rtol=1e-4, atol=1e-12)
            expected = start - 0.01 * (gradient / (np.abs(gradient) + 1e-8) + 0.01 * start)
            np.testing.assert_allclose(now, expected, atol=1e-6)

    def test_weights_are_clipped_except_biases_of_the_outputs(self):
        trainer = self.trainer()
        for _ in range(3):
            trainer.step(self.examples(), 5.0)
        most = [np.abs(weights).max() for weights in trainer.numbers()[0]]
        np.testing.assert_allclose(most[:3], 1.98)
        self.assertGreater(most[3], 2)

    def test_the_positions_are_learnt_and_losses_are_those_of_the_phases(self):
        trainer = self.trainer()
        examples = self.examples()
        before, counts = trainer.loss(examples)
        self.assertEqual(counts.tolist(), [400, 0, 300])
        self.assertAlmostEqual(before.sum(), float(trainer.step(examples, 0.01)), 3)
        for _ in range(150):
            trainer.step(examples, 0.01)
        self.assertLess(trainer.loss(examples)[0].sum(), before.sum() / 50)

    def test_a_restored_trainer_continues_with_the_same_numbers(self):
        trainer = self.trainer()
        for _ in range(3):
            trainer.step(self.examples(), 0.01)
        parameters, first, second = trainer.numbers()
        restored = self.trainer([weights.copy() for weights in parameters])
        restored.restore(3, [mean.copy() for mean in first], [square.copy() for square in second])
        for one in (trainer, restored):
            for _ in range(3):
                one.step(self.examples(), 0.01)
        for one, other in zip(trainer.numbers(), restored.numbers()):
            for weights, others in zip(one, other):
                np.testing.assert_array_equal(weights, others)

    def test_squares_share_parts(self):
        parts = np.zeros((192, 32), np.float32)
        parts[16 * 7 + 2], parts[16 * 7 + 8 + 5] = 0.25, 0.5
        weights = first_weights(SHAPE, 3)
        trainer = model.Trainer([*weights, parts], 0.01, self.device)
        np.testing.assert_allclose(trainer.numbers()[0][0], weights[0], atol=1e-7)
        own = trainer.model.input.detach().numpy()
        for kind, square, expected in ((7, 21, 0.75), (7, 17, 0.25), (7, 5, 0.5), (7, 0, 0), (6, 21, 0)):
            for bucket in range(4):
                at = 768 * bucket + 64 * kind + square
                np.testing.assert_allclose(weights[0][at] - own[at], expected, atol=1e-6)
        # No knight stands on c1; its weight moves with those of the rank.
        trainer.step(self.examples(), 0.01)
        unused = 64 * 1 + 2
        moved = trainer.numbers()[0][0][unused] - weights[0][unused]
        self.assertGreater(np.abs(moved).max(), 0.005)
        for _ in range(300):
            trainer.step(self.examples(), 0.05)
        self.assertLessEqual(np.abs(trainer.numbers()[0][0]).max(), 1.98 + 1e-6)

    def test_dropout_is_for_training_alone(self):
        trainer = model.Trainer(first_weights(SHAPE, 3), 0.01, self.device, 0.25)
        examples = self.examples()
        for _ in range(100):
            trainer.step(examples, 0.01)
        losses = [trainer.loss(examples)[0].sum() for _ in range(2)]
        self.assertEqual(*losses)
        self.assertGreater(float(trainer.step(examples, 1e-9)), 1.1 * losses[0])

    def test_positions_are_read_on_a_gpu_as_on_a_processor(self):
        some = records(700)
        some["result"] = np.arange(700) % 4
        for kings, outputs in ((4, 8), (1, 3), (8, 1)):
            architecture = Architecture(32, tuple(KING_BUCKETS[kings]), outputs)
            reader = model.Reader(architecture, 0.7, 400, self.device)
            decoded, looked_up = reader.examples(some), reader._looked_up(some)
            rows = torch.zeros_like(looked_up.inputs)
            ends = [*decoded.starts[1:].tolist(), len(decoded.inputs)]
            for row, start, end in zip(rows, decoded.starts.tolist(), ends):
                row[decoded.inputs[start:end].long()] = 1
            self.assertTrue(torch.equal(looked_up.inputs, rows))
            torch.testing.assert_close(looked_up.target, decoded.target, atol=1e-6, rtol=0)
            for one, other in ((looked_up.bucket, decoded.bucket), (looked_up.phase, decoded.phase)):
                self.assertTrue(torch.equal(one, other))
            trainer = model.Trainer(first_weights(architecture, 3), 0.01, self.device)
            torch.testing.assert_close(trainer.model(looked_up), trainer.model(decoded), atol=1e-6, rtol=1e-5)

    def test_records_that_are_no_positions_are_refused_on_a_gpu(self):
        reader = model.Reader(SHAPE, 1.0, 400, self.device)
        for change in (
            lambda record: record["codes"].fill(0),
            lambda record: record["codes"].fill(0xFF),
            lambda record: record.__setitem__("occupied", (1 << 64) - 1),
            lambda record: record.__setitem__("occupied", 0),
        ):
            some = records(7)
            change(some[2])
            for read in (reader._looked_up, reader.examples):
                with self.assertRaisesRegex(Invalid, "^1 records that are no positions"):
                    read(some)

    def test_the_network_learns_what_the_terms_lack(self):
        reader, some = model.Reader(SHAPE, 1.0, 400, self.device), records(700)
        without, with_terms = reader.examples(some), reader.examples(some, some["score"] + np.int16(80))
        trainer = self.trainer()
        outputs = trainer.model(without).detach()
        mean = (outputs + (torch.tensor(some["score"]) + 80) / 400) / 2
        torch.testing.assert_close(trainer.model(with_terms).detach(), mean)
        for _ in range(300):
            trainer.step(with_terms, 0.01)
        self.assertLess(trainer.loss(with_terms)[0].sum() / 700, 1e-4)
        # The terms give 80 more than the score, so the network must give 80 less.
        difference = trainer.model(without).detach() - torch.tensor(some["score"]) / 400
        self.assertLess((difference + 0.2).abs().mean(), 0.05)

    @unittest.skipUnless(torch and torch.cuda.is_available(), "SKIPPED: PyTorch sees no GPU")
    def test_a_gpu_takes_the_steps_of_a_processor(self):
        losses = []
        for device in (torch.device("cpu"), torch.device("cuda")):
            reader = model.Reader(SHAPE, 0.7, 400, device)
            trainer = model.Trainer(first_weights(SHAPE, 3), 0.01, device)
            some = records(700)
            steps = [float(trainer.step(reader.examples(some, some["score"]), 0.003)) for _ in range(40)]
            losses.append(steps + trainer.loss(reader.examples(some, some["score"]))[0].tolist())
        np.testing.assert_allclose(losses[0], losses[1], rtol=1e-3, atol=1e-4)
        self.assertLess(losses[0][39], losses[0][0] / 2)


@unittest.skipIf(torch is None, "SKIPPED: PyTorch is not installed: pip install -r train/requirements.txt")
class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name in train.signals():
            self.addCleanup(signal.signal, name, signal.getsignal(name))
        self.folder = folder.name
        self.data = self.file("data")
        with open(self.data, "wb") as file:
            file.write(MAGIC + records(1000).tobytes())

    def file(self, name):
        return os.path.join(self.folder, name)

    def network(self, name, hidden):
        shape = Architecture(hidden, tuple(KING_BUCKETS[1]), 1)
        path = self.file(name)
        with open(path, "wb") as file:
            file.write(quantise(shape, first_weights(shape, 9), Quantisation(), bytes(32), "").to_bytes())
        return path

    def tools(self, script):
        """A program in place of bartizan-tools."""
        path = self.file("tools")
        with open(path, "w") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod(path, stat.S_IRWXU)
        return path

    def training(self, out, *more):
        return train.Training(
            train.parse(
                [
                    "--data",
                    self.data,
                    "--validation",
                    self.data,
                    "--out",
                    self.file(out),
                    "--device",
                    "cpu",
                    "--threads",
                    "1",
                    "--hidden",
                    "32",
                    "--batch",
                    "300",
                    "--epochs",
                    "2",
                    "--rate",
                    "0.01",
                    "--json",
                    *more,
                ]
            )
        )

    def run_training(self, training):
        """The exit code and what was printed."""
        with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.redirect_stderr(io.StringIO()):
            code = training.run()
        return code, [json.loads(line) for line in printed.getvalue().splitlines()]

    def test_an_interrupted_training_gives_the_same_network(self):
        code, epochs = self.run_training(self.training("whole", "--factorised"))
        self.assertEqual((code, [epoch["epoch"] for epoch in epochs]), (0, [1, 2]))
        self.assertLess(epochs[1]["validation"], epochs[0]["validation"])
        self.assertAlmostEqual(epochs[1]["rate"], 0.00001)
        self.assertIsNone(epochs[1]["phases"][1])

        training = self.training("resumed", "--factorised")
        signal.raise_signal(signal.SIGTERM)
        self.assertEqual(self.run_training(training), (train.INTERRUPTED, []))
        self.assertEqual((training.trainer.steps, training.state["batches"]), (1, 1))
        self.assertFalse(os.path.exists(self.file("resumed")))
        code, again = self.run_training(self.training("resumed", "--factorised", "--resume"))
        self.assertEqual(code, 0)
        for one, other in zip(epochs, again):
            for report in (one, other):
                del report["positions_per_second"]
            self.assertEqual(one, other)
        with open(self.file("whole"), "rb") as one, open(self.file("resumed"), "rb") as other:
            self.assertEqual(one.read(), other.read())
        self.run_training(self.training("resumed", "--factorised", "--resume", "--epochs", "3"))
        self.assertTrue(Network.open(self.file("resumed")).command.endswith("--device cpu, after 2 --epochs 3"))
        network = Network.open(self.file("whole"))
        self.assertIn(
            "--hidden 32 --king-buckets 1 --output-buckets 1 --epochs 2 --batch 300 --rate 0.01 --final-rate 0.00001 "
            "--lambda 1 --scale 400 --weight-decay 0.01 --seed 1 --threads 1 --factorised --device cpu",
            network.command,
        )

    def test_a_training_begins_with_a_network(self):
        start = self.network("start", 32)
        training = self.training("out", "--start", start, "--hidden", "64", "--output-buckets", "8")
        small, records_of_all = Network.open(start), open_positions(self.data)
        some = training.reader.examples(records_of_all)
        reader = model.Reader(small.architecture, 0.7, 400, training.device)
        before = model.Trainer(small.parameters(), 0.01, training.device)
        torch.testing.assert_close(training.trainer.model(some), before.model(reader.examples(records_of_all)))
        self.assertEqual(self.run_training(training)[0], 0)
        with open(start, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        self.assertTrue(Network.open(self.file("out")).command.endswith(f"--start {digest} --device cpu"))

    def test_terms_come_from_bartizan_tools(self):
        tools = self.tools("[ \"$*\" = \"data evaluate $3 --evaluation classical\" ] && seq -300 699")
        training = self.training("out", "--with-terms", "--tools", tools)
        for values in training.terms:
            self.assertEqual(values.tolist(), list(range(-300, 700)))
        code, epochs = self.run_training(training)
        self.assertEqual((code, len(epochs)), (0, 2))
        self.assertTrue(Network.open(self.file("out")).command.endswith("--with-terms --device cpu"))
        checkpoint = Checkpoint.open(self.file("out.train"))
        self.assertTrue(checkpoint.state["plan"]["with_terms"])
        with self.assertRaisesRegex(Invalid, "another --with-terms"):
            self.training("out", "--resume")
        self.training("out", "--resume", "--with-terms", "--tools", tools)

    def test_what_is_wrong_with_the_terms_is_named(self):
        for script, message in [
            ("seq 999", "printed 999 values, 1000 expected"),
            ("seq 1000; echo 1", "printed 1001 values, 1000 expected"),
            ("echo what", "does not print numbers"),
            ("seq 40001 41000", "does not print numbers"),
            ("seq 1000; exit 3", "ended with status 3"),
        ]:
            with self.assertRaisesRegex(Invalid, f"cannot compute the terms of '{self.data}': .*{message}"):
                self.training("out", "--with-terms", "--tools", self.tools(script))
        with self.assertRaisesRegex(Invalid, "cannot run '/no/such/tools': No such file"):
            self.training("out", "--with-terms", "--tools", "/no/such/tools")
        with self.assertRaises(train.Interrupted):
            self.training("out", "--with-terms", "--tools", self.tools("kill -INT $PPID; exit 130"))
        self.assertFalse(os.path.exists(self.file("out.train")))

    def test_wrong_files_and_settings_are_named(self):
        self.run_training(self.training("out"))
        for more, message in [
            ([], "continue it with --resume"),
            (["--resume", "--rate", "0.02"], "another --rate"),
            (["--resume", "--seed", "2"], "another --seed"),
            (["--data", self.file("out")], "out' is an input and would be overwritten"),
            (["--data", self.network("start", 32)], "not a file of positions"),
            (["--resume", "--checkpoint", self.network("start", 32)], "not a checkpoint"),
            (["--resume", "--epochs", "1"], "2 epochs are done, more than --epochs 1"),
            (["--hidden", "33", "--checkpoint", self.file("new")], "number of hidden neurons"),
            (["--resume", "--start", self.network("start", 64)], "another --start"),
            (["--resume", "--with-terms"], "another --with-terms"),
            (["--resume", "--factorised"], "another --factorised"),
            (["--resume", "--dropout", "0.2"], "another --dropout"),
            (["--start", self.data, "--checkpoint", self.file("new")], "data': not a network file"),
            (["--start", self.network("wide", 64), "--checkpoint", self.file("new")], "wide': its shape, 64 neurons"),
            (["--start", self.network("start", 32), "--scale", "300"], "start': its --scale is 400, not 300"),
        ]:
            with self.subTest(more=more), self.assertRaisesRegex(Invalid, message):
                self.training("out", *more)
        with open(self.data, "ab") as file:
            file.write(bytes(64))
        with self.assertRaisesRegex(Invalid, "is not the data of that training"):
            self.training("out", "--resume")
        with self.assertRaisesRegex(Invalid, "data': batch 4 has 2 records that are no positions"):
            self.training("other").run()
        with open(self.data, "wb") as file:
            file.write(MAGIC)
        with self.assertRaisesRegex(Invalid, "has no positions"):
            self.training("other")


if __name__ == "__main__":
    unittest.main()
