//! Test suites and positions: `epd`.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // A test reports by panicking, and prints what it skips.

use super::commands::{json, spec};
use super::common::{TOOLS, text, tools};
use bartizan_testkit::fake_engine;
use serde_json::Value;
use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};

const SUITE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"back rank\";\n\
                     7k/8/8/8/8/8/R7/1R4K1 w - - dm 2; id \"ladder\";\n\
                     4k3/8/8/3q4/4P3/8/8/4K3 w - - am e5; id \"avoid\";\n\
                     rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm h4; id \"no\";\n";

#[test]
fn epd_suites_are_solved_compared_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("suite.epd"), SUITE).unwrap();
    let (suite, saved, plot) = (path("suite.epd"), path("saved.json"), path("plot.svg"));
    let output = tools(&[
        "epd", "test", &suite, "--depth", "6", "--json", "--save", &saved, "--plot", &plot, "--rating", "bt2630",
    ]);
    let run = json(&output);
    assert_eq!(
        (&run["summary"]["positions"], &run["summary"]["solved"]),
        (&Value::from(4), &Value::from(3)),
        "{run:#}"
    );
    assert!(run["summary"]["rating"].as_f64().unwrap() > 2630.0 - 900.0 / 4.0 - 5.0);
    let lapuce2 = json(&tools(&["epd", "test", &suite, "--depth", "6", "--json", "--rating", "lapuce2"]));
    assert_eq!(lapuce2["summary"]["rating"], 1900.0 + 3.0 * 30.0);
    assert!(std::fs::read_to_string(&plot).unwrap().starts_with("<svg"));
    let compared =
        tools(&["epd", "test", &suite, "--depth", "6", "-x", "2", "--concurrency", "2", "--compare", &saved]);
    let report = text(&compared.stdout);
    assert!(report.contains("3 of 4 solved") && report.contains("solved only then: 0"), "{report}");

    // Positions with the same name are compared in order.
    std::fs::write(path("same.epd"), SUITE.replace("id \"", "id \"same\"; c9 \"")).unwrap();
    let same = ["epd", "test", &path("same.epd"), "--depth", "4", "--json", "--save", &path("same.json")];
    json(&tools(&same));
    let compared = json(&tools(&[&same[..], &["--compare", &path("same.json")]].concat()));
    assert_eq!(compared["comparison"]["solved_only_then"], Value::Array(Vec::new()), "{compared:#}");
    // An illegal move is a wrong answer. Problems solved before an engine dies are reported.
    let fake = fake_engine();
    let engine = spec(&fake, "fake", "--illegal-at 1");
    let illegal = json(&tools(&["epd", "test", &suite, "--depth", "1", "--engine", &engine, "--json"]));
    assert_eq!((&illegal["summary"]["positions"], &illegal["outcomes"][0]["solved"]), (&4.into(), &false.into()));
    let engine = spec(&fake, "fake", "--crash-at 1");
    let chart = std::fs::read(&plot).unwrap();
    let crashed =
        tools(&["epd", "test", &suite, "--depth", "1", "--engine", &engine, "--save", &saved, "--plot", &plot]);
    assert!(!crashed.status.success() && text(&crashed.stdout).contains("0 of 0 solved"), "{}", text(&crashed.stdout));
    assert!(std::fs::read(&plot).unwrap() == chart);
    let engine = spec(&fake, "fake", "") + " nodes=5";
    let limits = text(&tools(&["epd", "test", &suite, "--depth", "1", "--engine", &engine]).stderr);
    assert!(limits.contains("has limits, which this command ignores"), "{limits}");

    let compared = json(&tools(&["epd", "test", &suite, "--depth", "6", "--compare", &saved, "--json"]));
    assert_eq!(compared["comparison"]["solved_only_now"], Value::Array(Vec::new()), "{compared:#}");

    let error = text(&tools(&["epd", "test", &suite]).stderr);
    assert!(error.contains("no search limit"), "{error}");
    std::fs::write(path("bad.epd"), "8/8 w\n").unwrap();
    let error = text(&tools(&["epd", "test", &path("bad.epd"), "--depth", "1"]).stderr);
    assert!(error.contains("bad.epd' line 1 skipped: ") && error.contains("bad.epd' has no position"), "{error}");

    // A bad line is skipped, and an unsolved position shows the expected move.
    std::fs::write(path("mixed.epd"), format!("{SUITE}8/8 w\n8/8/8/8/8/8/8/K1k5 w - - id \"no task\";\n")).unwrap();
    let output = tools(&["epd", "test", &path("mixed.epd"), "--depth", "3"]);
    let (report, warnings) = (text(&output.stdout), text(&output.stderr));
    assert!(report.contains("of 4 solved") && report.contains("expected bm h4"), "{report}");
    assert!(warnings.contains("line 5 skipped: ") && warnings.contains("line 6 skipped: no bm"), "{warnings}");
}

/// An engine's last line may be about another move than the one that it plays.
#[cfg(unix)]
#[test]
fn the_move_that_is_played_is_judged() {
    let folder = tempfile::tempdir().unwrap();
    let script = "while read -r command rest; do
        case $command in uci) echo uciok ;; isready) echo readyok ;; go) cat answer ;; quit) exit ;; esac
    done";
    std::fs::write(folder.path().join("engine.sh"), script).unwrap();
    for (task, line, best, solved, nodes) in [
        ("dm 1", "score mate 1 pv a1a8", "a1a8", true, 5),
        ("dm 1", "score mate 1 pv a1a8", "a1a2", false, 50),
        ("bm Ra2 Ra3", "score cp 9 pv a1a2", "a1a2", true, 5),
        ("bm Ra2 Ra3", "score cp 9 pv a1a2", "a1a3", true, 50),
    ] {
        std::fs::write(folder.path().join("p.epd"), format!("7k/8/6K1/8/8/8/8/R7 w - - {task};\n")).unwrap();
        let answer = format!("info depth 1 nodes 5 {line}\ninfo nodes 50\nbestmove {best}\n");
        std::fs::write(folder.path().join("answer"), answer).unwrap();
        let args = ["epd", "test", "p.epd", "--depth", "1", "--engine", "cmd=sh arg=engine.sh", "--json"];
        let output = Command::new(TOOLS).args(args).current_dir(folder.path()).stdin(Stdio::null()).output().unwrap();
        let outcome = &json(&output)["outcomes"][0];
        assert_eq!((&outcome["solved"], &outcome["nodes"]), (&solved.into(), &nodes.into()), "{task}: {outcome}");
    }
}

/// Searches completed before an engine dies are reported.
#[cfg(unix)]
#[test]
fn epd_depth_and_ttd_report_what_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let script = "while read -r command rest; do
        case $command in
            uci) for name in Hash Threads; do echo option name $name type spin default 1 min 1 max 9; done
                echo uciok ;;
            isready) echo readyok ;;
            go) [ \"$asked\" = 11 ] && exit; asked=1$asked
                echo info depth 1 score cp 9 nodes 5 pv a1a8; echo bestmove a1a8 ;;
        esac
    done";
    std::fs::write(folder.path().join("engine.sh"), script).unwrap();
    std::fs::write(folder.path().join("p.epd"), "6k1/5ppp/8/8/8/8/8/R5K1 w - -\n".repeat(4)).unwrap();
    for args in ["epd depth p.epd --nodes 9 --hash 1", "epd ttd p.epd --depth 1 --hash 1"] {
        let run = |more: &[&str]| {
            let engine = ["--engine", "cmd=sh arg=engine.sh"];
            let command = args.split(' ').chain(engine).chain(more.iter().copied());
            Command::new(TOOLS).args(command).current_dir(folder.path()).stdin(Stdio::null()).output().unwrap()
        };
        let (output, objects) = (run(&[]), run(&["--json"]));
        let (report, message) = (text(&output.stdout), text(&output.stderr));
        assert!(report.contains("2 positions") && message.contains("'p.epd' line 3"), "{report}{message}");
        assert_eq!(json(&objects)[0]["positions"], 2);
        assert_eq!((output.status.code(), objects.status.code()), (Some(1), Some(1)));
    }
}

#[test]
fn epd_perft_counts_and_finds_errors() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("perft.epd.gz");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    // Compression is detected by content.
    let mut gzip = flate2::write::GzEncoder::new(File::create(&file).unwrap(), flate2::Compression::fast());
    gzip.write_all(format!("{start} ;D1 20 ;D2 400 ;D3 8902\n").as_bytes()).unwrap();
    gzip.finish().unwrap();
    let output = tools(&["epd", "perft", file.to_str().unwrap(), "--threads", "2"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("3 counts, 9322 leaves, 0 wrong"));
    std::fs::write(&file, format!("{start} ;D1 20 ;D2 401\n")).unwrap();
    let output = tools(&["epd", "perft", file.to_str().unwrap()]);
    assert!(!output.status.success() && text(&output.stdout).contains("WRONG, expected 401"));
    let output = tools(&["epd", "perft", file.to_str().unwrap(), "--max-leaves", "1"]);
    assert!(text(&output.stderr).contains("has a count of at most 1 (--max-leaves)"));
}

#[test]
fn epd_ttd_compares_thread_counts() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.epd");
    std::fs::write(&file, SUITE).unwrap();
    let rows = json(&tools(&[
        "epd",
        "ttd",
        file.to_str().unwrap(),
        "--depth",
        "6",
        "--threads",
        "1,2",
        "--hash",
        "4",
        "--json",
    ]));
    assert_eq!(rows.as_array().unwrap().len(), 2);
    assert_eq!(rows[0]["speedup"], serde_json::json!([1.0, 1.0, 1.0]));
    assert_eq!((&rows[0]["positions"], &rows[1]["threads"]), (&Value::from(4), &Value::from(2)));
}

/// Several depths in one run: a row for each depth and thread count, and a chart with a curve for each count.
#[test]
fn epd_ttd_measures_several_depths() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("p.epd"), SUITE.lines().skip(2).collect::<Vec<_>>().join("\n")).unwrap();
    let (file, plot) = (path("p.epd"), path("plot.svg"));
    let args = ["epd", "ttd", &file, "--depth", "7,3,5,3", "--threads", "1,2,3", "--hash", "4"];
    let rows = json(&tools(&[&args[..], &["--json", "--plot", &plot]].concat()));
    let rows = rows.as_array().unwrap();
    let numbers: Vec<(u64, u64)> =
        rows.iter().map(|row| (row["depth"].as_u64().unwrap(), row["threads"].as_u64().unwrap())).collect();
    assert_eq!(numbers, [(3, 1), (3, 2), (3, 3), (5, 1), (5, 2), (5, 3), (7, 1), (7, 2), (7, 3)]);
    // One thread reaches each depth with more nodes than the one before it.
    let nodes = |row: usize| rows[row]["nodes"].as_u64().unwrap();
    assert!(nodes(0) < nodes(3) && nodes(3) < nodes(6), "{rows:#?}");
    let chart = std::fs::read_to_string(&plot).unwrap();
    assert!(chart.contains("Threads: 2") && chart.contains("Threads: 3") && chart.matches("<circle").count() == 6);
    let report = text(&tools(&args).stdout);
    assert!(report.starts_with("Bartizan") && report.contains("2 positions to depth 3, 5, 7, 4 MB"), "{report}");
    assert_eq!(report.lines().count(), 2 + 9);
    assert!(!tools(&["epd", "ttd", &file, "--depth", "3", "--plot", &file]).status.success());
}

#[test]
fn epd_depth_compares_engines() {
    let fake = fake_engine();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.epd");
    std::fs::write(&file, SUITE).unwrap();
    let file = file.to_str().unwrap();
    let rows = json(&tools(&["epd", "depth", file, "--nodes", "5000", "--hash", "4", "--json"]));
    assert_eq!(rows.as_array().unwrap().len(), 1);
    let row = &rows[0];
    assert_eq!(row["positions"], 4);
    assert!(row["depth_mean"].as_f64().unwrap() > 4.0 && row["branching_factor"].as_f64().unwrap() > 1.0, "{row}");
    assert!(row["seldepth_median"].as_f64().unwrap() > 1.0, "{row}");

    let engine = spec(&fake, "fake", "");
    let output =
        tools(&["epd", "depth", file, "--depth", "3", "--hash", "4", "--engine", &engine, "--engine", &engine]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout).lines().count(), 4, "{}", text(&output.stdout));

    let output = tools(&["epd", "depth", file]);
    assert!(text(&output.stderr).contains("no search limit"), "{}", text(&output.stderr));
}
