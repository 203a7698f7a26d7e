#!/usr/bin/env python3
"""Makes tricky.txt, random.txt and chess960.txt from suites with lines `id`, `epd` and `perft`; SOURCE.md names them.

    make.py FOLDER-WITH-THE-SUITES
"""
import pathlib
import sys


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make.py FOLDER-WITH-THE-SUITES")
    for name, keep_ids in ("tricky", True), ("random", False), ("chess960", False):
        source = pathlib.Path(sys.argv[1], f"{name}.perft")
        # By position, so that each is there once: the counts from depth 1, and the id.
        cases, epd, identity = {}, None, None
        for number, line in enumerate(source.read_text().splitlines(), 1):
            word, _, rest = line.strip().partition(" ")
            if not word or word.startswith("#"):
                continue
            if word == "id":
                identity = rest.strip()
            elif word == "epd" and len(rest.split()) == 4:
                epd = " ".join(rest.split())
                counts = []
                cases.setdefault(epd, (counts, identity))
            elif word == "perft" and epd and rest.split()[0] == str(len(counts) + 1):
                counts.append(int(rest.split()[1]))
            else:
                sys.exit(f"{source}:{number}: not an id, a position of four fields or the count of the next depth")
        lines = [f"# Made by `testdata/perft/make.py` from {name}.perft; SOURCE.md says where that is from."]
        for epd, (counts, identity) in cases.items():
            remark = f" # {identity}" if keep_ids and identity else ""
            lines.append(f"{epd} 0 1;{' '.join(map(str, counts))}{remark}")
        pathlib.Path(__file__).with_name(f"{name}.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
