//! `--resume`: a file is checked before it is modified, and has the settings to continue with.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::{failure, success, text, tools_in};
use bartizan_games::selfplay::{GameReader, SelfplayGame, Unfinished};
use bartizan_position::PackedPosition;
use bartizan_testkit::fake_engine;
use serde_json::Value;
use std::path::Path;

/// Runs the program, which must succeed, and returns its JSON.
#[track_caller]
fn json(folder: &Path, args: &[&str]) -> Value {
    serde_json::from_str(&success(args, &tools_in(folder, args))).unwrap()
}

/// Runs the program, which must fail with this message and leave the file unchanged.
#[track_caller]
fn refused(folder: &Path, file: &str, args: &[&str], words: &[&str]) {
    let before = std::fs::read(folder.join(file)).unwrap();
    let message = failure(args, &tools_in(folder, args));
    for word in words {
        assert!(message.contains(word), "{args:?}: '{word}' is missing in: {message}");
    }
    assert_eq!(std::fs::read(folder.join(file)).unwrap(), before, "{args:?}");
}

const FOREIGN: [(&str, &str); 4] = [
    ("notes.txt", "notes without a line end"),
    ("lines.txt", "a line\nanother\n"),
    ("foreign.pgn", "[Event \"x\"]\n\n1. e4 e5 *"),
    ("other.pgn", "[Event \"x\"]\n\n1. e4 e5 1-0\n\n"),
];

#[test]
fn foreign_files_are_refused_and_stay() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let engine = format!("cmd='{}' nodes=1", fake_engine().display());
    for (name, content) in FOREIGN {
        std::fs::write(folder.join(name), content).unwrap();
        for more in [&[][..], &["--format", "pgn"], &["--format", "binary"]] {
            let whole = ["selfplay", "--games", "2", "--nodes", "50", "--resume", "--out", name];
            refused(folder, name, &[&whole[..], more].concat(), &["cannot resume", name]);
            refused(folder, name, &[&["selfplay", "--resume", name], more].concat(), &["cannot resume", name]);
        }
        let whole = ["match", "--engine", &engine, "--engine", &engine, "--journal", name, "--resume"];
        refused(folder, name, &whole, &[name]);
        refused(folder, name, &["match", "--resume", name], &["cannot resume", name]);
        for command in ["screen", "spsa"] {
            let whole = [command, "list.txt", "--engine", &engine, "--openings", "o.epd", "--journal", name];
            refused(folder, name, &[&whole[..], &["--resume"]].concat(), &["cannot resume", name]);
            refused(folder, name, &[command, "--resume", name], &["cannot resume", name]);
            refused(folder, name, &[command, "--report", name], &["cannot report", name]);
        }
        std::fs::create_dir_all(folder.join("fit")).unwrap();
        std::fs::write(folder.join("fit/checkpoint.json"), content).unwrap();
        let file = "fit/checkpoint.json";
        for resume in ["fit", file] {
            refused(folder, file, &["tune", "--resume", resume], &["cannot resume from", file]);
        }
        refused(folder, file, &["tune", "--data", "d.bin", "--out", "fit", "--resume"], &["cannot resume from", file]);
        assert_eq!(std::fs::read_dir(folder.join("fit")).unwrap().count(), 1);
    }
    // Nor does an empty file have the first line of a journal, with the settings.
    let games = "[Event \"x\"]\n\n1. e4 e5 1-0\n";
    for (name, content) in FOREIGN.into_iter().chain([("empty", ""), ("blank", "\n\n")]) {
        std::fs::write(folder.join(name), content).unwrap();
        std::fs::write(folder.join("p.epd"), "4k3/8/8/8/8/8/8/4K2R w K -\n").unwrap();
        std::fs::write(folder.join("g.pgn"), games).unwrap();
        for command in [&["epd", "mine", "g.pgn"][..], &["pgn", "label", "p.epd"]] {
            let args = [command, &["--nodes", "1", "--journal", name, "--resume"]].concat();
            refused(folder, name, &args, &["cannot resume", name]);
        }
    }
    // A PGN file of other games is appended to; anything else is rejected, before a journal is created.
    let args = ["match", "--engine", &engine, "--engine", &engine, "--journal", "j", "--pgn", "notes.txt"];
    refused(folder, "notes.txt", &args, &["notes.txt", "not a PGN file"]);
    assert!(!folder.join("j").exists());
}

#[test]
fn journals_of_other_commands_and_later_versions_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("p.epd"), "4k3/8/8/8/8/8/8/4K2R w K -\n").unwrap();
    std::fs::write(folder.join("g.pgn"), "[Event \"x\"]\n\n1. e4 e5 1-0\n").unwrap();
    for (command, file) in
        [("epd mine", "g.pgn"), ("pgn label", "p.epd"), ("pgn annotate", "g.pgn"), ("puzzles", "g.pgn")]
    {
        let words: Vec<&str> = command.split(' ').collect();
        let refused = |head: &str, expected: &str| {
            std::fs::write(folder.join("j"), head.to_owned() + "\n").unwrap();
            let args = [&words[..], &[file, "--nodes", "1", "--journal", "j", "--resume"]].concat();
            refused(folder, "j", &args, &[&format!("cannot resume 'j': {expected}")]);
        };
        let kind = format!("it is not a journal of {command}\n");
        refused(r#"{"event":"other","version":1,"settings":{}}"#, &kind);
        refused(r#"{"pairs":8}"#, &kind);
        // Its settings may be others.
        let later = format!(r#"{{"event":"{}","version":9,"settings":{{}}}}"#, words[words.len() - 1]);
        refused(&later, "it has version 9; this program reads versions up to 1\n");
    }
}

/// Each setting that affects results must be that of the journal; the message shows it as written.
#[test]
fn a_match_goes_on_with_the_settings_of_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let engine = format!("cmd='{}' nodes=1", fake_engine().display());
    let settings = ["--max-moves", "2", "--margin", "5", "--resign", "3,600", "--draw", "40,8,10", "--sprt", "0,10"];
    let args = ["match", "--engine", &engine, "--engine", &engine, "--json", "--journal", "j"];
    json(folder, &[&args[..], &settings].concat());
    for (option, given, difference) in [
        ("--margin", "6", "--margin 6 (the journal has 5)"),
        ("--hang", "9", "--hang 9 (the journal has 60)"),
        ("--resign", "3,600,both", "--resign 3,600,both (the journal has 3,600)"),
        ("--draw", "40,8,9", "--draw 40,8,9 (the journal has 40,8,10)"),
        ("--sprt", "0,5", "--sprt 0,5 --alpha 0.05 --beta 0.05 (the journal has 0,10 --alpha 0.05 --beta 0.05)"),
    ] {
        refused(folder, "j", &["match", "--resume", "j", option, given], &["cannot resume 'j'", difference]);
    }
    for (given, difference) in [
        ("ponder=true", "ponder of engine 'fake-engine' true (the journal has false)"),
        ("restart=true", "restart of engine 'fake-engine' true (the journal has false)"),
        ("margin=9", "margin of engine 'fake-engine' 9 (the journal has none)"),
        ("option.Hash=9", "option.Hash of engine 'fake-engine' 9 (the journal has none)"),
    ] {
        refused(folder, "j", &["match", "--resume", "j", "--each", given], &["cannot resume 'j'", difference]);
    }
    refused(folder, "j", &["match", "--resume", "j", "--pgn", "g.pgn.gz"], &["g.pgn.gz"]);
    assert!(!folder.join("g.pgn.gz").exists());
    assert_eq!(json(folder, &[&["match", "--json", "--resume", "j"], &settings[..]].concat())["games"], 2);
}

#[test]
fn selfplay_goes_on_with_the_settings_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let settings = ["--nodes", "60", "--seed", "5", "--random-plies", "6", "--max-plies", "60", "--hash", "1"];
    let play = |games: &str, out: &str, more: &[&str]| {
        let base = ["selfplay", "--json", "--threads", "2", "--games", games, "--out", out];
        json(folder, &[&base[..], &settings, more].concat())
    };
    for name in ["games.bin", "games.pgn"] {
        play("6", name, &[]);
        let whole = std::fs::read(folder.join(name)).unwrap();
        // Cut within the last game, as a kill leaves it.
        std::fs::write(folder.join(name), &whole[..whole.len() - 9]).unwrap();
        let summary = json(folder, &["selfplay", "--json", "--resume", name]);
        assert_eq!((&summary["resumed"], &summary["games"]), (&5.into(), &1.into()), "{name}");
        let sorted = |bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            bytes.sort_unstable();
            bytes
        };
        assert_eq!(sorted(&std::fs::read(folder.join(name)).unwrap()), sorted(&whole), "{name}");
        // The number of games may change, also by the whole command line, and stays changed.
        assert_eq!(play("7", name, &["--resume"])["games"], 1, "{name}");
        assert_eq!(json(folder, &["selfplay", "--json", "--resume", name])["resumed"], 7, "{name}");
        for (more, words) in [
            (&["--nodes", "61"][..], "--nodes 61 (the file has 60)"),
            (&["--seed", "6"], "--seed 6 (the file has 5)"),
            (&["--evaluation", "classical"], "--evaluation classical (the file has combined)"),
            (&["--adjudicate-draws"], "--adjudicate-draws (not set in the file)"),
            (&["--max-plies", "70", "--hash", "2"], "--max-plies 70 (the file has 60), --hash 2 (the file has 1)"),
            (&["--openings", "none.epd"], "none.epd"),
            (&["--eval-file", "none.bin"], "none.bin"),
            (&["--soft-nodes", "30"], "--soft-nodes 30 (the file has none)"),
            (&["--chess960", "10", "--endings", "5"], "--chess960 10 (the file has 0), --endings 5 (the file has 0)"),
        ] {
            refused(folder, name, &[&["selfplay", "--resume", name], more].concat(), &[words]);
        }
        // A file of another engine, which the settings reveal.
        change_searches(&folder.join(name));
        refused(folder, name, &["selfplay", "--games", "9", "--resume", name], &["the engine is version"]);
    }
    assert!(text(&tools_in(folder, &["selfplay", "--resume", "none.bin"]).stderr).contains("none.bin"));
}

/// Makes a file look like one of an engine that searches differently.
fn change_searches(path: &Path) {
    let changed = |settings: &str| {
        let at = settings.find("searches\"").unwrap() + 11;
        let digit = if settings[at..].starts_with('0') { "1" } else { "0" };
        format!("{}{digit}{}", &settings[..at], &settings[at + 1..])
    };
    if path.extension().is_some_and(|extension| extension == "pgn") {
        return std::fs::write(path, changed(&std::fs::read_to_string(path).unwrap())).unwrap();
    }
    let file = std::fs::File::options().read(true).write(true).open(path).unwrap();
    let mut file = Unfinished::open(file).unwrap();
    let settings = changed(file.settings().unwrap());
    file.change_settings(&settings).unwrap();
}

/// Files on which the games depend may have moved, however long their new names are.
#[test]
fn selfplay_goes_on_with_files_that_have_moved() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let network = Path::new(env!("CARGO_MANIFEST_DIR")).join("../network/built-in.bin");
    std::fs::copy(network, folder.join("n")).unwrap();
    std::fs::write(folder.join("o"), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n").unwrap();
    let begin = ["--nodes", "30", "--max-plies", "10", "--eval-file", "n", "--openings", "o", "--json"];
    for name in ["games.bin", "games.pgn"] {
        json(folder, &[&["selfplay", "--games", "1", "--out", name], &begin[..]].concat());
    }
    let long = format!("{:a<200}", "");
    std::fs::create_dir(folder.join(&long)).unwrap();
    let [network, openings] = ["n", "o"].map(|file| {
        std::fs::rename(folder.join(file), folder.join(&long).join(file)).unwrap();
        format!("{long}/{file}")
    });
    for name in ["games.bin", "games.pgn"] {
        refused(folder, name, &["selfplay", "--resume", name, "--games", "2"], &["cannot open the network 'n'"]);
        let moved = ["--eval-file", &network, "--openings", &openings, "--json"];
        let resumed = json(folder, &[&["selfplay", "--resume", name, "--games", "2"], &moved[..]].concat());
        assert_eq!((&resumed["resumed"], &resumed["games"]), (&1.into(), &1.into()), "{name}");
    }
}

/// A file as the first versions wrote it.
fn old_file(games: &[SelfplayGame]) -> Vec<u8> {
    let mut bytes = b"BZSELF01".to_vec();
    for game in games {
        let plies = game.moves.len();
        bytes.extend((40 + 4 * plies as u32).to_le_bytes());
        bytes.extend(game.id.to_le_bytes());
        bytes.extend([game.winner.map_or(1, |winner| if winner.is_white() { 2 } else { 0 }), 0]);
        bytes.extend((plies as u16).to_le_bytes());
        bytes.extend(PackedPosition::pack(&game.start).0);
        for scored in &game.moves {
            bytes.extend(scored.mv.to_bits().to_le_bytes());
            bytes.extend(scored.score.to_le_bytes());
        }
    }
    bytes
}

/// A file of a version that wrote no settings: the games show whether those of the command line are right.
#[test]
fn selfplay_goes_on_with_a_file_without_settings() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let whole = ["selfplay", "--json", "--nodes", "60", "--seed", "5", "--max-plies", "60", "--out", "games.bin"];
    json(folder, &[&whole[..], &["--games", "4"]].concat());
    let new = std::fs::read(folder.join("games.bin")).unwrap();
    let old = old_file(&GameReader::new(&new[..]).unwrap().map(Result::unwrap).collect::<Vec<_>>());
    std::fs::write(folder.join("games.bin"), &old).unwrap();
    let missing = ["has no settings", "--games, --nodes and --seed"];
    refused(folder, "games.bin", &["selfplay", "--resume", "games.bin"], &missing);
    let seed = ["selfplay", "--games", "5", "--nodes", "60", "--seed", "6", "--resume", "games.bin"];
    refused(folder, "games.bin", &seed, &["does not begin as one of --seed 6 and --random-plies 8"]);
    // Other nodes cannot be distinguished from another engine.
    let output = tools_in(folder, &[&whole[..], &["--games", "4", "--resume", "--nodes", "400"]].concat());
    assert!(!output.status.success(), "an option given twice");
    let nodes = ["selfplay", "--games", "4", "--nodes", "400", "--seed", "5", "--resume", "games.bin"];
    assert!(text(&tools_in(folder, &nodes).stderr).contains("plays the first game of 'games.bin' differently"));
    let summary = json(folder, &[&whole[..], &["--games", "5", "--resume"]].concat());
    assert_eq!((&summary["resumed"], &summary["games"]), (&4.into(), &1.into()));
    assert!(std::fs::read(folder.join("games.bin")).unwrap().starts_with(&old));
}

#[test]
fn a_match_goes_on_with_the_settings_of_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let fake = fake_engine();
    let [a, b] = ["a", "b"].map(|name| format!("cmd='{}' name={name} arg=--seed arg=1", fake.display()));
    let begin = ["match", "--engine", &a, "--engine", &b, "--nodes", "1", "--max-moves", "5", "--json"];
    // The PGN file has a game of the user's.
    let other = "[Event \"other\"]\n\n1. d4 *\n\n";
    std::fs::write(folder.join("g.pgn"), other).unwrap();
    json(folder, &[&begin[..], &["--rounds", "2", "--journal", "j", "--pgn", "g.pgn"]].concat());
    let pgn = std::fs::read_to_string(folder.join("g.pgn")).unwrap();
    assert!(pgn.starts_with(other) && pgn.matches("[Event ").count() == 5, "{pgn}");

    // Cut as a kill leaves it: the journal within a line, the PGN file within a game.
    let journal = std::fs::read_to_string(folder.join("j")).unwrap();
    let third = journal.match_indices("{\"event\":\"game\"").nth(2).unwrap().0;
    std::fs::write(folder.join("j"), &journal[..third + 50]).unwrap();
    std::fs::write(folder.join("g.pgn"), &pgn[..pgn.match_indices("[Event ").nth(2).unwrap().0 + 99]).unwrap();
    let summary = json(folder, &["match", "--resume", "j", "--json"]);
    assert_eq!(summary["games"], 4);
    let resumed = std::fs::read_to_string(folder.join("g.pgn")).unwrap();
    assert!(resumed.starts_with(other) && resumed.matches("[Event ").count() == 5, "{resumed}");

    // More rounds, with or without the whole command line.
    assert_eq!(json(folder, &["match", "--resume", "j", "--rounds", "3", "--json"])["games"], 6);
    let more = ["--rounds", "4", "--journal", "j", "--resume"];
    assert_eq!(json(folder, &[&begin[..], &more].concat())["games"], 8);
    assert_eq!(std::fs::read_to_string(folder.join("g.pgn")).unwrap().matches("[Event ").count(), 9);
    // An engine's answer timeout does not affect any game.
    let patient = ["match", "--resume", "j", "--rounds", "5", "--each", "answer=60", "--json"];
    assert_eq!(json(folder, &patient)["games"], 10);
    assert_eq!(std::fs::read_to_string(folder.join("j")).unwrap().matches("\"answer\":60").count(), 2);
    for (more, words) in [
        (&["--nodes", "2"][..], "nodes of engine 'a' 2 (the journal has 1), nodes of engine 'b' 2"),
        (
            &["--max-moves", "6", "--format", "gauntlet"],
            "--format gauntlet (the journal has round-robin), --max-moves 6",
        ),
        (&["--chess960"], "--chess960 (not set in the journal)"),
        (&["--openings", "x.epd", "--seed", "3"], "--openings x.epd (the journal has none), --seed 3"),
        (&["--each", "nodestime=500"], "nodestime of engine 'a' 500 (the journal has none)"),
        (&["--each", "option.Hash=3"], "option.Hash of engine 'a' 3 (the journal has none)"),
        (&["--engine", &b, "--engine", &a], "name of engine 'a' b (the journal has a)"),
        (&["--engine", &a], "--engine given 1 times (the journal has 2 engines)"),
        (&["--resign", "3,500"], "--resign"),
        (&["--journal", "k"], "--resume and --journal name different files"),
    ] {
        refused(folder, "j", &[&["match", "--resume", "j"], more].concat(), &[words]);
    }
}

/// A pair of games played later would have another opening.
#[test]
fn a_run_goes_on_with_the_openings_that_it_began_with() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let engine = paired(folder);
    let matched = ["match", "--engine", &engine, "--engine", &engine, "--max-moves", "5"];
    let screen = ["screen", "changes.txt", "--engine", &engine, "--pairs", "4"];
    let spsa = ["spsa", "numbers.txt", "--engine", &engine, "--pairs", "4", "--batch", "2"];
    for (args, words) in [
        (&matched[..], "the contents of the openings of the journal and of this match differ"),
        (&screen, "the contents of the openings of the journal and of this match differ"),
        (&spsa, "cannot resume 'spsa': the contents of the openings 'o.epd' have changed"),
    ] {
        let journal = args[0];
        std::fs::write(folder.join("o.epd"), OPENINGS).unwrap();
        json(folder, &[args, &["--openings", "o.epd", "--json", "--journal", journal]].concat());
        let resume = [journal, "--resume", journal, "--json"];
        // Nothing that affects the games has changed.
        std::fs::write(folder.join("o.epd"), OPENINGS.replace("w - -\n", "w - - id \"x\";\n")).unwrap();
        json(folder, &resume);
        std::fs::write(folder.join("o.epd"), OPENINGS.replace("qqqq", "rrrr")).unwrap();
        refused(folder, journal, &resume, &[words]);
        // Journals of older versions lack it.
        let text = std::fs::read_to_string(folder.join(journal)).unwrap();
        let cut = |line: &str| {
            let at = line.find("sha256\":\"")? + 9;
            let (start, end) = (line[..at].rfind(',')?, at + line[at..].find('"')? + 1);
            Some(format!("{}{}", &line[..start], &line[end..]))
        };
        let old: String = text.lines().map(|line| cut(line).unwrap_or_else(|| line.to_owned()) + "\n").collect();
        assert_ne!(old, text);
        std::fs::write(folder.join(journal), old).unwrap();
        json(folder, &resume);
    }
}

/// Endings that random moves win, or spoil by stalemate.
const OPENINGS: &str =
    "qqqqkqqq/8/8/8/8/8/8/4K3 w - -\n4k3/8/8/8/8/8/8/RRQQKQRR w - -\nqqqqkqqq/8/8/8/8/8/8/4K3 b - -\n";

/// The files of a run with pairs of games: some changes or parameters, openings, and the engine.
fn paired(folder: &Path) -> String {
    std::fs::write(folder.join("changes.txt"), "hash | Hash=16 | Hash=32\nstyle | | Style=Solid\n").unwrap();
    std::fs::write(folder.join("numbers.txt"), "Hash | 16 | 1 | 64 | 4\n").unwrap();
    std::fs::write(folder.join("o.epd"), OPENINGS).unwrap();
    format!("cmd='{}' nodes=1 arg=--seed arg=3", fake_engine().display())
}

/// The games of a journal by number, without the times.
fn games(text: &str) -> Vec<(u64, Value, Value)> {
    let entries = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let games = entries.filter(|entry| entry["event"] == "game");
    let mut games: Vec<_> =
        games.map(|game| (game["id"].as_u64().unwrap(), game["winner"].clone(), game["plies"].clone())).collect();
    games.sort_unstable_by_key(|game| game.0);
    games
}

#[test]
fn a_screening_goes_on_with_the_settings_of_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let engine = paired(folder);
    let settings = ["--openings", "o.epd", "--pairs", "6", "--seed", "4", "--json"];
    let begin = ["screen", "changes.txt", "--engine", &engine, "--concurrency", "2", "--journal", "j"];
    let whole = json(folder, &[&begin[..], &settings].concat());
    let journal = std::fs::read_to_string(folder.join("j")).unwrap();
    // The list is not needed again, because the journal has it.
    std::fs::remove_file(folder.join("changes.txt")).unwrap();
    assert_eq!(json(folder, &["screen", "--report", "j", "--json"]), whole);
    // Cut as a kill leaves it.
    let fifth = journal.match_indices("{\"event\":\"game\"").nth(4).unwrap().0;
    std::fs::write(folder.join("j"), &journal[..fifth + 50]).unwrap();
    assert_eq!(json(folder, &["screen", "--resume", "j", "--json"]), whole);
    let resumed = std::fs::read_to_string(folder.join("j")).unwrap();
    assert_eq!(games(&resumed), games(&journal));
    let run = resumed.lines().find(|line| line.starts_with("{\"event\":\"resume\"")).unwrap();
    let run: Value = serde_json::from_str(run).unwrap();
    assert_eq!((&run["games"], &run["settings"]["concurrency"]), (&4.into(), &2.into()));

    paired(folder);
    let same = [&begin[..], &settings, &["--resume"]].concat();
    assert_eq!(json(folder, &same), whole);
    let patient = format!("{engine} answer=60");
    let more = ["screen", "--resume", "j", "--concurrency", "1", "--engine", &patient, "--json"];
    assert_eq!(json(folder, &more), whole);
    std::fs::write(folder.join("other.txt"), "hash | Hash=16 | Hash=33\n").unwrap();
    for (more, words) in [
        (&["--pairs", "7"][..], "--pairs 7 (the file has 6)"),
        (&["--seed", "5", "--openings", "p.epd"], "--openings p.epd (the file has o.epd), --seed 5 (the file has 4)"),
        (&["--engine", "cmd=x nodes=1"], "--engine cmd=x nodes=1 (the file has cmd="),
        (&["--journal", "k"], "--resume and --journal name different files"),
    ] {
        refused(folder, "j", &[&["screen", "--resume", "j"], more].concat(), &[words]);
    }
    refused(
        folder,
        "j",
        &["screen", "other.txt", "--resume", "j"],
        &["cannot resume 'j'", "other factors in 'other.txt'"],
    );
    refused(folder, "j", &["screen", "other.txt", "--report", "j"], &["cannot report 'j'", "other factors"]);
    // Journals of older versions have no list, and neither have those of a match.
    let old = journal.lines().map(|line| {
        let mut entry: Value = serde_json::from_str(line).unwrap();
        entry.as_object_mut().unwrap().remove("extra");
        entry.to_string() + "\n"
    });
    std::fs::write(folder.join("j"), old.collect::<String>()).unwrap();
    refused(
        folder,
        "j",
        &["screen", "--resume", "j"],
        &["cannot resume 'j': it has no settings of a screening", "--engine"],
    );
    assert_eq!(json(folder, &same), whole);
    assert_eq!(json(folder, &["screen", "--resume", "j", "--json"]), whole);
}

#[test]
fn spsa_goes_on_with_the_settings_of_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let engine = paired(folder);
    let settings = ["--openings", "o.epd", "--pairs", "10", "--batch", "4", "--rate", "0.5", "--seed", "4", "--json"];
    let begin = ["spsa", "numbers.txt", "--engine", &engine, "--concurrency", "2", "--journal", "j"];
    let whole = json(folder, &[&begin[..], &settings].concat());
    assert_ne!(whole["values"][0]["moved"], 0.0, "the variants play alike: {whole}");
    let course = std::fs::read_to_string(folder.join("j")).unwrap();
    std::fs::remove_file(folder.join("numbers.txt")).unwrap();
    assert_eq!(json(folder, &["spsa", "--report", "j", "--json"]), whole);
    // Cut as a kill leaves it, with the games of the step before.
    let second = course.match_indices("\n{").nth(1).unwrap().0;
    std::fs::write(folder.join("j"), &course[..second + 9]).unwrap();
    for name in ["j.0.games", "j.4.games"] {
        std::fs::write(folder.join(name), "{\"event\":\"sta").unwrap();
    }
    assert_eq!(json(folder, &["spsa", "--resume", "j", "--json"]), whole);
    assert_eq!(std::fs::read_to_string(folder.join("j")).unwrap(), course);
    let left = |name: &str| folder.join(name).exists();
    assert!(!left("j.0.games") && !left("j.4.games") && !left("j.8.games"));

    paired(folder);
    assert_eq!(json(folder, &[&begin[..], &settings, &["--resume"]].concat()), whole);
    assert_eq!(json(folder, &["spsa", "--resume", "j", "--concurrency", "1", "--json"]), whole);
    std::fs::write(folder.join("other.txt"), "Hash | 17 | 1 | 64 | 4\n").unwrap();
    for (more, words) in [
        (&["--pairs", "7", "--batch", "5"][..], "--pairs 7 (the file has 10), --batch 5 (the file has 4)"),
        (&["--rate", "0.25"], "--rate 0.25 (the file has 0.5)"),
        (&["--seed", "5"], "--seed 5 (the file has 4)"),
        (&["--resign", "3,600"], "--resign 3,600 (the file has none)"),
        (&["--openings", "p.epd"], "--openings p.epd (the file has o.epd)"),
        (&["--engine", "cmd=x nodes=1"], "--engine cmd=x nodes=1 (the file has cmd="),
        (&["--journal", "k"], "--resume and --journal name different files"),
    ] {
        refused(folder, "j", &[&["spsa", "--resume", "j"], more].concat(), &[words]);
    }
    refused(
        folder,
        "j",
        &["spsa", "other.txt", "--resume", "j"],
        &["cannot resume 'j'", "other parameters in 'other.txt'"],
    );
    // Journals of older versions do not record the number of concurrent games.
    let old = course.replacen(",\"concurrency\":2", "", 1);
    assert_ne!(old, course);
    std::fs::write(folder.join("j"), old).unwrap();
    assert_eq!(json(folder, &["spsa", "--resume", "j", "--json"]), whole);

    // A range that differs from the engine's is rejected before the first game.
    for (line, words) in [
        ("Hash | 16 | 1 | 65 | 4", "cannot set option 'Hash': '65' is not in the range 1 to 64"),
        ("Hash | 16 | 0 | 64 | 4", "cannot set option 'Hash': '0' is not in the range 1 to 64"),
        ("Ponder | 1 | 0 | 1 | 1", "the option 'Ponder' is not a number"),
        ("Hush | 16 | 1 | 64 | 4", "cannot set option 'Hush': the engine has no such option; did you mean 'Hash'?"),
    ] {
        std::fs::write(folder.join("numbers.txt"), line).unwrap();
        let args = [&begin[..6], &["--journal", "k"], &settings].concat();
        refused(folder, "numbers.txt", &args, &["invalid parameters 'numbers.txt'", words]);
        assert!(!left("k"));
    }
    paired(folder);
    // A run that cannot begin leaves no journal.
    for (option, value) in [("--concurrency", "0"), ("--engine", "cmd=none nodes=1"), ("--openings", "none.epd")] {
        let mut args = [&begin[..], &settings].concat();
        args[7] = "k";
        let at = args.iter().position(|arg| *arg == option).unwrap();
        args[at + 1] = value;
        let failed = tools_in(folder, &args);
        assert!(!failed.status.success() && !left("k"), "{args:?}: {}", text(&failed.stderr));
    }
}

#[test]
fn a_fit_goes_on_with_the_settings_of_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    json(folder, &["selfplay", "--games", "30", "--nodes", "60", "--hash", "1", "--out", "d.bin", "--json"]);
    let begin = ["tune", "--data", "d.bin", "--json", "--batch", "256", "--optimizer", "adagrad", "--lambda", "0.7"];
    let more =
        ["--per-game", "20", "--held-out", "0.2", "--resolve", "--refresh", "2", "--seed", "3", "--threads", "2"];
    let begin = [&begin[..], &more].concat();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    json(folder, &[&begin[..], &["--out", "whole", "--epochs", "4"]].concat());
    json(folder, &[&begin[..], &["--out", "fit", "--epochs", "2", "--source", "fit.txt"]].concat());
    let checkpoint = read("fit/checkpoint.json");
    std::fs::remove_file(folder.join("fit.txt")).unwrap();
    let summary = json(folder, &["tune", "--resume", "fit", "--epochs", "4", "--json"]);
    assert_eq!((&summary["epochs"], &summary["threads"]), (&4.into(), &2.into()));
    assert_eq!(read("fit/weights.json"), read("whole/weights.json"));
    assert!(read("fit.txt").ends_with("# end\n"), "the source is written again");
    // The number of epochs stays changed, and the checkpoint can stand for its directory.
    assert_eq!(json(folder, &["tune", "--resume", "fit/checkpoint.json", "--json"])["epochs"], 4);
    assert_eq!(read("fit/weights.json"), read("whole/weights.json"));
    // A kill within the third epoch leaves the checkpoint of the second.
    std::fs::write(folder.join("fit/checkpoint.json"), checkpoint.replacen("\"epochs\":2", "\"epochs\":4", 1)).unwrap();
    assert_eq!(json(folder, &["tune", "--resume", "fit", "--json"])["epochs"], 4);
    assert_eq!(read("fit/weights.json"), read("whole/weights.json"));

    for (more, words) in [
        (&["--seed", "4", "--batch", "128"][..], "--batch 128 (the file has 256), --seed 4 (the file has 3)"),
        (&["--optimizer", "adam"], "--optimizer adam (the file has adagrad)"),
        (&["--lambda", "0.5"], "--lambda 0.5 (the file has 0.7)"),
        (&["--scale", "200"], "--scale 200 (the file has none)"),
        (&["--quiet"], "--quiet (not set in the file)"),
        (&["--freeze", "material"], "--freeze material (the file has none)"),
        (&["--start", "w.json"], "--start w.json (the file has none)"),
        (&["--out", "whole"], "--resume and --out name different directories"),
        (&["--data", "none.bin"], "none.bin"),
    ] {
        refused(folder, "fit/checkpoint.json", &[&["tune", "--resume", "fit"], more].concat(), &[words]);
    }
    // Different data under the same name.
    let data = std::fs::read(folder.join("d.bin")).unwrap();
    json(folder, &["selfplay", "--games", "9", "--nodes", "60", "--seed", "2", "--out", "e.bin", "--json"]);
    std::fs::rename(folder.join("e.bin"), folder.join("d.bin")).unwrap();
    refused(folder, "fit/checkpoint.json", &["tune", "--resume", "fit"], &["cannot resume from", "the data differ"]);
    std::fs::write(folder.join("d.bin"), data).unwrap();
    // A checkpoint of an older version does not name its data.
    let mut old: Value = serde_json::from_str(&checkpoint).unwrap();
    old.as_object_mut().unwrap().remove("inputs").unwrap();
    std::fs::write(folder.join("fit/checkpoint.json"), old.to_string()).unwrap();
    let words = ["cannot resume from", "does not name its data", "--data"];
    refused(folder, "fit/checkpoint.json", &["tune", "--resume", "fit"], &words);
    json(folder, &["tune", "--resume", "fit", "--data", "d.bin", "--epochs", "4", "--json"]);
    assert_eq!(read("fit/weights.json"), read("whole/weights.json"));
    // Nothing is created if there is nothing to resume.
    assert_eq!(tools_in(folder, &["tune", "--resume", "none"]).status.code(), Some(1));
    assert!(!folder.join("none").exists());
}
