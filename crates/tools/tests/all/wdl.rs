//! Runs `bartizan-tools wdl` on the sample in testdata.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::{path, text, tools};
use bartizan_testkit::testdata;
use serde_json::Value;
use std::path::Path;
use std::process::Output;

fn wdl(data: &Path, more: &[&str]) -> Output {
    tools(&[&["wdl", "--data", path(data)], more].concat())
}

fn summary(output: &Output) -> Value {
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn a_fit_writes_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let (out, source) = (folder.path().join("a/b"), folder.path().join("fitted.rs"));
    let data = testdata("wdl/sample.bin");
    let more = ["--out", path(&out), "--source", path(&source), "--plot", "--json"];
    let summary = summary(&wdl(&data, &more));
    assert_eq!((&summary["counts"]["games"], &summary["files"][0]), (&Value::from(60), &Value::from("sample.bin")));
    let likelihood = |name: &str| summary["log_likelihood"][name].as_f64().unwrap();
    assert!(likelihood("guessed") < likelihood("fitted") && likelihood("fitted") < 0.0, "{summary:#}");
    assert_eq!((numbers(&summary["model"]["half_won"]).len(), numbers(&summary["model"]["spread"]).len()), (4, 4));
    for table in ["by_score", "by_material"] {
        let buckets = summary[table].as_array().unwrap();
        let positions: u64 = buckets.iter().map(|bucket| bucket["positions"].as_u64().unwrap()).sum();
        assert_eq!(summary["counts"]["positions"], positions);
        for bucket in buckets {
            for shares in [numbers(&bucket["predicted"]), numbers(&bucket["seen"])] {
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-4, "{bucket:#}");
            }
        }
    }
    let read = |file: &Path| std::fs::read_to_string(file).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&read(&out.join("fit.json"))).unwrap(), summary);
    assert!(read(&out.join("fit.svg")).ends_with("</svg>\n"));
    let first = numbers(&summary["model"]["half_won"])[0];
    assert!(read(&source).contains(&format!("half_won: [{first:.3}, ")), "{}", read(&source));
    // No other files are written, and the same games give the same files.
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 2);
    let before = [read(&source), read(&out.join("fit.json"))];
    assert!(wdl(&data, &more).status.success());
    assert_eq!([read(&source), read(&out.join("fit.json"))], before);
}

#[test]
fn the_terminal_shows_tables() {
    let output = wdl(&testdata("wdl/sample.bin"), &[]);
    let said = text(&output.stdout);
    assert!(output.status.success() && said.starts_with("60 games, White +"), "{said}");
    for text in ["half won  [", "mean log-likelihood: guess ", "90 to 109", "66 up", "largest difference"] {
        assert!(said.contains(text), "{text}: {said}");
    }
}

#[test]
fn pgn_gives_the_same_fit() {
    let folder = tempfile::tempdir().unwrap();
    let [binary, pgn] = ["games.bin", "games.pgn"].map(|name| {
        let file = folder.path().join(name);
        let played = tools(
            &[
                &["selfplay", "--games", "40", "--nodes", "60", "--hash", "1", "--threads", "1", "--json"][..],
                &["--out", path(&file)],
            ]
            .concat(),
        );
        assert!(played.status.success(), "{}", text(&played.stderr));
        summary(&wdl(&file, &["--json"]))
    });
    assert_eq!((&binary["model"], &binary["by_score"]), (&pgn["model"], &pgn["by_score"]));
    // Self-play has internal scores. Those of other games, read as displayed scores, give another fit.
    let games = std::fs::read_to_string(folder.path().join("games.pgn")).unwrap();
    std::fs::write(folder.path().join("others.pgn"), games.replace("Bartizan selfplay", "others")).unwrap();
    let [of_bin, of_pgn, of_others] = ["games.bin", "games.pgn", "others.pgn"]
        .map(|name| summary(&wdl(&folder.path().join(name), &["--json", "--shown"])));
    assert_eq!((&of_bin["model"], &of_pgn["model"]), (&binary["model"], &binary["model"]));
    assert!(of_others["model"] != pgn["model"] && of_others["counts"]["games"] == pgn["counts"]["games"]);
}

#[test]
fn errors_are_reported_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let fails = |name: &str, bytes: &[u8], expected: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        let output = wdl(&file, &["--out", path(&out)]);
        let said = text(&output.stderr);
        assert!(!output.status.success() && said.contains(expected), "{said}");
        assert!(!out.exists());
    };
    let sample = std::fs::read(testdata("wdl/sample.bin")).unwrap();
    let mut broken = sample.clone();
    broken[16] = 9;
    fails("broken.bin", &broken, "broken.bin: record 1 at byte 8: invalid result 9");
    fails("empty.bin", b"BZSELF01", "empty.bin': no game with a result, 0 games without one");
    fails(
        "bare.pgn",
        b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n",
        "bare.pgn': 1 games with a result, but no move with a score",
    );
    fails(
        "one.pgn",
        b"1. e4 {+0.3/9} e5 {-0.2/9} 2. Nf3 {+0.3/9} Nc6 {-0.2/9} 3. Bb5 {+0.3/9} a6 {-0.2/9} 1-0\n",
        "cannot fit",
    );
    fails("bad.pgn", b"1. e4 {+0.3/9} Ke4 1-0\n", "bad.pgn: game 1, line 1");

    let absent = wdl(&folder.path().join("absent.bin"), &[]);
    assert!(!absent.status.success() && text(&absent.stderr).starts_with("error: cannot read '"));
    assert!(!wdl(&testdata("wdl/sample.bin"), &["--plot"]).status.success(), "--plot needs --out");

    // A wrong length hides where the next record begins, so the rest cannot be skipped.
    let mut hidden = sample.clone();
    hidden[8] ^= 1;
    fails("hidden.bin", &hidden, "hidden.bin: record 1 at byte 8: length ");
    let output = wdl(&folder.path().join("hidden.bin"), &["--skip-errors"]);
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(1) && !said.contains("--skip-errors"), "{said}");

    // The same applies after the readable part of a PGN file.
    fails("wide.pgn", b"\xff\xfe1\0.\0", "wide.pgn': game 1, line 1, column 1: the text is UTF-16");
    let output = wdl(&folder.path().join("wide.pgn"), &["--skip-errors"]);
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(1) && !said.contains("--skip-errors"), "{said}");

    // Skipped or incomplete records do not affect the rest.
    let skipped = summary(&wdl(&folder.path().join("broken.bin"), &["--skip-errors", "--json"]));
    assert_eq!((&skipped["counts"]["games"], &skipped["counts"]["broken"]), (&Value::from(59), &Value::from(1)));
    let cut = folder.path().join("cut.bin");
    std::fs::write(&cut, &sample[..sample.len() - 3]).unwrap();
    let wrong = wdl(&cut, &["--json"]);
    assert!(!wrong.status.success() && text(&wrong.stderr).contains("--partial"), "{}", text(&wrong.stderr));
    let output = wdl(&cut, &["--json", "--partial"]);
    assert_eq!(summary(&output)["counts"]["games"], 59);
    assert!(text(&output.stderr).contains("is incomplete, skipped"));
}
