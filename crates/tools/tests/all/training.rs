//! Runs `bartizan-tools data` and `train` on a few games of `selfplay`.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::{failure, path, success, text, tools, tools_with};
use bartizan_eval::{drawn_lead, known_value};
use bartizan_network::Network;
use bartizan_training::positions::PositionSample;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The output of a command that succeeds.
fn output(args: &[&str]) -> String {
    success(args, &tools(args))
}

/// The error of a command that fails.
fn error(args: &[&str]) -> String {
    failure(args, &tools(args))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// A folder with games, and with training and validation positions from them.
fn data() -> &'static Path {
    static DATA: OnceLock<tempfile::TempDir> = OnceLock::new();
    DATA.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let [games, train, held] = ["games.bin", "train.bin", "held.bin"].map(file);
        let [all, shuffled, positions] = ["all.pos", "shuffled.pos", "held.pos"].map(file);
        let common = ["--nodes", "60", "--hash", "1", "--threads", "1", "--json"];
        output(&[&["selfplay", "--games", "60", "--out", path(&games)][..], &common].concat());
        let split = ["--validation", "0.25", "--out-train", path(&train), "--out-validation", path(&held), "--json"];
        let counts = json(&output(&[&["data", "split", path(&games)][..], &split].concat()));
        assert_eq!(counts["train"].as_u64().unwrap() + counts["validation"].as_u64().unwrap(), 60);
        output(&["data", "filter", path(&train), "--out", path(&all)]);
        output(&["data", "filter", path(&held), "--out", path(&positions)]);
        output(&["data", "shuffle", path(&all), "--out", path(&shuffled)]);
        folder
    })
    .path()
}

fn file(name: &str) -> PathBuf {
    data().join(name)
}

fn records(name: &str) -> Vec<[u8; 32]> {
    let bytes = std::fs::read(file(name)).unwrap();
    let (records, rest) = bytes[8..].as_chunks();
    assert!(rest.is_empty());
    records.to_vec()
}

#[test]
fn shuffling_keeps_every_position_and_depends_on_the_seed() {
    let (mut before, mut after) = (records("all.pos"), records("shuffled.pos"));
    assert_ne!(before, after);
    before.sort_unstable();
    after.sort_unstable();
    assert_eq!(before, after);
    let again = file("again.pos");
    output(&["data", "shuffle", path(&file("all.pos")), "--out", path(&again)]);
    assert_eq!(std::fs::read(&again).unwrap(), std::fs::read(file("shuffled.pos")).unwrap());
    output(&["data", "shuffle", path(&file("all.pos")), "--seed", "2", "--out", path(&again)]);
    assert_ne!(std::fs::read(&again).unwrap(), std::fs::read(file("shuffled.pos")).unwrap());
}

#[test]
fn games_and_positions_are_counted() {
    let games = json(&output(&["data", "stats", path(&file("games.bin")), "--json"]));
    let count = |counts: &Value, name: &str| counts[name].as_u64().unwrap();
    assert_eq!(count(&games, "games"), 60);
    let filtered =
        json(&output(&["data", "filter", path(&file("train.bin")), "--out", path(&file("x.pos")), "--json"]));
    let reasons = ["opening", "in_check", "tactical", "decided", "taken"];
    assert_eq!(reasons.map(|name| count(&filtered, name)).iter().sum::<u64>(), count(&filtered, "positions"));
    assert!(reasons.iter().all(|name| count(&filtered, name) > 0), "{filtered}");
    let positions = json(&output(&["data", "stats", path(&file("all.pos")), "--json"]));
    assert_eq!(count(&positions, "positions"), count(&filtered, "taken"));
    assert_eq!(count(&positions, "in_check"), 0);
    let results = ["won", "drawn", "lost"].map(|name| count(&positions, name));
    assert_eq!(results.iter().sum::<u64>(), count(&positions, "positions"));
    let shown = output(&["data", "stats", path(&file("games.bin"))]);
    assert!(shown.starts_with("60 games\n") && shown.contains("won by the side to move"), "{shown}");
    if cfg!(unix) {
        for name in ["games.bin", "all.pos"] {
            let bytes = std::fs::read(file(name)).unwrap();
            let piped = text(&tools_with(Path::new("."), &["data", "stats", "/dev/stdin"], &bytes).stdout);
            assert_eq!(piped, output(&["data", "stats", path(&file(name))]));
        }
    }
}

fn train<'a>(out: &'a str, data: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let usual = ["train", "--data", data, "--out", out, "--hidden", "32", "--batch", "256", "--threads", "2"];
    [&usual, more].concat()
}

#[test]
fn a_network_is_trained_resumed_and_written() {
    let (out, chart) = (file("network.bin"), file("loss.svg"));
    let (shuffled, held) = (file("shuffled.pos"), file("held.pos"));
    let more = ["--validation", path(&held), "--epochs", "3", "--rate", "0.01", "--plot", path(&chart), "--json"];
    let epochs = output(&train(path(&out), path(&shuffled), &more));
    let epochs: Vec<Value> = epochs.lines().map(json).collect();
    assert_eq!(epochs.len(), 3);
    let loss = |epoch: &Value| epoch["train"].as_f64().unwrap();
    assert!(loss(&epochs[2]) < 0.9 * loss(&epochs[0]), "{epochs:?}");
    assert!(epochs[2]["validation"].as_f64().unwrap() > 0.0);
    let network = Network::from_bytes(&std::fs::read(&out).unwrap()).unwrap();
    assert_eq!((network.architecture().hidden(), network.quantisation().scale), (32, 400));
    assert!(network.origin().command.contains("--epochs 3"), "{}", network.origin().command);
    assert!(std::fs::read_to_string(&chart).unwrap().contains("validation"));

    // The same training gives the same bytes.
    let twin = file("twin.bin");
    output(&train(path(&twin), path(&shuffled), &more));
    assert_eq!(std::fs::read(&twin).unwrap(), std::fs::read(&out).unwrap());

    // A checkpoint is neither overwritten nor continued with other settings or data.
    assert!(error(&train(path(&out), path(&shuffled), &more)).contains("continue it with --resume"));
    let resume =
        |more: &[&str]| error(&train(path(&out), path(&shuffled), &[&["--resume", "--epochs", "4"], more].concat()));
    assert!(resume(&["--seed", "2"]).contains("another --rate"), "{}", resume(&["--seed", "2"]));
    let other = error(&train(path(&out), path(&file("all.pos")), &["--resume", "--rate", "0.01"]));
    assert!(other.contains("is not the data of that training"), "{other}");
    let more = ["--resume", "--epochs", "4", "--rate", "0.01", "--json"];
    let last = output(&train(path(&out), path(&shuffled), &more));
    assert_eq!(json(last.trim())["epoch"], 4);
    // The rate followed two curves, and the network records that.
    let command = Network::from_bytes(&std::fs::read(&out).unwrap()).unwrap().origin().command.clone();
    assert!(command.contains("--epochs 3") && command.ends_with(", after 3 --epochs 4"), "{command}");
    let fewer = error(&train(path(&out), path(&shuffled), &["--resume", "--epochs", "2", "--rate", "0.01"]));
    assert!(fewer.contains("4 epochs are already done, more than --epochs 2"), "{fewer}");
}

/// No command overwrites its input, or writes two outputs to the same file.
#[test]
fn inputs_and_outputs_are_different_files() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |name: &str| {
        let copy = folder.path().join(name);
        std::fs::copy(file(name), &copy).unwrap();
        copy
    };
    let (games, positions) = (copy("games.bin"), copy("all.pos"));
    let aliases = [&games, &positions].map(|file| file.parent().unwrap().join(".").join(file.file_name().unwrap()));
    let [games_alias, positions_alias] = aliases.each_ref().map(|alias| path(alias));
    let other = folder.path().join("other");
    let network = file("start.bin");
    output(&train(path(&network), path(&positions), &["--epochs", "1", "--json"]));
    for args in [
        &["data", "filter", path(&games), "--out", games_alias][..],
        &["data", "split", path(&games), "--out-train", games_alias, "--out-validation", path(&other)],
        &["data", "split", path(&games), "--out-train", path(&other), "--out-validation", games_alias],
        &["data", "vary", path(&positions), "--out", positions_alias],
        &train(positions_alias, path(&positions), &[]),
        &train(path(&other), path(&positions), &["--plot", positions_alias]),
        &train(path(&other), path(&positions), &["--checkpoint", positions_alias]),
        &train(positions_alias, path(&file("shuffled.pos")), &["--validation", path(&positions)]),
        &train(path(&network), path(&positions), &["--start", path(&network), "--checkpoint", path(&other)]),
    ] {
        let said = error(args);
        assert!(said.contains("is an input and would be overwritten"), "{args:?}: {said}");
    }
    let twin = folder.path().join(".").join("other");
    for args in [
        &["data", "split", path(&games), "--out-train", path(&other), "--out-validation", path(&twin)][..],
        &train(path(&other), path(&positions), &["--checkpoint", path(&twin)]),
        &train(path(&other), path(&positions), &["--plot", path(&twin)]),
    ] {
        let said = error(args);
        assert!(said.contains("is given for two outputs"), "{args:?}: {said}");
    }
    assert_eq!(std::fs::read(&games).unwrap(), std::fs::read(file("games.bin")).unwrap());
    assert_eq!(std::fs::read(&positions).unwrap(), std::fs::read(file("all.pos")).unwrap());
    assert!(!other.exists());
}

/// A network trained for the mean with the terms is good with them, and its training can only be continued for the
/// mean.
#[test]
fn a_network_is_trained_for_the_mean_with_the_terms() {
    let (out, shuffled, held) = (file("mean.bin"), file("shuffled.pos"), file("held.pos"));
    let more = ["--epochs", "3", "--rate", "0.01", "--lambda", "1", "--json"];
    output(&train(path(&out), path(&shuffled), &[&more[..], &["--with-terms"]].concat()));
    let network = Network::from_bytes(&std::fs::read(&out).unwrap()).unwrap();
    assert!(network.origin().command.contains(" --with-terms"), "{}", network.origin().command);
    let error_of = |evaluation: &str| {
        let options = ["--network", path(&out), "--evaluation", evaluation, "--summary", "--json"];
        json(&output(&[&["data", "evaluate", path(&held)][..], &options].concat()))["values"]["error"].as_f64().unwrap()
    };
    assert!(error_of("combined") < error_of("network"), "{} {}", error_of("combined"), error_of("network"));
    let more = ["--resume", "--epochs", "4", "--rate", "0.01", "--lambda", "1", "--json"];
    let other = error(&train(path(&out), path(&shuffled), &more));
    assert!(other.contains("another --with-terms"), "{other}");
    let last = output(&train(path(&out), path(&shuffled), &[&more[..], &["--with-terms"]].concat()));
    assert_eq!(json(last.trim())["epoch"], 4);
}

#[test]
fn positions_of_disagreement_are_listed_in_order() {
    let (out, shuffled, held) = (file("compared.bin"), file("shuffled.pos"), file("held.pos"));
    output(&train(path(&out), path(&shuffled), &["--epochs", "1", "--json"]));
    let compare = ["data", "compare", path(&held), "--network", path(&out), "--count", "5", "--nodes", "500", "--json"];
    let found = json(&output(&compare));
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 5);
    let points: Vec<f64> = rows.iter().map(|row| row["points"].as_f64().unwrap()).collect();
    assert!(points.is_sorted_by(|a, b| a >= b) && points[4] >= found["mean_points"].as_f64().unwrap(), "{found}");
    let network = Network::from_bytes(&std::fs::read(&out).unwrap()).unwrap();
    for row in rows {
        let position: bartizan_position::Position = row["fen"].as_str().unwrap().parse().unwrap();
        let value = network.value(&position);
        let shown = bartizan_eval::shown(value, bartizan_eval::MaterialCount::of(&position));
        let for_white = if position.turn().is_white() { shown } else { -shown };
        assert_eq!(row["network"], for_white, "{row}");
    }
    let wrong = error(&["data", "compare", path(&held), "--network", path(&shuffled)]);
    assert!(wrong.contains("shuffled.pos': not a network file"), "{wrong}");
}

#[test]
fn each_position_gets_the_value_of_the_network() {
    let (out, shuffled, held) = (file("evaluated.bin"), file("shuffled.pos"), file("held.pos"));
    let shape = ["--epochs", "1", "--king-buckets", "4", "--output-buckets", "8", "--json"];
    output(&train(path(&out), path(&shuffled), &shape));
    let network = Network::from_bytes(&std::fs::read(&out).unwrap()).unwrap();
    let evaluate = ["data", "evaluate", path(&held), path(&shuffled), "--network", path(&out)];
    let values = output(&evaluate);
    let objects = output(&[&evaluate[..], &["--json"]].concat());
    let samples: Vec<PositionSample> =
        ["held.pos", "shuffled.pos"].iter().flat_map(|name| records(name)).map(PositionSample::from_bytes).collect();
    assert_eq!((values.lines().count(), objects.lines().count()), (samples.len(), samples.len()));
    for ((sample, value), object) in samples.iter().zip(values.lines()).zip(objects.lines().map(json)) {
        let position = sample.packed().unpack().unwrap();
        assert_eq!(value, network.evaluate(&position).0.to_string());
        assert_eq!(object["value"].to_string(), value);
        assert_eq!(object["fen"], position.to_fen());
        assert_eq!(
            (&object["score"], object["result"].as_f64()),
            (&sample.score().into(), Some(sample.result().into()))
        );
    }

    // The other evaluations, and a summary of each.
    let values = output(&[&evaluate[..4], &["--evaluation", "classical"]].concat());
    let terms = |sample: &PositionSample| bartizan_eval::evaluate(&sample.packed().unpack().unwrap()).0.to_string();
    assert_eq!(values.lines().collect::<Vec<_>>(), samples.iter().map(terms).collect::<Vec<_>>());
    let summary = |options: &[&str]| json(&output(&[&evaluate[..], &["--summary", "--json"], options].concat()));
    let [by_network, by_hand, by_both] =
        ["network", "classical", "combined"].map(|evaluation| summary(&["--evaluation", evaluation]));
    for summary in [&by_network, &by_hand, &by_both] {
        assert_eq!(summary["positions"], samples.len());
        assert_eq!(summary["scores"], by_hand["scores"]);
        let error = summary["values"]["error"].as_f64().unwrap();
        assert!((0.0..0.25).contains(&error), "{summary}");
    }
    assert_ne!(by_network["values"], by_both["values"]);
    let text = output(&[&evaluate[..], &["--summary"]].concat());
    assert!(text.starts_with(&format!("{} positions\nvalues: mean squared difference 0.", samples.len())), "{text}");

    // A record that is not a position: White has no king.
    let broken = file("no king.pos");
    let mut bytes = std::fs::read(&held).unwrap();
    bytes[8 + 32..8 + 40].fill(0);
    std::fs::write(&broken, &bytes).unwrap();
    let wrong = error(&["data", "evaluate", path(&broken), "--network", path(&out)]);
    assert!(wrong.contains("no king.pos': record 2"), "{wrong}");
    let wrong = error(&["data", "evaluate", path(&held), "--network", path(&shuffled)]);
    assert!(wrong.contains("shuffled.pos': not a network file"), "{wrong}");
}

#[test]
fn wrong_files_are_named() {
    let (games, positions, out) = (file("games.bin"), file("all.pos"), file("none"));
    let (games, positions, out) = (path(&games), path(&positions), path(&out));
    let wrong = error(&train(out, games, &[]));
    assert!(wrong.contains("games.bin': not a file of positions"), "{wrong}");
    let wrong = error(&["data", "filter", positions, "--out", out]);
    assert!(wrong.contains("all.pos': not a self-play file"), "{wrong}");
    let wrong = error(&["data", "shuffle", games, "--out", out]);
    assert!(wrong.contains("games.bin': not a file of positions"), "{wrong}");
    let wrong = error(&["data", "split", games, "--out-train", out, "--out-validation", out]);
    assert!(wrong.contains("is given for two outputs"), "{wrong}");
    let wrong = error(&["data", "stats", "no such file"]);
    assert!(wrong.contains("cannot read 'no such file'"), "{wrong}");
    assert!(!Path::new(out).exists());

    // An invalid position: White's king is gone.
    let broken = file("broken.pos");
    let mut bytes = std::fs::read(positions).unwrap();
    bytes[8..16].fill(0);
    std::fs::write(&broken, &bytes).unwrap();
    let wrong = error(&train(out, path(&broken), &[]));
    assert!(wrong.contains("batch 1 has 1 records that are no positions"), "{wrong}");
    // The record is counted in its file.
    for command in ["stats", "vary"] {
        let more: &[&str] = if command == "vary" { &["--out", out] } else { &[] };
        let wrong = error(&[&["data", command, positions, path(&broken)], more].concat());
        assert!(wrong.contains("broken.pos': record 1"), "{wrong}");
    }
    bytes.pop();
    std::fs::write(&broken, &bytes).unwrap();
    let wrong = error(&["data", "stats", path(&broken)]);
    assert!(wrong.contains("broken.pos'"), "{wrong}");
}

/// If the data goes to standard output, nothing else does.
#[cfg(unix)]
#[test]
fn data_on_standard_output_has_no_summary_in_it() {
    let [games, positions] = ["train.bin", "all.pos"].map(file);
    let (games, positions, other) = (path(&games), path(&positions), file("on stdout"));
    for args in [
        &["data", "filter", games, "--out"][..],
        &["data", "shuffle", positions, "--out"],
        &["data", "vary", positions, "--copies", "1", "--out"],
        &["data", "split", games, "--out-validation", "/dev/null", "--out-train"],
    ] {
        output(&[args, &[path(&other)]].concat());
        let direct = tools(&[args, &["/dev/stdout"]].concat());
        let said = text(&direct.stderr);
        assert!(direct.status.success() && direct.stdout == std::fs::read(&other).unwrap(), "{args:?}: {said}");
        assert!(said.contains(" positions") || said.contains(" games to train with"), "{args:?}: {said}");
    }
}

/// These files are not compressed, and their names must not say that they are.
#[test]
fn names_of_compressed_files_are_refused() {
    let [games, positions] = ["train.bin", "all.pos"].map(file);
    let (games, positions, other) = (path(&games), path(&positions), file("other.bin"));
    for (args, name) in [
        (&["selfplay", "--games", "1", "--out"][..], "games.pgn.gz"),
        (&["data", "filter", games, "--out"], "filtered.pos.gz"),
        (&["data", "shuffle", positions, "--out"], "shuffled.pos.zst"),
        (&["data", "split", games, "--out-train", path(&other), "--out-validation"], "held.bin.bz2"),
    ] {
        let said = error(&[args, &[path(&file(name))]].concat());
        assert!(said.contains("': this output is not compressed; choose a name"), "{args:?}: {said}");
        assert!(!file(name).exists());
    }
}

/// A file that ends within a game is an error, unless it may still be written by another process.
#[test]
fn an_incomplete_game_at_the_end_is_left_out_if_it_may_be() {
    let (cut, out) = (file("cut.bin"), file("cut.pos"));
    let bytes = std::fs::read(file("games.bin")).unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() - 3]).unwrap();
    for args in
        [&["data", "stats", path(&cut), "--json"][..], &["data", "filter", path(&cut), "--out", path(&out), "--json"]]
    {
        let wrong = error(args);
        assert!(
            wrong.contains("record 60") && wrong.contains("is incomplete") && wrong.contains("--partial"),
            "{wrong}"
        );
        assert!(!out.exists());
        let output = tools(&[args, &["--partial"]].concat());
        let said = text(&output.stderr);
        assert!(output.status.success() && said.contains("is incomplete, skipped"), "{said}");
        let counts = json(&text(&output.stdout));
        assert_eq!((&counts["games"], &counts["skipped_games"]), (&59.into(), &0.into()));
    }
}

/// Game files are counted and checked: a changed bit is detected, and the games before it count.
#[test]
fn files_of_games_are_listed_and_checked() {
    let (games, cut, flipped) = (file("games.bin"), file("listed-cut.bin"), file("listed-flipped.bin"));
    let bytes = std::fs::read(&games).unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() - 3]).unwrap();
    let mut changed = bytes;
    let middle = changed.len() / 2;
    changed[middle] ^= 4;
    std::fs::write(&flipped, changed).unwrap();
    let whole = output(&["data", "list", path(&games), path(&games), "--json"]);
    let objects: Vec<Value> = whole.lines().map(json).collect();
    assert_eq!((objects.len(), &objects[0]["games"], &objects[2]["games"]), (3, &60.into(), &120.into()));
    let filtered = file("listed.pos");
    let taken = json(&output(&["data", "filter", path(&games), "--out", path(&filtered), "--json"]));
    assert_eq!((&objects[0]["positions"], &objects[0]["plies"]), (&taken["taken"], &taken["positions"]));

    let partial = output(&["data", "list", path(&cut), "--partial"]);
    assert!(partial.contains("ends within a game") && partial.contains("1 files"), "{partial}");
    let broken = tools(&["data", "list", path(&games), path(&cut), path(&flipped), path(&file("none.bin"))]);
    let said = text(&broken.stdout);
    assert_eq!(broken.status.code(), Some(1), "{said}");
    for part in ["is incomplete (--partial", "the checksum is wrong", "none.bin: ", "4 files, 3 of them broken"] {
        assert!(said.contains(part), "'{part}' is missing in {said}");
    }
}

/// Positions get other scores, also from another engine, and a run that was cut off continues.
#[test]
fn positions_are_scored_anew() {
    let (held, deep, other) = (file("held.pos"), file("deep.pos"), file("other.pos"));
    let rescore = ["data", "rescore", path(&held), "--nodes", "300", "--out", path(&deep)];
    output(&[&rescore[..], &["--threads", "2", "--json"]].concat());
    let [before, after] =
        ["held.pos", "deep.pos"].map(|name| records(name).into_iter().map(PositionSample::from_bytes));
    assert_eq!(before.len(), after.len());
    assert!(before.zip(after.clone()).all(|(before, after)| before.is_same_position(&after)));
    let changed =
        records("held.pos").into_iter().zip(after).filter(|(a, b)| PositionSample::from_bytes(*a).score() != b.score());
    assert!(changed.count() > 100);

    // The same from any place on, and only with these positions.
    let whole = std::fs::read(&deep).unwrap();
    assert!(error(&rescore).contains("--resume continues it"));
    for cut in [0, 5, 8, 8 + 32 * 40 + 7, whole.len()] {
        std::fs::write(&deep, &whole[..cut]).unwrap();
        let summary = json(&output(&[&rescore[..], &["--resume", "--json"]].concat()));
        assert_eq!(summary["resumed"], cut.saturating_sub(8) / 32);
        assert!(std::fs::read(&deep).unwrap() == whole, "cut at {cut}");
    }
    let all = file("all.pos");
    let foreign = ["data", "rescore", path(&all), "--nodes", "9", "--out", path(&deep), "--resume"];
    assert!(error(&foreign).contains("it does not begin with these positions"));
    assert!(std::fs::read(&deep).unwrap() == whole);
    assert!(error(&[&rescore[..3], &["--out", path(&other), "--st", "1"]].concat()).contains("--nodes or --depth"));

    // Another engine; and both as labels of the summary.
    let engine = format!("cmd='{}'", bartizan_testkit::fake_engine().display());
    let few = file("few.pos");
    std::fs::write(&few, &whole[..8 + 32 * 6]).unwrap();
    output(&[
        "data",
        "rescore",
        path(&few),
        "--nodes",
        "9",
        "--engine",
        &engine,
        "--out",
        path(&other),
        "--threads",
        "1",
    ]);
    assert_eq!(records("other.pos").len(), 6);
    let summary = |file: &Path, labels: &Path| {
        output(&["data", "evaluate", path(file), "--evaluation", "classical", "--summary", "--labels", path(labels)])
    };
    let table = summary(&held, &deep);
    assert!(table.contains("values against scores: ") && table.contains("values against labels: "), "{table}");
    assert!(table.contains("(opening ") && table.contains("endgame "), "{table}");
    let wrong = error(&["data", "evaluate", path(&held), "--summary", "--labels", path(&other)]);
    assert!(wrong.contains("other.pos' does not have the same positions"), "{wrong}");

    // The values of another program, here those of a search, which agree with it.
    let lines: String =
        records("few.pos").iter().map(|record| format!("{}\n", PositionSample::from_bytes(*record).score())).collect();
    let values = file("values.txt");
    std::fs::write(&values, &lines).unwrap();
    let evaluate = ["data", "evaluate", path(&few), "--values", path(&values), "--summary", "--json"];
    assert!(json(&output(&evaluate))["against_scores"]["error"]["mean"].as_f64().unwrap() < 1e-6);
    std::fs::write(&values, format!("{lines}1\n")).unwrap();
    assert!(error(&evaluate).contains("more lines"));
    std::fs::write(&values, "1\nx\n").unwrap();
    assert!(error(&evaluate).contains("values.txt': line 2: 'x' is not a whole number"));
}

/// Files that would take minutes or all memory are rejected at once.
#[cfg(unix)]
#[test]
fn what_was_never_written_is_refused_at_once() {
    let (sparse, out) = (file("sparse.pos"), file("unwritten.bin"));
    let mut data = std::fs::read(file("shuffled.pos")).unwrap();
    data.truncate(8);
    std::fs::write(&sparse, data).unwrap();
    std::fs::File::options().write(true).open(&sparse).unwrap().set_len(8 + (4 << 30)).unwrap();
    let wrong = error(&train(path(&out), path(&sparse), &[]));
    assert!(wrong.contains("sparse.pos': most of it was never written"), "{wrong}");
    let wrong = error(&train(path(&out), path(&file("shuffled.pos")), &["--validation", path(&sparse)]));
    assert!(wrong.contains("most of it was never written"), "{wrong}");
    let resume =
        |checkpoint| error(&train(path(&out), path(&file("shuffled.pos")), &["--resume", "--checkpoint", checkpoint]));
    let wrong = resume("/dev/zero");
    assert!(wrong.contains("/dev/zero") && wrong.contains("a device, not a file"), "{wrong}");
    let wrong = resume(path(&sparse));
    assert!(wrong.contains("more than 2147483648"), "{wrong}");
    assert!(!out.exists());
}

/// Without positions there is no loss, rather than an error of zero.
#[test]
fn no_positions_are_no_perfect_forecast() {
    let (empty, out) = (file("empty.pos"), file("unwritten.bin"));
    std::fs::write(&empty, &std::fs::read(file("all.pos")).unwrap()[..8]).unwrap();
    let wrong = error(&train(path(&out), path(&file("shuffled.pos")), &["--validation", path(&empty)]));
    assert!(wrong.contains("empty.pos' has no positions"), "{wrong}");
    let wrong = error(&["data", "evaluate", path(&empty), "--summary"]);
    assert!(wrong.contains("the files have no positions"), "{wrong}");
    assert!(!out.exists());
}

/// Random plies that end every game are an error.
#[test]
fn a_game_needs_a_start() {
    let (out, openings) = (file("random.bin"), file("last-capture.epd"));
    // White takes the last piece, and neither side can win.
    std::fs::write(&openings, "k7/8/8/8/8/8/1q6/K7 w - -\n").unwrap();
    let play = ["selfplay", "--games", "1", "--nodes", "1", "--out", path(&out), "--openings", path(&openings)];
    let wrong = error(&[&play[..], &["--random-plies", "1"]].concat());
    assert!(wrong.contains("game 0: after 1 random plies"), "{wrong}");
    std::fs::remove_file(&out).unwrap();
    let wrong = error(&[&play[..], &["--random-plies", "18446744073709551615"]].concat());
    assert!(wrong.contains("--random-plies '18446744073709551615': must be at most 100"), "{wrong}");
    assert!(!out.exists());
}

/// Games evaluated by a network. The file names the network, so that a later run needs no option.
#[test]
fn games_are_played_with_a_network() {
    let (network, other) = (file("player.bin"), file("other.bin"));
    for (out, epochs) in [(&network, "1"), (&other, "2")] {
        output(&train(path(out), path(&file("shuffled.pos")), &["--epochs", epochs]));
    }
    let play = |out: &str, more: &[&str]| -> String {
        let settings = ["selfplay", "--games", "4", "--nodes", "60", "--threads", "1", "--json", "--out", out];
        output(&[&settings, more].concat());
        // Without the line of the settings, which names the network.
        std::fs::read_to_string(out).unwrap().split_once('\n').unwrap().1.to_owned()
    };
    let [by_hand, by_network] = ["hand.pgn", "network.pgn"].map(file);
    let games = play(path(&by_network), &["--eval-file", path(&network)]);
    assert_eq!(games.matches("[Result ").count(), 4);
    assert_ne!(games, play(path(&by_hand), &[]));

    let resume = ["selfplay", "--resume", path(&by_network), "--games", "5", "--json"];
    assert_eq!(json(&output(&resume))["resumed"], 4);
    assert!(error(&[&resume[..], &["--eval-file", path(&other)]].concat()).contains("--eval-file (the file has "));
    std::fs::copy(&other, &network).unwrap();
    assert!(error(&resume).contains("has changed since the games were started"));
    assert!(
        error(&["selfplay", "--games", "1", "--out", "x.bin", "--eval-file", path(&by_hand)])
            .contains("hand.pgn': not a network file")
    );
}

/// Chess960 and random endings are shares of the games; searches end with a complete iteration after the soft limit.
#[test]
fn games_start_at_chess960_and_endings() {
    let out = file("mixed.pgn");
    let settings = ["--nodes", "400", "--soft-nodes", "40", "--chess960", "40", "--endings", "40", "--max-plies", "20"];
    output(&[&["selfplay", "--games", "30", "--json", "--out", path(&out)], &settings[..]].concat());
    let games = std::fs::read_to_string(&out).unwrap();
    let chess960 = games.matches("Variant \"Chess960\"").count();
    let endings = games.lines().filter(|line| line.starts_with("[FEN") && line.contains(" - - 0 1\"")).count();
    assert!((4..26).contains(&chess960) && (4..26).contains(&endings), "{chess960} {endings}");
    let wrong = ["selfplay", "--games", "1", "--out", "x.bin", "--chess960", "60", "--endings", "41"];
    assert!(error(&wrong).contains("--chess960 and --endings are more than 100 percent together"));
    assert!(
        error(&["selfplay", "--games", "1", "--out", "x.bin", "--soft-nodes", "5001"])
            .contains("invalid --soft-nodes '5001'")
    );
}

/// Each position starts two games, in an order that depends on the seed.
#[test]
fn games_begin_at_positions_of_others() {
    let (held, out, cut) = (file("held.pos"), file("from.pgn"), file("cut.pos"));
    let play = |positions: &Path, games: &str, out: &Path, seed: &str| {
        let settings = ["--nodes", "50", "--random-plies", "0", "--max-plies", "2", "--balance", "30000"];
        let files = ["--games", games, "--openings", path(positions), "--seed", seed, "--out", path(out)];
        [&["selfplay"][..], &settings, &files].concat().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let run = |args: &[String]| output(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let starts = |out: &Path| -> Vec<String> {
        let games = std::fs::read_to_string(out).unwrap();
        games.lines().filter_map(|line| Some(line.strip_prefix("[FEN \"")?.strip_suffix("\"]")?.to_owned())).collect()
    };
    run(&play(&held, "12", &out, "1"));
    let fens: std::collections::HashSet<String> = records("held.pos")
        .into_iter()
        .map(|record| PositionSample::from_bytes(record).packed().unpack().unwrap().to_fen())
        .collect();
    let first = starts(&out);
    assert_eq!(first.len(), 12);
    assert!(first.iter().all(|fen| fens.contains(fen)), "{first:?}");
    assert!(first.chunks(2).all(|pair| pair[0] == pair[1]), "{first:?}");
    let other = file("from2.pgn");
    run(&play(&held, "12", &other, "2"));
    assert_ne!(starts(&other), first);

    let bytes = std::fs::read(&held).unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() - 5]).unwrap();
    let args = play(&cut, "2", &file("cut.pgn"), "1");
    let message = error(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(message.contains("cut.pos'") && message.contains("the last position is incomplete"), "{message}");
    std::fs::write(&cut, [&bytes[..8], &[0xff; 32]].concat()).unwrap();
    let message = error(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(message.contains("invalid openings") && message.contains("position 1"), "{message}");
    std::fs::write(&cut, &bytes[..8]).unwrap();
    assert!(error(&args.iter().map(String::as_str).collect::<Vec<_>>()).contains("no openings in '"));
    assert!(!file("cut.pgn").exists());
}

/// New positions come from each of the old ones, whatever the number of threads, and a network can start from another.
#[test]
fn positions_are_varied_and_training_begins_with_a_network() {
    let (held, varied, again) = (file("held.pos"), file("varied.pos"), file("varied2.pos"));
    let vary = |out: &Path, threads: &str, seed: &str| {
        let options = ["--copies", "3", "--plies", "2", "--threads", threads, "--seed", seed, "--json"];
        json(&output(&[&["data", "vary", path(&held), "--out", path(out)][..], &options].concat()))
    };
    let counts = vary(&varied, "1", "1");
    let (read, positions) = (counts["read"].as_u64().unwrap(), counts["positions"].as_u64().unwrap());
    assert_eq!(read, records("held.pos").len() as u64);
    assert!(positions > 2 * read && positions <= 3 * read, "{counts}");
    assert_eq!(records("varied.pos").len() as u64, positions);
    // Random moves may lead to another position of the file, but rarely do.
    let old = records("held.pos");
    let same = records("varied.pos").iter().filter(|record| old.contains(record)).count() as u64;
    assert!(100 * same < positions, "{same} of {positions}");
    vary(&again, "3", "1");
    assert_eq!(std::fs::read(&again).unwrap(), std::fs::read(&varied).unwrap());
    vary(&again, "1", "2");
    assert_ne!(std::fs::read(&again).unwrap(), std::fs::read(&varied).unwrap());

    let (first, second) = (file("first.bin"), file("second.bin"));
    output(&train(path(&first), path(&varied), &["--epochs", "1", "--rate", "0.01"]));
    // The same positions, scored by that network.
    let vary = ["data", "vary", path(&held), "--out", path(&again), "--copies", "3", "--plies", "2", "--seed", "1"];
    output(&[&vary[..], &["--eval-file", path(&first), "--max-score", "30000"]].concat());
    let values = output(&["data", "evaluate", path(&again), "--network", path(&first)]);
    let samples: Vec<_> = records("varied2.pos").into_iter().map(PositionSample::from_bytes).collect();
    assert_eq!(samples.len(), values.lines().count());
    for (sample, value) in samples.iter().zip(values.lines()) {
        let (position, value) = (sample.packed().unpack().unwrap(), bartizan_types::Value(value.parse().unwrap()));
        let known = known_value(&position).or_else(|| drawn_lead(&position, value));
        assert_eq!(i32::from(sample.score()), known.unwrap_or(value).0);
    }
    // Scored by both evaluations.
    output(&[&vary[..], &["--eval-file", path(&first), "--evaluation", "combined"]].concat());
    let combined = ["--network", path(&first), "--evaluation", "combined"];
    let by_both = output(&[&["data", "evaluate", path(&again)][..], &combined].concat());
    let scores =
        records("varied2.pos").into_iter().map(|record| PositionSample::from_bytes(record).score().to_string());
    assert_eq!(by_both.lines().collect::<Vec<_>>(), scores.collect::<Vec<_>>());
    output(&[&vary[..], &["--eval-file", path(&first), "--max-score", "30000"]].concat());

    // With a rate that changes no integer, the second network is the first.
    let slow = ["--epochs", "1", "--rate", "0.000000001", "--final-rate", "0.000000001", "--weight-decay", "0"];
    output(&train(path(&second), path(&varied), &[&slow[..], &["--start", path(&first)]].concat()));
    let network = |file: &Path| Network::from_bytes(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!(network(&second).weights(), network(&first).weights());
    assert!(network(&second).origin().command.contains(" --start "), "{}", network(&second).origin().command);
    // It grows to a larger shape with the same values, but not to a smaller one.
    let grown = file("grown.bin");
    let shape = ["--king-buckets", "4", "--output-buckets", "2", "--start", path(&first)];
    output(&train(path(&grown), path(&varied), &[&slow[..], &shape].concat()));
    assert_eq!(network(&grown).architecture().king_bucket_count(), 4);
    assert_eq!(output(&["data", "evaluate", path(&again), "--network", path(&grown)]), values);
    let other = file("other-shape.bin");
    let smaller = error(&train(path(&other), path(&varied), &["--epochs", "1", "--start", path(&grown)]));
    assert!(smaller.contains("32 neurons, 4 king buckets and 2 output buckets, cannot grow"), "{smaller}");
    let scale = ["--epochs", "1", "--scale", "300", "--start", path(&first)];
    assert!(error(&train(path(&other), path(&varied), &scale)).contains("its --scale is 400, not 300"));
}
