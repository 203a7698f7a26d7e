//! Runs `bartizan-tools tune` on a few games of `bartizan-tools selfplay`.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::{TOOLS, path, text, tools};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// The same games in the binary format and as PGN.
fn games() -> &'static [PathBuf; 2] {
    static GAMES: OnceLock<(tempfile::TempDir, [PathBuf; 2])> = OnceLock::new();
    let (_, files) = GAMES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let files = ["games.bin", "games.pgn"].map(|name| folder.path().join(name));
        for file in &files {
            let out = tools(&[
                "selfplay",
                "--games",
                "40",
                "--nodes",
                "60",
                "--hash",
                "1",
                "--threads",
                "1",
                "--out",
                path(file),
                "--json",
            ]);
            assert!(out.status.success(), "{}", text(&out.stderr));
        }
        (folder, files)
    });
    files
}

fn tune(data: &Path, out: &Path, more: &[&str]) -> Output {
    let usual = ["tune", "--data", path(data), "--out", path(out), "--json", "--batch", "256"];
    tools(&[&usual, more].concat())
}

fn summary(output: &Output) -> Value {
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn a_fit_lowers_the_loss_and_writes_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("values.txt");
    let out = folder.path().join("out");
    let more = [
        "--epochs",
        "3",
        "--quiet",
        "--held-out",
        "0.2",
        "--objective",
        "ordinal",
        "--lambda",
        "0.7",
        "--source",
        path(&source),
    ];
    let summary = summary(&tune(&games()[0], &out, &more));
    assert_eq!((summary["epochs"].as_u64(), summary["complete"].as_bool()), (Some(3), Some(true)), "{summary:#}");
    assert!(summary["training_positions"].as_u64() > Some(300), "{summary:#}");
    assert!(summary["scale"].as_f64() > Some(0.0) && summary["draw_margin"].as_f64() > Some(0.0));
    assert_eq!(summary["selection"]["games"], 40);

    let losses = read(&out, "losses.jsonl");
    let train: Vec<f64> =
        losses.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["train"].as_f64().unwrap()).collect();
    assert!(train.len() == 4 && train[3] < train[0], "{losses}");
    assert!(read(&out, "losses.svg").ends_with("</svg>\n"));
    assert_eq!(serde_json::from_str::<Value>(&read(&out, "summary.json")).unwrap(), summary);
    // Both files contain the names of the terms.
    let weights: Value = serde_json::from_str(&read(&out, "weights.json")).unwrap();
    let source = std::fs::read_to_string(source).unwrap();
    let terms = weights["terms"].as_array().unwrap();
    assert!(terms.len() > 3 && terms.iter().all(|term| source.contains(term["name"].as_str().unwrap())), "{source}");

    // The written weights can start another fit.
    let from = out.join("weights.json");
    let again = tune(&games()[0], &folder.path().join("again"), &["--epochs", "0", "--start", path(&from)]);
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert!(read(&folder.path().join("again"), "weights.json") == read(&out, "weights.json"));
}

/// The value is the sum of network and terms, about twice their mean, and the fit continues with that network only.
#[test]
fn the_terms_are_fitted_for_the_mean_with_a_network() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name);
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/../network/built-in.bin");
    let run = |name: &str, more: &[&str]| tune(&games()[0], &out(name), &[&["--epochs", "2"], more].concat());
    let alone = summary(&run("alone", &[]));
    let mean = summary(&run("mean", &["--with-network"]));
    assert!(mean["scale"].as_f64().unwrap() > 1.5 * alone["scale"].as_f64().unwrap(), "{mean:#} {alone:#}");
    summary(&run("named", &["--with-network", "--network", network]));
    assert!(read(&out("named"), "weights.json") == read(&out("mean"), "weights.json"));

    let more = ["--resume", "--epochs", "3"];
    summary(&run_again(&out("named"), &more));
    let teacher = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/network/teacher.bin");
    for (name, more, expected) in [
        ("mean", vec!["--resume", "--with-network", "--network", teacher], "the network differs"),
        ("alone", vec!["--resume", "--with-network"], "--with-network"),
        ("new", vec!["--network", network], "--with-network"),
        ("new", vec!["--with-network", "--network", "nothing.bin"], "nothing.bin"),
    ] {
        let output = run(name, &more);
        assert!(!output.status.success() && text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
}

/// Continues a run without naming its data.
fn run_again(out: &Path, more: &[&str]) -> Output {
    tools(&[&["tune", "--out", path(out), "--json"], more].concat())
}

#[test]
fn the_result_does_not_depend_on_threads_format_or_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name);
    let run = |data: usize, name: &str, more: &[&str]| {
        let more = [&["--optimizer", "adagrad", "--resolve", "--refresh", "2", "--per-game", "20"][..], more].concat();
        summary(&tune(&games()[data], &out(name), &more));
        read(&out(name), "weights.json")
    };
    let one = run(0, "one", &["--threads", "1", "--epochs", "4"]);
    assert!(run(0, "three", &["--threads", "3", "--epochs", "4"]) == one);
    assert!(run(1, "pgn", &["--epochs", "4"]) == one, "the scores in the PGN are the same to a centipawn");
    for epochs in ["1", "2", "3", "4"] {
        let resume = if epochs == "1" { &[][..] } else { &["--resume"] };
        let weights = run(0, "pieces", &[&["--epochs", epochs], resume].concat());
        assert!(epochs != "4" || weights == one);
    }
    let heldout = |name: &str| -> Vec<Value> {
        let lines = read(&out(name), "losses.jsonl");
        lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["held_out"].clone()).collect()
    };
    assert_eq!(heldout("pieces"), heldout("one"));

    let restarted = tune(&games()[0], &out("one"), &["--epochs", "5"]);
    assert!(text(&restarted.stderr).contains("--resume"), "{}", text(&restarted.stderr));
    let other = tune(&games()[0], &out("one"), &["--epochs", "5", "--resume", "--seed", "2"]);
    let said = text(&other.stderr);
    assert!(!other.status.success() && said.contains("--seed 2 (the file has 1)"), "{said}");
}

#[test]
fn a_fit_that_diverges_keeps_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    // The second epoch begins with an absurd rate.
    let output = tune(&games()[0], &out, &["--epochs", "9", "--rate-epochs", "1", "--rate-factor", "1e308"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the fit diverged; the files are from before epoch"), "{said}");
    assert!(read(&out, "checkpoint.json").contains("\"history\":[{") && read(&out, "losses.jsonl").lines().count() > 1);
    assert_eq!(summary(&run_again(&out, &["--resume", "--epochs", "1"]))["epochs"], 1);
}

#[test]
fn epd_is_read_and_broken_data_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.epd");
    let good = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - c9 \"1-0\";\n\
                rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - c2 \"0.0\";\n\
                rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2 [0.5]\n\
                rnbqkbnr/pp1ppppp/2p5/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - c9 \"0.625\";\n";
    std::fs::write(&file, good).unwrap();
    let out = folder.path().join("out");
    let found = summary(&tune(&file, &out, &["--epochs", "1", "--held-out", "0"]));
    assert_eq!(found["selection"]["results"], serde_json::json!([1, 1, 1]));
    assert_eq!((&found["selection"]["means"], &found["selection"]["taken"]), (&1.into(), &4.into()));

    let wrong = good.replace("0.625", "6.25");
    std::fs::write(&file, &wrong).unwrap();
    let said = text(&tune(&file, &folder.path().join("wrong"), &[]).stderr);
    assert!(said.contains("positions.epd: line 4: invalid result '6.25', expected 1-0, "), "{said}");

    std::fs::write(&file, format!("{good}what is this\n")).unwrap();
    let broken = tune(&file, &folder.path().join("broken"), &[]);
    let said = text(&broken.stderr);
    assert!(!broken.status.success() && said.contains("positions.epd: line 5: "), "{said}");
    let skipped =
        summary(&tune(&file, &folder.path().join("skipped"), &["--epochs", "1", "--held-out", "0", "--skip-errors"]));
    assert_eq!(skipped["skipped_records"], 1);

    // A file that another process is still writing.
    let cut = folder.path().join("cut.bin");
    let bytes = std::fs::read(&games()[0]).unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() - 5]).unwrap();
    let wrong = tune(&cut, &folder.path().join("cut"), &["--epochs", "1"]);
    assert!(text(&wrong.stderr).contains("--partial"), "{}", text(&wrong.stderr));
    let output = tune(&cut, &folder.path().join("cut"), &["--epochs", "1", "--partial"]);
    assert_eq!(summary(&output)["selection"]["games"], 39);
    assert!(text(&output.stderr).contains("is incomplete, skipped"), "{}", text(&output.stderr));

    let absent = tune(&folder.path().join("absent.pgn"), &out, &["--resume"]);
    assert!(!absent.status.success() && text(&absent.stderr).contains("absent.pgn"), "{}", text(&absent.stderr));
    let term = tune(&games()[0], &folder.path().join("term"), &["--freeze", "nonsense"]);
    assert!(text(&term.stderr).contains("unknown term 'nonsense', expected one of "), "{}", text(&term.stderr));
}

/// The checks of `--validate` pass for the engine's own evaluation.
#[test]
fn gradient_and_trace_are_right() {
    let output = tools(&["tune", "--data", path(&games()[0]), "--validate", "300", "--json"]);
    let found = summary(&output);
    assert_eq!(found["ok"], true, "{found:#}");
    assert!(found["trace"]["positions"].as_u64() > Some(280), "known endings are no sums: {found:#}");
    assert!(found["mse"]["worst"].as_f64() < Some(1e-3) && found["ordinal"]["derivatives"].as_u64() > Some(1_000));
}

/// Begins an endless fit and interrupts it after its first epoch. Returns its directory.
#[cfg(unix)]
fn interrupted(folder: &Path, more: &[&str]) -> PathBuf {
    use std::time::{Duration, Instant};
    let out = folder.join("out");
    let data = path(&games()[0]);
    let args = ["tune", "--data", data, "--out", path(&out), "--json", "--epochs", "100000", "--patience", "100000"];
    let mut child = Command::new(TOOLS)
        .args(args)
        .args(more)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while !out.join("checkpoint.json").exists() {
        assert!(begin.elapsed() < Duration::from_secs(120) && child.try_wait().unwrap().is_none());
        std::thread::yield_now();
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    out
}

/// After Ctrl-C while positions are traced again, nothing is reported about missing positions.
#[cfg(unix)]
#[test]
fn an_interrupt_between_epochs_keeps_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let out = interrupted(folder.path(), &["--resolve", "--refresh", "1"]);
    if out.join("summary.json").exists() {
        let before: Value = serde_json::from_str(&read(&out, "summary.json")).unwrap();
        assert!(before["training_positions"].as_u64() > Some(0), "{before:#}");
    }
    let losses = read(&out, "losses.jsonl");
    let epochs: Vec<Value> = losses.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(epochs.iter().all(|epoch| epoch["gradients_per_second"] != 0.0), "{epochs:#?}");
    let next = epochs.last().unwrap()["epoch"].as_u64().unwrap() + 1;
    let found = summary(&run_again(&out, &["--epochs", &next.to_string(), "--resume", "--patience", "100000"]));
    assert_eq!(found["epochs"], next);
}

/// After Ctrl-C the last complete epoch is kept, and the run can be resumed from it.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let data = path(&games()[0]);
    let out = interrupted(folder.path(), &[]);
    let before: Value = serde_json::from_str(&read(&out, "summary.json")).unwrap();
    assert_eq!(before["complete"], false);
    let epochs = before["epochs"].as_u64().unwrap();
    let more = (epochs + 2).to_string();
    let output = tools(&[
        "tune",
        "--data",
        data,
        "--out",
        path(&out),
        "--json",
        "--epochs",
        &more,
        "--resume",
        "--patience",
        "100000",
    ]);
    assert_eq!(summary(&output)["epochs"], epochs + 2);
}
