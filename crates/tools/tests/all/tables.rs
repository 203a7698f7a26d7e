//! Endgame tables: `tb`.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // A test reports by panicking, and prints what it skips.

use super::commands::{json, syzygy};
use super::common::{text, tools, tools_with};
use serde_json::Value;
use std::path::Path;

#[test]
fn tablebase_files_are_checked() {
    for arguments in [&["tb", "check", "--json"][..], &["tb", "check", "--full", "--json"]] {
        let output = tools(&[arguments, &[&syzygy()]].concat());
        let answer = json(&output);
        assert!(output.status.success());
        assert_eq!((&answer["files"], &answer["faults"]), (&Value::from(21), &Value::Array(Vec::new())));
        let (three, four) = (&answer["sets"][0], &answer["sets"][1]);
        assert_eq!((&three["pieces"], &three["complete"]), (&Value::from(3), &Value::from(5)));
        assert!(three["missing_wdl"].as_array().unwrap().is_empty());
        let missing = |key: &str| four[key].as_array().unwrap().len();
        assert_eq!((missing("missing_wdl"), missing("missing_dtz")), (24, 25));
    }
    let folder = tempfile::tempdir().unwrap();
    let copy = |file: &str, change: fn(&mut Vec<u8>)| {
        let mut bytes = std::fs::read(Path::new(&syzygy()).join(file)).unwrap();
        change(&mut bytes);
        std::fs::write(folder.path().join(file), bytes).unwrap();
    };
    copy("KQvK.rtbw", |_| {});
    copy("KQvK.rtbz", |bytes| bytes.truncate(100));
    copy("KRvK.rtbw", |bytes| bytes[150] ^= 1);
    let output = tools(&["tb", "check", &format!("{};no-such-folder", folder.path().display())]);
    let report = text(&output.stdout);
    assert!(!output.status.success());
    for line in [
        "3 pieces: 2 of 5 WDL, 0 of 5 DTZ; missing: KBvK.rtbw, KNvK.rtbw, KPvK.rtbw\n",
        "KQvK.rtbz': invalid file size\n",
        "KRvK.rtbw': wrong checksum\n",
        "cannot read tablebase folder 'no-such-folder'",
        "2 files, headers read, 3 faults\n",
    ] {
        assert!(report.contains(line), "{line}: {report}");
    }
}

#[test]
fn tablebases_are_probed() {
    let tables = syzygy();
    let fen = "8/8/8/4k3/8/8/8/KR6 w - - 0 1";
    let output = tools(&["tb", "probe", "--path", &tables, "--json", fen]);
    let answer = json(&output);
    assert!(output.status.success());
    assert_eq!((&answer["fen"], &answer["wdl"]), (&Value::from(fen), &Value::from(2)), "{answer:#}");
    let (dtz, moves) = (answer["dtz"].as_i64().unwrap(), answer["moves"].as_array().unwrap());
    assert!((20..=32).contains(&dtz) && moves.len() == 15, "{answer:#}");
    assert!((moves[0]["dtz"].as_i64().unwrap() - dtz).abs() <= 1 && moves[0]["rank"] == 1000, "{answer:#}");
    assert_eq!(moves[0]["outcome"], 2, "{answer:#}");
    let mated = json(&tools(&["tb", "probe", "--path", &tables, "--json", "k7/1Q6/1K6/8/8/8/8/8 b - - 100 90"]));
    assert_eq!((&mated["outcome"], &mated["moves"]), (&(-2).into(), &Value::Array(Vec::new())), "{mated:#}");
    let late = tools(&["tb", "probe", "--path", &tables, "8/8/8/4k3/8/8/8/KR6 w - - 99 90"]);
    let late = text(&late.stdout);
    assert!(
        late.contains("  win, dtz ") && late.contains(", now draw\n") && late.contains("rank     0  now draw"),
        "{late}"
    );

    let list = format!("\u{feff}{fen}\n# a comment\n\n8/8/8/4k3/8/8/8/KR6 w - - id \"x\";\n");
    let listed = tools_with(".".as_ref(), &["tb", "probe", "--path", &tables, "--brief"], list.as_bytes());
    let listed = text(&listed.stdout);
    assert_eq!(listed.matches("  win, dtz ").count(), 2, "{listed}");

    let output = tools(&["tb", "probe", "--path", &tables, fen, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]);
    let report = text(&output.stdout);
    assert!(report.contains("  win, dtz ") && report.contains("  not in any table"), "{report}");
    assert!(!output.status.success());
    let output = tools(&["tb", "probe", "--path", &tables, "8/8/8/8 w"]);
    assert!(text(&output.stderr).contains("8/8/8/8 w"));
    let output = tools(&["tb", "probe", "--path", "no-such-folder", fen]);
    assert!(text(&output.stderr).contains("no-such-folder"));
}

#[test]
fn distance_to_mate_tables_are_made_verified_and_probed() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("new").join("tables");
    let tables = tables.to_str().unwrap();
    let output = tools(&["tb", "generate", "--tables", tables, "krvk", "KQK"]);
    let report = text(&output.stdout);
    assert!(output.status.success() && report.contains("2 tables made, 0 there before"), "{report}");
    let output = tools(&["tb", "generate", "--tables", tables, "--json", "KRK"]);
    assert_eq!(json(&output)["existed"], true);

    let syzygy = syzygy();
    let output = tools(&["tb", "verify", "--tables", tables, "--syzygy", &syzygy, "--json", "KRK"]);
    let verified = json(&output);
    assert_eq!((&verified["positions"], &verified["syzygy"]), (&50_015.into(), &50_015.into()), "{verified:#}");
    let output = tools(&["tb", "verify", "--tables", tables, "all3"]);
    assert!(text(&output.stderr).contains("no table of K"), "{}", text(&output.stderr));

    let report = text(&tools(&["tb", "stats", "--tables", tables]).stdout);
    assert!(report.contains("KRK") && report.contains("longest win in 16: "), "{report}");
    let stats = json(&tools(&["tb", "stats", "--tables", tables, "--json", "KQK"]));
    assert_eq!(stats["sides"][0]["longest_win"]["moves"], 10, "{stats:#}");

    let fen = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";
    let report = text(&tools(&["tb", "probe", "--tables", tables, fen]).stdout);
    assert!(report.contains("  win in 2 (3 plies)\n  Kf7      win in 2 (3 plies)\n"), "{report}");
    let both = json(&tools(&["tb", "probe", "--tables", tables, "--syzygy", &syzygy, "--json", fen]));
    assert_eq!((&both["wdl"], &both["mate"]["plies"]), (&2.into(), &3.into()), "{both:#}");
    assert_eq!(both["mate_moves"].as_array().unwrap().len(), both["moves"].as_array().unwrap().len());
    let brief = json(&tools(&["tb", "probe", "--tables", tables, "--brief", "--json", fen]));
    assert!(brief.get("mate_moves").is_none() && brief.get("wdl").is_none(), "{brief:#}");
    let output = tools(&["tb", "probe", "--tables", tables, "8/8/8/8/8/2k5/2P5/2K5 w - - 0 1"]);
    assert!(text(&output.stdout).contains("not in any distance-to-mate table") && !output.status.success());

    let output = tools(&["tb", "verify", "--tables", tables, "--draws", "0"]);
    assert!(output.status.code() == Some(2) && text(&output.stderr).contains("--draws"), "{}", text(&output.stderr));

    // A damaged file is reported, with the place of the damage.
    let path = folder.path().join("new").join("tables").join("KRK.dtm");
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let output = tools(&["tb", "verify", "--tables", tables, "KRK"]);
    let error = text(&output.stderr);
    assert!(error.contains("KRK.dtm") && error.contains("the checksum of block 7 is wrong, at byte "), "{error}");
    let output = tools(&["tb", "generate", "--tables", tables, "KRK"]);
    let error = text(&output.stderr);
    assert!(!output.status.success() && text(&output.stdout).is_empty(), "{error}");
    assert!(error.contains("block 7 is wrong") && error.ends_with("; delete it to make it again\n"), "{error}");
    for args in [["generate", "KQKX"], ["generate", "all6"], ["stats", "KK"], ["verify", "all"]] {
        let output = tools(&["tb", args[0], "--tables", tables, args[1]]);
        assert!(output.status.code() == Some(2) && text(&output.stderr).contains(args[1]), "{}", text(&output.stderr));
    }
}

#[test]
fn endings_are_explained() {
    let syzygy = bartizan_testkit::testdata("syzygy").display().to_string();
    let fen = "8/8/8/5k2/8/3K4/4P3/8 w - - 0 1";
    let output = tools(&["tb", "advise", "--syzygy", &syzygy, fen, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"]);
    let shown = text(&output.stdout);
    assert!(output.status.success() && shown.contains("White to move and win"), "{shown}");
    assert!(shown.contains("throws the win away") && shown.contains("Black is checkmated"), "{shown}");
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let page_name = page.display().to_string();
    let output = tools(&["tb", "advise", "--syzygy", &syzygy, "--json", "--html", &page_name, fen]);
    assert_eq!(json(&output)["result"], "win");
    assert!(std::fs::read_to_string(&page).unwrap().contains("<svg"));
    for (args, reason) in [
        (&["--syzygy", &syzygy, "8/8/8/8 w"][..], "invalid FEN"),
        (&["--syzygy", &syzygy, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"], "castling rights"),
        (&["--syzygy", &syzygy, "4k3/8/8/8/8/8/4PP2/4K3 w - - 0 1"], "no table has the position"),
        (&["--tables", "no-such-folder", fen], "no-such-folder"),
        (&["--syzygy", &syzygy, "--html", &page_name], "--html needs one position"),
        (&[fen], "--tables"),
    ] {
        let output = tools(&[&["tb", "advise"], args].concat());
        assert!(!output.status.success() && text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    }
}
