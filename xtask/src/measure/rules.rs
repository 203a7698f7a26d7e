//! The speed of the rules.

use crate::error::{Error, Result};
use crate::{files, run};
use serde_json::Value;
use std::fmt::Write as _;
use std::time::Instant;

/// The positions of the benchmark `perft` and their names in the table.
const POSITIONS: [(&str, &str); 4] = [
    ("startpos-6", "startpos 6"),
    ("kiwipete-5", "Kiwipete 5"),
    ("position3-7", "position 3, 7"),
    ("promotion-5", "promotions 5"),
];
const LIBRARIES: [&str; 4] = ["bartizan", "cozy-chess", "chess", "shakmaty"];

/// Million leaves per second of this library and of others, all from one run of the benchmark.
pub(crate) fn perft() -> Result<String> {
    run::cargo(&run::args(&["bench", "--quiet", "--manifest-path", run::BENCHES, "--bench", "perft"]))?;
    let mut speeds = Vec::new();
    for library in LIBRARIES {
        let row: Result<Vec<f64>> = POSITIONS.iter().map(|(group, _)| speed(group, library)).collect();
        speeds.push((library, row?));
    }
    let names: String = POSITIONS.iter().map(|(_, name)| format!(" {name} |")).collect();
    let mut table = format!("| million leaves/s |{names}\n|---|---|---|---|---|\n");
    for (library, row) in &speeds {
        let cells: String = row.iter().map(|speed| format!(" {speed:.0} |")).collect();
        let _ = writeln!(table, "| {library} |{cells}");
    }
    let (own, cozy) = (&speeds[0].1, &speeds[1].1);
    let ratios = own.iter().zip(cozy).map(|(own, cozy)| format!(" {:.2} |", own / cozy));
    let _ = writeln!(table, "| bartizan / cozy-chess |{}", ratios.collect::<String>());
    Ok(table)
}

/// Million leaves per second, from the files written by criterion.
fn speed(group: &str, library: &str) -> Result<f64> {
    let folder = run::target_folder(run::BENCHES)?.join("criterion").join(group).join(library).join("new");
    let read = |file: &str| -> Result<Value> {
        let path = folder.join(file);
        let broken = |error| Error::Check(format!("{}: {error}", files::shown(&path)));
        serde_json::from_str(&files::read(&path)?).map_err(broken)
    };
    let leaves = read("benchmark.json")?["throughput"]["Elements"].as_f64();
    let nanoseconds = read("estimates.json")?["median"]["point_estimate"].as_f64();
    leaves
        .zip(nanoseconds)
        .map(|(leaves, nanoseconds)| leaves / nanoseconds * 1e3)
        .ok_or_else(|| Error::Check(format!("{}: no throughput and median", files::shown(&folder))))
}

/// Every position of `testdata/perft`, at every depth of up to 10 million leaves.
pub(crate) fn perft_suite() -> Result<String> {
    let example = ["--release", "--quiet", "--package", "bartizan-position", "--example", "perft_suite"];
    run::cargo(&run::args(&[&["build"], &example[..]].concat()))?;
    let started = Instant::now();
    let output =
        run::cargo_output(&run::args(&[&["run"], &example[..], &["--", "--max-leaves", "10000000"]].concat()))?;
    let seconds = started.elapsed().as_secs_f64();
    Ok(format!(
        "`cargo run --release -p bartizan-position --example perft_suite`: {} in {seconds:.0} s.",
        output.trim()
    ))
}
