"""Compares with bartizan-tools, which BARTIZAN_TOOLS names; without it, every test is skipped with a message."""

import json
import os
import sys
import tempfile
import unittest

import numpy as np

import check
import train
from network import Network, Quantisation
from test_network import random_network

try:
    import torch
except ImportError:
    torch = None

TOOLS = os.environ.get("BARTIZAN_TOOLS")


@unittest.skipUnless(TOOLS, "SKIPPED: BARTIZAN_TOOLS does not name the program bartizan-tools")
class Tools(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        games, cls.positions, cls.shuffled = (cls.file(name) for name in ("games", "positions", "shuffled"))
        check.output(TOOLS, "selfplay", "--games", 500, "--nodes", 30, "--threads", 1, "--json", "--out", games)
        check.output(TOOLS, "data", "filter", games, "--out", cls.positions)
        check.output(TOOLS, "data", "shuffle", cls.positions, "--out", cls.shuffled)

    @classmethod
    def file(cls, name):
        return os.path.join(cls.folder, name)

    def test_values_of_a_trained_network_are_equal(self):
        network = self.file("trained")
        check.output(
            TOOLS,
            "train",
            "--data",
            self.shuffled,
            "--out",
            network,
            "--hidden",
            32,
            "--king-buckets",
            4,
            "--output-buckets",
            8,
            "--epochs",
            1,
            "--batch",
            512,
            "--rate",
            0.01,
            "--threads",
            1,
            "--json",
        )
        self.assertGreater(check.values(TOOLS, network, self.positions), 1000)
        with open(network, "rb") as file:
            content = file.read()
        self.assertEqual(Network.from_bytes(content).to_bytes(), content)

    def test_values_of_large_weights_are_equal(self):
        for seed, most in enumerate([(505, 127), (100, 40), (30, 10)]):
            network = random_network(seed, *most)
            # Another scale and integers for 1.0, which the divisions use.
            network.quantisation = Quantisation(255 - 10 * seed, 64 + seed, 400 + 57 * seed)
            with open(self.file("random"), "wb") as file:
                file.write(network.to_bytes())
            check.values(TOOLS, self.file("random"), self.positions)

    def test_a_difference_is_reported(self):
        network = random_network(7, 60, 20)
        with open(self.file("random"), "wb") as file:
            file.write(network.to_bytes())
        evaluate = Network.evaluate
        self.addCleanup(setattr, Network, "evaluate", evaluate)
        Network.evaluate = lambda *args: evaluate(*args) + (np.arange(len(args[1].men)) == 3)
        with self.assertRaisesRegex(check.Different, "^position 4: .* 1 of "):
            check.values(TOOLS, self.file("random"), self.positions)

    @unittest.skipIf(torch is None, "SKIPPED: PyTorch is not installed: pip install -r train/requirements.txt")
    def test_trainings_are_the_same(self):
        print()
        print(*(check.training(TOOLS, self.shuffled, shape) for shape in check.SHAPES), sep="\n")

    @unittest.skipIf(torch is None, "SKIPPED: PyTorch is not installed: pip install -r train/requirements.txt")
    def test_each_resumes_checkpoints_of_the_other(self):
        rust, twin = (TOOLS, "train"), (sys.executable, train.__file__, "--device", "cpu")
        losses = {}
        for first, second in ((rust, rust), (rust, twin), (twin, rust)):
            out = self.file(f"resumed-{len(losses)}")
            common = (
                "--data",
                self.shuffled,
                "--out",
                out,
                "--hidden",
                32,
                "--batch",
                2000,
                "--threads",
                1,
                "--rate",
                0.003,
                "--json",
            )
            check.output(*first, *common, "--epochs", 1)
            # A second epoch, although the first one was planned as the last.
            report = json.loads(check.output(*second, *common, "--epochs", 2, "--resume"))
            self.assertEqual(report["epoch"], 2)
            losses[first, second] = report["train"]
        for loss in losses.values():
            self.assertAlmostEqual(loss / losses[rust, rust], 1, 4)


if __name__ == "__main__":
    unittest.main()
