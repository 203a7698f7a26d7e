//! The programs that write files, and how they are run.

use super::content::{self, Kind};
use super::machine::{self, Folder};
use super::program::{Program, Tells};
use super::{Place, testdata};
use crate::error::{Error, Result};
use std::fmt::Write;

const SELFPLAY: &str = "bartizan-tools selfplay --games 40$AGAIN --nodes 60 --max-plies 60 --hash 1 --threads 2";
const ENGINES: &str = "--engine 'cmd=bartizan name=a nodes=50' --engine 'cmd=bartizan name=b nodes=40' --each \
    option.Hash=1 --openings $I/openings.pgn --max-moves 12 --concurrency 2";

pub(super) const PROGRAMS: &[Program] = &[
    grows("selfplay .bin", "exec SELFPLAY --out games.bin --resume", &[("games.bin", Kind::Selfplay)]),
    grows("selfplay .pgn", "exec SELFPLAY --out games.pgn --resume", &[("games.pgn", Kind::Pgn)]),
    grows(
        "match",
        "if [ -e j ]; then exec bartizan-tools match --resume j --rounds 6$AGAIN --quiet; else
            exec bartizan-tools match ENGINES --rounds 6 --journal j --pgn games.pgn --quiet; fi",
        &[("j", Kind::Lines), ("games.pgn", Kind::Pgn)],
    ),
    grows("match --log", "exec bartizan-tools match ENGINES --rounds 2 --log log --quiet", &[("log", Kind::Text)]),
    grows(
        "spsa",
        "if [ -e j ]; then exec bartizan-tools spsa --resume j; fi
            exec bartizan-tools spsa $I/parameters --engine 'cmd=bartizan nodes=30' --openings $I/openings.pgn \
            --pairs 6 --batch 2 --journal j",
        &[("j", Kind::Lines)],
    ),
    grows(
        "screen",
        "if [ -e j ]; then exec bartizan-tools screen --resume j; fi
            exec bartizan-tools screen $I/changes --engine 'cmd=bartizan nodes=30' --openings $I/openings.pgn \
            --pairs 6 --concurrency 2 --journal j",
        &[("j", Kind::Lines)],
    ),
    replaces(
        "tune",
        "[ -e fit/checkpoint.json ] && exec bartizan-tools tune --resume fit --epochs 3$AGAIN
            exec bartizan-tools tune --data $I/games.bin --positions 600 --epochs 3 --patience 99 --threads 2 \
            --out fit --source values.txt",
        &[
            ("fit/checkpoint.json", Kind::Json),
            ("fit/weights.json", Kind::Json),
            ("fit/summary.json", Kind::Json),
            ("fit/losses.jsonl", Kind::Lines),
            ("fit/losses.svg", Kind::Ends("</svg>\n")),
            ("values.txt", Kind::Ends("# end\n")),
        ],
    ),
    replaces(
        "wdl",
        "exec bartizan-tools wdl --data $I/games.bin --out fit --plot",
        &[("fit/fit.json", Kind::Json), ("fit/fit.svg", Kind::Ends("</svg>\n"))],
    ),
    replaces(
        "epd test",
        "exec bartizan-tools epd test $I/suite.epd --nodes 400 --save run.json --plot run.svg",
        &[("run.json", Kind::Json), ("run.svg", Kind::Ends("</svg>\n"))],
    ),
    replaces(
        "pgn filter",
        "exec bartizan-tools pgn filter $I/openings.pgn --moves e4 --main-line --out e4.pgn --rejected \
            others.pgn --quiet",
        &[("e4.pgn", Kind::Pgn), ("others.pgn", Kind::Ends("*\n"))],
    ),
    replaces(
        "pgn split",
        "exec bartizan-tools pgn split $I/openings.pgn --shards 2 --out '{}.pgn'",
        &[("1.pgn", Kind::Ends("*\n\n")), ("2.pgn", Kind::Ends("*\n"))],
    ),
    replaces(
        "pgn select",
        "exec bartizan-tools pgn select $I/openings.pgn --per-game 4 --distance 1 --out p.epd --quiet",
        &[("p.epd", Kind::Ends(";\n"))],
    ),
    grows(
        "pgn label",
        "[ -e j ] && RESUME=--resume
            exec bartizan-tools pgn label $I/suite.epd --nodes 30 --max-moves 9 --journal j $RESUME --quiet",
        &[("j", Kind::Lines)],
    ),
    grows(
        "epd mine",
        "[ -e j ] && RESUME=--resume
            exec bartizan-tools epd mine $I/games.bin --nodes 200 --easy 20 --sift 50 --jump 300 --journal j \
            $RESUME --quiet",
        &[("j", Kind::Lines)],
    ),
    replaces("learning file", "exec bartizan-tools learn merge learned $I/learned", &[("learned", Kind::Ends(";\n"))]),
    replaces(
        "hash table",
        "(echo setoption name Hash value 1; echo go nodes 3000; sleep 0.3; echo stop; echo savehash table; \
            echo quit) | exec bartizan",
        &[("table", Kind::Starts("BartizanHash"))],
    )
    .tells(Tells::Text),
    grows(
        "game log",
        "(echo xboard; echo protover 2; echo option Game Log=log.pgn; echo sd 1; echo new; \
            for move in e2e4 d2d4 g1f3; do echo usermove $move; sleep 0.1; done; echo 'result 1-0 {won}'; \
            echo quit) | exec bartizan-xboard",
        &[("log.pgn", Kind::Pgn)],
    )
    .tells(Tells::Text),
    grows(
        "debug log",
        "(echo setoption name Debug Log File value log; echo go nodes 1000; sleep 0.2; echo quit) | \
            exec bartizan",
        &[("log", Kind::Ends("\n"))],
    )
    .tells(Tells::Text),
    replaces(
        "test -o",
        "(echo setoption name Hash value 1; echo test $I/suite.epd -n 2000 -o out) | exec bartizan",
        &[("out", Kind::Ends(" s)\n"))],
    )
    .tells(Tells::Text),
    grows(
        "save of play",
        "(echo e4; sleep 0.1; echo resign; echo save games.pgn; echo new; echo resign; echo save games.pgn; \
            echo quit) | exec bartizan play depth 1",
        &[("games.pgn", Kind::Pgn)],
    )
    .tells(Tells::Text),
    // A kill ends the terminal, which ends the program.
    grows(
        "console history",
        "HOME=${HOME:+$PWD}; export HOME
            (for line in d eval moves d; do printf '%s %s\\r' $line $RANDOM; sleep 0.1; done; printf 'quit\\r'; \
            sleep 0.3) | script -qec \"$LIMIT bartizan\" /dev/null",
        &[(".config/bartizan/history", Kind::Text)],
    )
    .tells(Tells::Nothing)
    .needs("script"),
];

/// A program whose files only grow.
const fn grows(name: &'static str, script: &'static str, files: &'static [(&'static str, Kind)]) -> Program {
    Program { name, script, files, grows: true, tells: Tells::Code, needs: None }
}

/// A program that replaces whole files.
const fn replaces(name: &'static str, script: &'static str, files: &'static [(&'static str, Kind)]) -> Program {
    Program { grows: false, ..grows(name, script, files) }
}

impl Program {
    const fn tells(self, tells: Tells) -> Self {
        Self { tells, ..self }
    }

    const fn needs(self, program: &'static str) -> Self {
        Self { needs: Some(program), ..self }
    }

    /// The script with its abbreviations expanded.
    pub(super) fn script(&self) -> String {
        self.script
            .replace("SELFPLAY", SELFPLAY)
            .replace("ENGINES", ENGINES)
            .replace("exec bartizan", "exec $LIMIT bartizan")
    }

    /// The name of the program after `$LIMIT`.
    pub(super) fn limited(&self) -> String {
        let script = self.script();
        let rest = script.split("$LIMIT ").nth(1).unwrap_or(&script);
        let end = rest.find(|c: char| c != '-' && !c.is_ascii_lowercase()).unwrap_or(rest.len());
        rest[..end].to_owned()
    }

    /// Checks the files; returns the number of whole records. With `may_be_cut`, a last record may be incomplete.
    pub(super) fn check(&self, folder: &Folder, may_be_cut: bool) -> std::result::Result<usize, String> {
        let mut records = 0;
        for &(name, kind) in self.files {
            // A file that does not exist yet is not a fault.
            let Ok(bytes) = std::fs::read(folder.path().join(name)) else { continue };
            records += content::records(kind, &bytes, may_be_cut).map_err(|why| format!("{name}: {why}"))?;
        }
        Ok(records)
    }
}

/// Writes the inputs of the scripts.
pub(super) fn write_inputs(place: &Place) -> Result<()> {
    let testdata = testdata();
    let copy = |from: &str, to: &str| {
        let (from, to) = (testdata.join(from), place.inputs.join(to));
        std::fs::copy(&from, to).map(drop).map_err(Error::io(&from))
    };
    copy("examples/openings.pgn", "openings.pgn")?;
    copy("examples/tactics.epd", "suite.epd")?;
    copy("wdl/sample.bin", "games.bin")?;
    let mut learned = "# bartizan-learning 1\n".to_owned();
    for depth in 1..200 {
        // A queen on a different square each time.
        let (file, rank) = (depth % 8, depth / 8 % 6);
        let row = [file, 7 - file].map(|empty| if empty == 0 { String::new() } else { empty.to_string() }).join("Q");
        let rows: Vec<&str> = (0..6).map(|number| if number == rank { row.as_str() } else { "8" }).collect();
        let board = format!("4k3/{}/4K3", rows.join("/"));
        let _ = writeln!(learned, "{board} w - - acd {depth}; ce 900; c0 \"exact 2026-01-02\";");
    }
    let write = |name: &str, text: &str| {
        let path = place.inputs.join(name);
        std::fs::write(&path, text).map_err(Error::io(&path))
    };
    write("learned", &learned)?;
    write("parameters", "Hash | 2 | 1 | 4 | 1\n")?;
    write("changes", "hash | Hash=1 | Hash=2\ncontempt | Contempt=0 | Contempt=20\n")?;
    machine::make_readable(&place.inputs);
    for name in ["openings.pgn", "suite.epd", "games.bin", "learned", "parameters", "changes"] {
        machine::make_readable(&place.inputs.join(name));
    }
    Ok(())
}
