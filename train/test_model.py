"""Steps of training. Needs PyTorch; without it, every test says so and is skipped."""

import contextlib
import io
import json
import os
import signal
import tempfile
import types
import unittest

import numpy as np

import train
from architecture import KING_BUCKETS, Architecture, Invalid, first_weights
from network import Network, Quantisation, quantise
from positions import MAGIC, decode
from test_positions import FENS, pack

try:
    import torch

    import model
except ImportError:
    torch = None

SHAPE = Architecture(32, tuple(KING_BUCKETS[4]), 8)
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


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
        return model.examples(records(count), SHAPE, score_weight, 400, self.device)

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

    def test_batches_read_ahead_come_in_order(self):
        gpu = types.SimpleNamespace(type="cuda")
        for first, count in ((0, 0), (0, 3), (2, 40)):
            found = list(model.batches(lambda number: number, count, first, 3, gpu))
            self.assertEqual(found, list(range(first, count)))


@unittest.skipIf(torch is None, "SKIPPED: PyTorch is not installed: pip install -r train/requirements.txt")
class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name in SIGNALS:
            self.addCleanup(signal.signal, name, signal.getsignal(name))
        self.folder = folder.name
        self.data = self.file("data")
        with open(self.data, "wb") as file:
            file.write(MAGIC + records(1000).tobytes())

    def file(self, name):
        return os.path.join(self.folder, name)

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
        code, epochs = self.run_training(self.training("whole"))
        self.assertEqual((code, [epoch["epoch"] for epoch in epochs]), (0, [1, 2]))
        self.assertLess(epochs[1]["validation"], epochs[0]["validation"])
        self.assertAlmostEqual(epochs[1]["rate"], 0.00001)
        self.assertEqual(epochs[1]["phases"][1], 0)

        training = self.training("resumed")
        os.kill(os.getpid(), signal.SIGTERM)
        self.assertEqual(self.run_training(training), (train.INTERRUPTED, []))
        self.assertEqual((training.trainer.steps, training.state["batches"]), (1, 1))
        self.assertFalse(os.path.exists(self.file("resumed")))
        code, again = self.run_training(self.training("resumed", "--resume"))
        self.assertEqual(code, 0)
        for one, other in zip(epochs, again):
            for report in (one, other):
                del report["positions_per_second"]
            self.assertEqual(one, other)
        with open(self.file("whole"), "rb") as one, open(self.file("resumed"), "rb") as other:
            self.assertEqual(one.read(), other.read())
        network = Network.open(self.file("whole"))
        self.assertIn(
            "--hidden 32 --king-buckets 1 --output-buckets 1 --epochs 2 --batch 300 --rate 0.01 --final-rate 0.00001 "
            "--lambda 0.7 --scale 400 --weight-decay 0.01 --seed 1 --threads 1 --device cpu",
            network.command,
        )

    def test_wrong_files_and_settings_are_named(self):
        self.run_training(self.training("out"))
        for more, message in [
            ([], "continue it with --resume"),
            (["--resume", "--rate", "0.02"], "another --rate"),
            (["--resume", "--seed", "2"], "another --seed"),
            (["--data", self.file("out")], "not a file of positions"),
            (["--resume", "--checkpoint", self.data], "not a checkpoint"),
            (["--hidden", "33", "--checkpoint", self.file("new")], "number of hidden neurons"),
        ]:
            with self.assertRaisesRegex(Invalid, message):
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
