//! Writes pages from stored data: `cargo run -p bartizan-review --example report -- DATA.json OUT ...`
//!
//! The data are those of a report or of puzzles. OUT is a file whose name ends with `.html`, or a folder for a page of
//! each game.

use bartizan_review::page::{self, PuzzleData, ReportData};
use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    for pair in arguments.chunks(2) {
        let [data, out] = pair else { return Err("expected pairs of files: DATA.json OUT".into()) };
        let (text, out) = (fs::read_to_string(data)?, Path::new(out));
        let value: serde_json::Value = serde_json::from_str(&text)?;
        if value.get("puzzles").is_some() {
            fs::write(out, page::puzzles(&serde_json::from_value::<PuzzleData>(value)?))?;
            continue;
        }
        let report: ReportData = serde_json::from_value(value)?;
        if out.extension().is_some_and(|extension| extension == "html") {
            fs::write(out, page::html(&report))?;
            continue;
        }
        fs::create_dir_all(out)?;
        for file in page::pages(&report) {
            fs::write(out.join(file.name), file.html)?;
        }
    }
    Ok(())
}
