//! The programs that write files, and how they are run.

use super::content::{self, Kind};
use super::machine::{self, Folder};
use super::{Place, testdata};
use crate::error::{Error, Result};
use std::fmt::Write;

/// A program that writes files.
///
/// The script runs in the folder of the files, with the programs on the path and the inputs in `$I`; `$LIMIT` before a
/// program limits it. With `$AGAIN` it must have something to write although it has run to its end.
pub(super) struct Program {
    /// The files, for people.
    pub(super) name: &'static str,
    pub(super) script: &'static str,
    /// The files and what is in them.
    pub(super) files: &'static [(&'static str, Kind)],
    /// Whether the files only grow, so that a later run goes on where an earlier one ended.
    pub(super) grows: bool,
    pub(super) tells: Tells,
    /// A program that the script needs, besides those of this repository and of any system.
    pub(super) needs: Option<&'static str>,
}

/// How a program tells that a file cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tells {
    /// By its exit code and a message.
    Code,
    /// By a line of a session.
    Text,
    /// Not at all: the file is only a convenience.
    Nothing,
}

const SELFPLAY: &str = "bartizan-tools selfplay --games 40$AGAIN --nodes 60 --max-plies 60 --hash 1 --threads 2";
const ENGINES: &str = "--engine 'cmd=bartizan name=a nodes=50' --engine 'cmd=bartizan name=b nodes=40' --each \
    option.Hash=1 --openings $I/openings.pgn --max-moves 12 --concurrency 2";

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        name: "selfplay .bin",
        script: "exec SELFPLAY --out games.bin --resume",
        files: &[("games.bin", Kind::Selfplay)],
        grows: true,
        tells: Tells::Code,
        needs: None,
    },
    Program {
        name: "selfplay .pgn",
        script: "exec SELFPLAY --out games.pgn --resume",
        files: &[("games.pgn", Kind::Pgn)],
        grows: true,
        tells: Tells::Code,
        needs: None,
    },
    Program {
        name: "match",
        script: "if [ -e j ]; then exec bartizan-tools match --resume j --rounds 6$AGAIN --quiet; else
            exec bartizan-tools match ENGINES --rounds 6 --journal j --pgn games.pgn --quiet; fi",
        files: &[("j", Kind::Lines), ("games.pgn", Kind::Pgn)],
        grows: true,
        tells: Tells::Code,
        needs: None,
    },
    Program {
        name: "match --log",
        script: "exec bartizan-tools match ENGINES --rounds 2 --log log --quiet",
        files: &[("log", Kind::Text)],
        grows: true,
        tells: Tells::Code,
        needs: None,
    },
    Program {
        name: "spsa",
        script: "if [ -e j ]; then exec bartizan-tools spsa --resume j; fi
            exec bartizan-tools spsa $I/parameters --engine 'cmd=bartizan nodes=30' --openings $I/openings.pgn \
            --pairs 6 --batch 2 --journal j",
        files: &[("j", Kind::Lines)],
        grows: true,
        tells: Tells::Code,
        needs: None,
    },
    Program {
        name: "screen",
        script: "if [ -e j ]; then exec bartizan-tools screen --resume j; fi
            exec bartizan-tools screen $I/changes --engine 'cmd=bartizan nodes=30' --openings $I/openings.pgn \
            --pairs 6 --concurrency 2 --journal j",
        files: &[("j", Kind::Lines)],
        grows: true,
        tells: Tells::Code,
        needs: None,
    },
    Program {
        name: "tune",
        script: "[ -e fit/checkpoint.json ] && exec bartizan-tools tune --resume fit --epochs 3$AGAIN
            exec bartizan-tools tune --data $I/games.bin --positions 600 --epochs 3 --patience 99 --threads 2 \
            --out fit --source values.txt",
        files: &[
            ("fit/checkpoint.json", Kind::Json),
            ("fit/weights.json", Kind::Json),
            ("fit/summary.json", Kind::Json),
            ("fit/losses.jsonl", Kind::Lines),
            ("fit/losses.svg", Kind::Ends("</svg>\n")),
            ("params.rs", Kind::Ends(";\n")),
        ],
        grows: false,
        tells: Tells::Code,
        needs: None,
    },
    Program {
        name: "wdl",
        script: "exec bartizan-tools wdl --data $I/games.bin --out fit --plot",
        files: &[("fit/fit.json", Kind::Json), ("fit/fit.svg", Kind::Ends("</svg>\n"))],
        grows: false,
        tells: Tells::Code,
        needs: None,
    },
    Program {
        name: "epd test",
        script: "exec bartizan-tools epd test $I/suite.epd --nodes 400 --save run.json --plot run.svg",
        files: &[("run.json", Kind::Json), ("run.svg", Kind::Ends("</svg>\n"))],
        grows: false,
        tells: Tells::Code,
        needs: None,
    },
    Program {
        name: "pgn filter",
        script: "exec bartizan-tools pgn filter $I/openings.pgn --moves e4 --main-line --out e4.pgn --rejected \
            others.pgn --quiet",
        files: &[("e4.pgn", Kind::Pgn), ("others.pgn", Kind::Ends("*\n"))],
        grows: false,
        tells: Tells::Code,
        needs: None,
    },
    Program {
        name: "pgn split",
        script: "exec bartizan-tools pgn split $I/openings.pgn --shards 2 --out '{}.pgn'",
        files: &[("1.pgn", Kind::Ends("*\n\n")), ("2.pgn", Kind::Ends("*\n"))],
        grows: false,
        tells: Tells::Code,
        needs: None,
    },
    Program {
        name: "pgn select",
        script: "exec bartizan-tools pgn select $I/openings.pgn --per-game 4 --distance 1 --out p.epd --quiet",
        files: &[("p.epd", Kind::Ends(";\n"))],
        grows: false,
        tells: Tells::Code,
        needs: None,
    },
    Program {
        name: "pgn label",
        script: "[ -e j ] && RESUME=--resume
            exec bartizan-tools pgn label $I/suite.epd --nodes 30 --max-moves 9 --journal j $RESUME --quiet",
        files: &[("j", Kind::Lines)],
        grows: true,
        tells: Tells::Code,
        needs: None,
    },
    Program {
        name: "epd mine",
        script: "[ -e j ] && RESUME=--resume
            exec bartizan-tools epd mine $I/games.bin --nodes 200 --easy 20 --sift 50 --jump 300 --journal j \
            $RESUME --quiet",
        files: &[("j", Kind::Lines)],
        grows: true,
        tells: Tells::Code,
        needs: None,
    },
    Program {
        name: "learning file",
        script: "exec bartizan-tools learn merge learned $I/learned",
        files: &[("learned", Kind::Ends(";\n"))],
        grows: false,
        tells: Tells::Code,
        needs: None,
    },
    Program {
        name: "hash table",
        script: "(echo setoption name Hash value 1; echo go nodes 3000; sleep 0.3; echo stop; echo savehash table; \
            echo quit) | exec bartizan",
        files: &[("table", Kind::Starts("BartizanHash"))],
        grows: false,
        tells: Tells::Text,
        needs: None,
    },
    Program {
        name: "game log",
        script: "(echo xboard; echo protover 2; echo option Game Log=log.pgn; echo sd 1; echo new; \
            for move in e2e4 d2d4 g1f3; do echo usermove $move; sleep 0.1; done; echo 'result 1-0 {won}'; \
            echo quit) | exec bartizan-xboard",
        files: &[("log.pgn", Kind::Pgn)],
        grows: true,
        tells: Tells::Text,
        needs: None,
    },
    Program {
        name: "debug log",
        script: "(echo setoption name Debug Log File value log; echo go nodes 1000; sleep 0.2; echo quit) | \
            exec bartizan",
        files: &[("log", Kind::Ends("\n"))],
        grows: true,
        tells: Tells::Text,
        needs: None,
    },
    Program {
        name: "test -o",
        script: "(echo setoption name Hash value 1; echo test $I/suite.epd -n 2000 -o out) | exec bartizan",
        files: &[("out", Kind::Ends(" s)\n"))],
        grows: false,
        tells: Tells::Text,
        needs: None,
    },
    Program {
        name: "save of play",
        script: "(echo e4; sleep 0.1; echo resign; echo save games.pgn; echo new; echo resign; echo save games.pgn; \
            echo quit) | exec bartizan play depth 1",
        files: &[("games.pgn", Kind::Pgn)],
        grows: true,
        tells: Tells::Text,
        needs: None,
    },
    // A kill ends the terminal, and its end the program.
    Program {
        name: "console history",
        script: "HOME=${HOME:+$PWD}; export HOME
            (for line in d eval moves d; do printf '%s %s\\r' $line $RANDOM; sleep 0.1; done; printf 'quit\\r'; \
            sleep 0.3) | script -qec \"$LIMIT bartizan\" /dev/null",
        files: &[(".config/bartizan/history", Kind::Text)],
        grows: true,
        tells: Tells::Nothing,
        needs: Some("script"),
    },
];

impl Program {
    /// The script with its abbreviations written out.
    pub(super) fn script(&self) -> String {
        self.script
            .replace("SELFPLAY", SELFPLAY)
            .replace("ENGINES", ENGINES)
            .replace("exec bartizan", "exec $LIMIT bartizan")
    }

    /// The name of the program that `$LIMIT` stands before.
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
            // What does not exist yet is no fault.
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
        // A queen on another square each time.
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
