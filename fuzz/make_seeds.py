#!/usr/bin/env python3
"""Makes the seeds of the fuzz targets from the test data: python3 fuzz/make_seeds.py. Keeps the files named found-*."""

import pathlib
import struct

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEEDS = ROOT / "fuzz" / "seeds"
DATA = ROOT / "testdata"


def fens(name, step, count):
    lines = (DATA / "perft" / f"{name}.txt").read_text().splitlines()
    lines = [line.split(";")[0].strip() for line in lines if line and not line.startswith("#")]
    return lines[::step][:count]


def save(target, seeds):
    folder = SEEDS / target
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("seed-*"):
        old.unlink()
    for number, seed in enumerate(seeds):
        data = seed if isinstance(seed, bytes) else seed.encode()
        (folder / f"seed-{number:02}").write_bytes(data)


def packed(fen, moves=b""):
    """The bytes of a setup for the target `setup`."""
    board, turn, castling, passant, half, full = (fen.split() + ["-", "-", "0", "1"])[:6]
    squares = [0] * 64
    for rank, row in enumerate(reversed(board.split("/"))):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                # The order of `Piece::ALL`: white and black of each type.
                squares[8 * rank + file] = 1 + 2 * "PNBRQK".index(letter.upper()) + letter.islower()
                file += 1
    rooks = [0, 0]
    for letter in castling:
        if letter in "KQkq":
            rooks[letter.islower()] |= 0x80 if letter in "Kk" else 1
        elif letter != "-":
            rooks[letter.islower()] |= 1 << "abcdefgh".index(letter.lower())
    square = 255 if passant == "-" else 8 * (int(passant[1]) - 1) + "abcdefgh".index(passant[0])
    head = struct.pack("<BBBBHH", turn == "b", rooks[0], rooks[1], square, int(half), int(full))
    return head + bytes(squares[i] | squares[i + 1] << 4 for i in range(0, 64, 2)) + moves


CLASSIC = fens("classic", 1, 6) + fens("tricky", 2, 6) + fens("chess960", 200, 5)
save("fen", CLASSIC)
save("setup", [packed(fen, bytes(range(0, 250, 7))) for fen in CLASSIC])
save("moves", [bytes([n, n % 5, 9, 20, 3, 7]) + bytes([0x0C, 0x17]) + text for n, text in
               enumerate([b"\x01e2e4", b"\x02e1g1", b"\x03a7a8q", b"\x04b7c8n", b"\x05e1h1", b"\x06d4e3", b"\x070000"])])
save("san", [bytes([n, n % 4, 5, 11, 17, 30]) + text for n, text in enumerate(
    [b"e4", b"O-O", b"a8=Q+", b"Nbd2", b"R1xd1", b"exd3 e.p.", b"e2-e4!?", b"0-0-0", b"\xe2\x99\x98f3", b"bxa8(R)#"])])

TACTICS = [line for line in (DATA / "examples" / "tactics.epd").read_text().splitlines() if line and line[0] != "#"]
save("epd", TACTICS[:4] + [
    'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - hmvc 3; fmvn 40; bm O-O O-O-O; id "a \\"b\\"; c\\\\"; c0 "O-O=10, Kd2=3";',
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400",
    "8/8/8/8/8/8/8/K1k5 w - - acd 12; ce -31990; dm 5; pv Kb1; am Ka2;",
])
GAMES = (DATA / "examples" / "openings.pgn").read_text().splitlines()
save("pgn", ["\n".join(GAMES[:6])] + [
    '[Event "a \\"b\\""]\n[FEN "4k3/8/8/8/8/8/8/5KR1 w GQ - 0 1"]\n[SetUp "1"]\n[Variant "Chess960"]\n[Result "1-0"]\n\n'
    "{before} 1. O-O $1 (1. Kf2 {no} (1. Kg2)) Kd7 ; rest\n%skipped\n2. Rf7+!? 1-0\n\n1. e4 e5 2. Nf3 {[%clk 0:01]} *\n",
    "1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6 1/2-1/2 1. f3 e5 2. g4 Qh4# 0-1",
])
save("uci_command", [
    "uci\nisready\nucinewgame\nposition startpos moves e2e4 e7e5\ngo wtime 1000 btime 900 winc 10 binc 9 movestogo 5\nstop",
    "setoption name Hash value 64\nsetoption name Clear Hash\nsetoption name SyzygyPath value <empty>\ndebug on",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 a7a8q\ngo searchmoves e8g8 depth 5 nodes 9 mate 3",
    "go ponder infinite movetime 50 perft 3\nponderhit\nregister later\nquit",
    "setoption name UCI_Opponent value GM 2800 human Gary Kasparov\nsetoption name Move Overhead value -30",
])
save("uci_message", [
    "id name X 1.0\nid author A B\noption name Hash type spin default 16 min 1 max 1024\nuciok\nreadyok",
    "option name S type combo default Normal var Solid var Normal\noption name P type string default <empty>",
    "option name C type check default true\noption name B type button\ncopyprotection ok\nregistration checking",
    "info depth 9 seldepth 12 multipv 1 score cp -13 upperbound wdl 1 2 997 nodes 5214 nps 99 time 5 pv e2e4 e7e5",
    "info currmove e2e4 currmovenumber 1 hashfull 3 tbhits 0 cpuload 9 refutation d1h5 g6h5 string a  b",
    "info currline 1 d1h5 g6h5 score mate -3\nbestmove e2e4 ponder e7e5\nbestmove (none)",
])
save("xboard_command", [
    "xboard\nprotover 2\naccepted ping\nnew\nlevel 40 5:30 2.5\nst 5\nsd 8\ntime 1000\notim 900\nusermove e2e4\ngo",
    "setboard r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\nresult 1-0 {White mates}\noption Hash=64\nping 3\nmemory 64\ncores 2",
    "edit\n#\nKe1\nRa1\nPe2\nc\nKe8\nxe2\n.\nundo\nremove\nanalyze\n.\nexit\nhint\nbk\ndraw\n?\nforce",
    "e2e4\nO-O-O\nNbd7\nP@e4\n@@@@\nexclude all\ninclude e2e4\nsetscore 3 0\nrating 2000 1900\nname A B",
    "egtpath syzygy /a b\nics chess.net\nvariant fischerandom\nnps 0\ncomputer\nhard\neasy\npost\nnopost\nquit",
])
save("xboard_message", [
    'feature ping=1 myname="A B" option="Hash -spin 16 1 64" variants="normal,fischerandom" done=1',
    "9 -23 145 18044 14 1244 0\tNf6 Nc3\n5. 12 3 400 e4 e5!\nmove e2e4\nmy move is: O-O\n12 100003 1 2 a b?",
    "Illegal move (why): e2e9\nError (unknown command): foo\n1-0 {White mates}\ntellusererror x\npong 7\noffer draw",
    "Style -combo Solid /// *Normal /// Risky\nFile -file a b\nX -check 1\nY -button\nhint: e7e5\nresign",
    "stat01: 1234 30000 7 5 30 Nf3\ntelluser hi\n# debug\ntellics say x\naskuser r q\n10 ... e7e5",
])
save("settings", [
    'threads = 0x10\nhash = "1G" # much\ngame_log = \'g.pgn\'\n[learning]\non = true\n[resign]\nscore=700\n',
    "threds = 3\nthreads = 1.5\nhash = [1, 2]\n[learning]\non = 1979-05-27T07:32:00Z\n",
    "learning.on = true\nlearning = { depth = 9 }\nmultipv = +3\ncontempt = -20\n",
])
RECORD = ('r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - '
          'acd 3; ce 31999; bm Qxf7#; c0 "exact 2026-01-31";')
KINGS = '4k3/8/8/8/8/8/4P3/4K3 w - - acd 12; ce 90; c0 "least 2026-02-01";'
save("learning", [f"# bartizan-learning 1\n{RECORD}\n# remark\n\n{KINGS}\nrubbish\n", "# bartizan-learning 2\nx\n", ""])

TRACE = "bartizan-trace 1\nposition rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
save("trace", [
    TRACE + "n 1 d2d4 move 0 -32000 32000 -20 exact 1\nn 0 - root 1 -32000 32000 20 exact 2\nend 2 0\n",
    TRACE + "n 2 e7e5 quiescence 0 5 6 7 stand-pat 1\nn 1 0000 null-move 3 1 2 0 fail-low 2\np 1 h2h3 late-move\n"
    "n 0 - root 1 -32000 32000 29999 exact 2\nend 4 7\n",
    TRACE + "p 3 e1e2 late\nn 0 - root 1 0 1 0 exact 1\nend 2 0\n",
])

ENTRIES = b"".join(struct.pack("<BHhhBB", choice, mv, value, value, depth, flags) for choice, mv, value, depth, flags in
                   [(0, 0x170C, 30, 5, 15), (1, 0x1C34, -31990, 9, 1), (7, 0xFFFF, 32767, 255, 2), (9, 0, -32768, 0, 8)])
save("hash", [bytes([flags]) + ENTRIES for flags in (1, 0x17, 0x2F, 0xC7, 0xDF, 0xED, 0xFF)] + [b"\0BartizanHash" + b"\1\0\0\0" + b"\1" * 32])

JOURNAL = (ROOT / "crates" / "match" / "tests" / "data" / "journal-v1.jsonl").read_text().splitlines(keepends=True)
save("journal", [JOURNAL[0], "".join(JOURNAL), "".join(JOURNAL)[:-9]])
save("openings", [b"\4" + "\n".join(TACTICS[:2]).encode(), b"\5" + "\n".join(CLASSIC[:3]).encode(),
                  b"\x86" + "\n".join(GAMES[:4]).encode(), b"\x86" + b"1. e4 e5 *\n\n1. d4 d5 2. c4 *\n"])

SAMPLE = (DATA / "wdl" / "sample.bin").read_bytes()
if SAMPLE.startswith(b"BZSELF01"):
    offset, records = 8, []
    while offset < len(SAMPLE):
        length = struct.unpack_from("<I", SAMPLE, offset)[0] + 4
        records.append(SAMPLE[offset:offset + length])
        offset += length
    records.sort(key=len)
    save("selfplay", [b"\0" + records[0], b"\0" + records[1] + records[2], b"\1" + SAMPLE[:8] + records[0][:60],
                      b"\1" + (DATA / "selfplay" / "golden.bin").read_bytes()[:900]])

NAMES = ["KQvK", "KRvK", "KPvK", "KBvKN", "KRvKR", "KPvKP", "KNNvK"]
TABLES = []
for number, name in enumerate(NAMES):
    for bit, kind in [(0, "rtbw"), (16, "rtbz")]:
        path = DATA / "syzygy" / f"{name}.{kind}"
        if path.exists():
            data = path.read_bytes()[:-16]
            for paged in ([0, 32] if len(data) <= 2304 else []):
                TABLES.append(bytes([number | bit | paged]) + data)
            if len(data) > 2304:
                TABLES.append(bytes([number | bit]) + data[:1024])
save("syzygy", TABLES)

# Books: the first byte distinguishes bytes, entries to be sorted, and hand-made lines.
START = 0x463B96181691FC9C
ENTRIES = [(START, 12 << 6 | 28, 30, 0), (START, 11 << 6 | 27, 20, 0), (START, 0, 9, 0), (0x823C9B50FD114196, 52 << 6 | 36, 1, 7)]
BOOK = b"".join(struct.pack(">QHHI", *entry) for entry in ENTRIES)
LINES = "[Event \"x\"]\n\n1. e4! {weight: 40} e5 (1... c5!? 2. Nf3 +=) (1... d5? (1... e6 $15)) 2. Nf3 ; weight: 90\n*\n1. d4 *\n"
save("book", [b"\0" + BOOK, b"\1" + BOOK[::-1], b"\2" + LINES.encode(), b"\2" + (DATA / "examples" / "openings.pgn").read_bytes()])

# Collections: a byte of flags, lines of conditions, an empty line, games.
TAGS = '[Event "x"]\n[Date "2020.05.??"]\n[Round "2.10"]\n[White "Tal, M"]\n[Black "Fine"]\n[WhiteElo "2700"]\n[ECO "B20"]\n'
SICILIAN = "1. e4 c5 2. Nf3 {[%clk 0:03]} d6 (2... e6) 3. d4 $1 "
save("games", [
    b"\x03p/^Tal/i\neB20-B99,C4\nd2019..2020\nR0-1\n\n" + (TAGS + "\n" + SICILIAN + "0-1\n\n" + SICILIAN + "cxd4 *").encode(),
    b"\x25b*/*/*/??p*/*/*/*/* b\nmKvK\nnopen\n\n" + (TAGS + "\n" + SICILIAN + "1-0\n\n1. d4 d5 2. c4 1/2-1/2").encode(),
    b"\x7fb*/*/*/*/4P3/*/*/* ?\ns1. e4 c5 2. Nf3\nl9\nEB2\n\n" + (SICILIAN + "*\n\n" + SICILIAN + "1-0\n\n1. e4 *").encode(),
    b"\x10fKRP+vKR*\nmKRPvKR\nnopen\nc60..300+0..3\n\n[FEN \"4k3/8/8/8/8/8/4P2r/R3K3 w Q - 0 1\"]\n"
    b"[TimeControl \"180+2\"]\n\n1. O-O-O Rh1 2. Rxh1 1-0",
    b"\x41tSite=a\nOSicilian\nr2500\nround\n\n[Opening \"a\"]\r\n[Site \"A\"]\r\n[Result \"1-0\"]\r\n\r\n1. f3 e5 2. g4 Qh4# 0-1\r\n",
])

# Tables: the first byte chooses the table (3 bits), paged reading, and which lengths and checksums are corrected.
MATES = [(DATA / "dtm" / f"{name}.dtm").read_bytes() for name in ("KNK", "KQK")]
save("dtm", [bytes([flags]) + MATES[0] for flags in (0x00, 0x08, 0x70, 0x78)]
     + [bytes([flags]) + MATES[1][:1024] for flags in (0x01, 0x71, 0x79)] + [b"\x75" + MATES[0][:200]])

# Networks: an odd first byte and a file, or an even one and the numbers of a small network.
NUMBERS = struct.pack("<hhh", 255, 64, 400) + bytes([3]) + struct.pack("<4h", 9, -30, 17, 2) + b"\0" + struct.pack("<h", 40)
NUMBERS += bytes([2]) + struct.pack("<3h", 5, -7, 60) + struct.pack("<4i", 900, -900, 0, 17)
save("network", [
    b"\0\3\1" + NUMBERS + bytes([1, 9, 4, 60, 7, 33, 0, 5, 11, 8, 2, 1, 90]),
    b"\0\0\0" + NUMBERS + bytes([6, 0]),
    b"\0\0\0" + struct.pack("<hhh", 255, 64, 400) + b"\0" + struct.pack("<h", 1022) + b"\0" + struct.pack("<h", 63) + b"\0\x7f\0",
    b"\1" + (ROOT / "crates" / "network" / "built-in.bin").read_bytes()[:300],
])


def record(fen, score, result):
    """A position for training; castling and en passant are left out."""
    board, turn = fen.split()[:2]
    men = {}
    for rank, row in enumerate(reversed(board.split("/"))):
        file = 0
        for letter in row:
            if not letter.isdigit():
                men[8 * rank + file] = 2 * "PNBRQK".index(letter.upper()) + letter.islower()
            file += int(letter) if letter.isdigit() else 1
    codes = [men[square] for square in sorted(men)] + [0] * 32
    nibbles = bytes(codes[i] | codes[i + 1] << 4 for i in range(0, 32, 2))
    occupied = sum(1 << square for square in men)
    return struct.pack("<Q16sHHhBx", occupied, nibbles, 0x8000 * (turn == "b"), 1, score, result)


RECORDS = [record(fen, score, result) for fen, score, result in zip(CLASSIC, (30, -900, 0, 32767), (1, 0, 2, 7))]
save("positions", [b"\0" + b"".join(RECORDS), b"\0" + RECORDS[0] + RECORDS[1][:9], b"\1BZPOSN01" + RECORDS[2]])

HEAD = struct.pack("<HH32xfffIQI", 32, 1, 0.75, 200.0, 0.01, 1, 7, 4)
save("checkpoint", [
    b"\0BZTRAIN3" + HEAD + struct.pack("<fI", 0.25, 1) + b"note",
    b"\0BZTRAIN2" + HEAD + b"note",
    b"\1BZTRAIN1" + HEAD,
])
