#!/usr/bin/env python3
"""Writes docs/xboard-game.md: one whole game of bartizan-xboard with `-t`, every line of both sides.

    transcript.py ENGINE [SEED] >docs/xboard-game.md

Needs the package `chess` for the rules. The client plays Black. In turn it plays the reply that the engine ponders on, takes
what it can, or moves at random; it offers one draw. The search ends by depth (`sd 4`), so that the lines are few.
"""

import queue
import random
import subprocess
import sys
import threading
import time

import chess

WIDTH = 150  # Longer lines are cut.
DRAW_OFFER = 6  # Before this move of its own the client offers a draw.

HEAD = """# A game with trace

The lines with `>` come from the client, those with `<` from `bartizan-xboard -t`. The engine plays White and ponders.
The client plays the expected reply, captures if it can, or moves at random, and offers a draw once. `sd 4` keeps the
game short; lines of more than {width} characters are cut. [The trace](xboard.md#the-lines) explains each line that begins
with `#`.

`engine-xboard/tests/transcript.py ENGINE {seed} > docs/xboard-game.md` regenerates this page.

```"""


class Engine:
    def __init__(self, path):
        self.process = subprocess.Popen([path, "-t"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def say(self, *lines):
        for line in lines:
            print("> " + line)
            print(line, file=self.process.stdin)

    def hear(self, ends, within=20.0):
        """Shows what the engine says, up to a line of which `ends` is true; returns that line."""
        until = time.monotonic() + within
        while True:
            line = self.lines.get(timeout=max(0.0, until - time.monotonic()))
            if line is None:
                return None
            print("< " + (line if len(line) <= WIDTH else line[: WIDTH - 2] + " …"))
            if ends(line):
                return line

    def hear_rest(self, quiet=0.3):
        """Shows what still comes, until nothing has come for a while; returns the lines."""
        heard = []
        while True:
            try:
                line = self.lines.get(timeout=quiet)
            except queue.Empty:
                return heard
            if line is None:
                return heard
            heard.append(line)
            print("< " + (line if len(line) <= WIDTH else line[: WIDTH - 2] + " …"))


def reply(board, guess, dice):
    kind = dice.choice(["guess", "capture", "random"])
    moves = sorted(board.legal_moves, key=chess.Move.uci)
    captures = [move for move in moves if board.is_capture(move)]
    if kind == "guess" and guess in moves:
        return guess
    return dice.choice(captures if kind == "capture" and captures else moves)


def main():
    path, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    dice, board, clock = random.Random(seed), chess.Board(), 20.0
    print(HEAD.format(width=WIDTH, seed=seed))
    engine = Engine(path)
    engine.say("xboard", "protover 2")
    engine.hear(lambda line: line == "feature done=1")
    engine.say("accepted debug", "new", "level 0 0:20 0.1", "sd 4", "hard", "name A friend", "force", "go")
    while True:
        line = engine.hear(lambda line: line.startswith("move "))
        board.push_uci(line.split()[1])
        rest = engine.hear_rest()
        if board.is_game_over(claim_draw=True) or any(line[:2] in ("1-", "0-", "1/") for line in rest):
            break
        awaited = [line.split()[-1] for line in rest if line.startswith("# ponder: awaiting ")]
        if len(board.move_stack) == 2 * DRAW_OFFER - 1:
            engine.say("draw")
            engine.hear_rest()
        move = reply(board, chess.Move.from_uci(awaited[-1]) if awaited else None, dice)
        clock += 0.1  # The engine takes next to no time.
        engine.say(f"time {round(clock * 100)}", f"otim {round(clock * 100)}", f"usermove {move.uci()}")
        board.push(move)
    engine.say(f"result {board.result(claim_draw=True)} {{The game is over}}", "quit")
    engine.hear(lambda _: False)
    print("```")
    return engine.process.wait(5)


if __name__ == "__main__":
    sys.exit(main())
