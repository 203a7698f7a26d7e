//! Where games begin.

use anyhow::{Context, ensure};
use bartizan_notation::epd::Epd;
use bartizan_notation::pgn::PgnReader;
use bartizan_position::{Game, Position};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Which openings, in which order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningSettings {
    /// An EPD or PGN file; anything that does not end in `.pgn` is read as EPD (or FEN), one position a line.
    pub file: PathBuf,
    /// Shuffle them with this seed; in their order if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Begin with this one, counted from 1.
    #[serde(default = "one")]
    pub start: usize,
    /// Play only so many plies of each PGN opening; all if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
}

fn one() -> usize {
    1
}

/// The openings of a match, in the order of play.
#[derive(Clone, Debug)]
pub struct Openings {
    games: Vec<Game>,
    start: usize,
}

impl Openings {
    /// The starting position alone.
    pub fn startpos() -> Self {
        Self { games: vec![Game::default()], start: 0 }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Names the file and the line that is wrong, before any game starts.
    pub fn load(settings: &OpeningSettings) -> anyhow::Result<Self> {
        let path = &settings.file;
        let context = || format!("openings {}", path.display());
        let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        let mut games = if is_pgn { read_pgn(path, settings.plies) } else { read_epd(path) }.with_context(context)?;
        ensure!(!games.is_empty(), "openings {}: there are none", path.display());
        ensure!(settings.start >= 1, "openings {}: the first one has number 1", path.display());
        if let Some(seed) = settings.seed {
            shuffle(&mut games, seed);
        }
        Ok(Self { start: (settings.start - 1) % games.len(), games })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is none; never the case.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The opening of a round, counted from 0; after the last the first comes again.
    pub fn get(&self, round: usize) -> &Game {
        &self.games[(self.start + round) % self.games.len()]
    }
}

fn read_pgn(path: &Path, plies: Option<usize>) -> anyhow::Result<Vec<Game>> {
    let file = File::open(path).context("cannot open the file")?;
    let mut openings = Vec::new();
    for game in PgnReader::new(BufReader::new(file)) {
        let pgn = game?;
        let mut opening = Game::new(pgn.start.clone());
        for mv in pgn.moves.iter().take(plies.unwrap_or(usize::MAX)) {
            opening.push(mv.mv)?;
        }
        if opening.outcome().is_none() {
            openings.push(opening);
        }
    }
    Ok(openings)
}

fn read_epd(path: &Path) -> anyhow::Result<Vec<Game>> {
    let text = std::fs::read(path).context("cannot read the file")?;
    let text = String::from_utf8_lossy(&text);
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let position = position(line).with_context(|| format!("line {}", index + 1))?;
        let opening = Game::new(position);
        if opening.outcome().is_none() {
            openings.push(opening);
        }
    }
    Ok(openings)
}

fn position(line: &str) -> anyhow::Result<Position> {
    Ok(Epd::parse(line)?.position)
}

/// Fisher and Yates, with numbers from SplitMix64 (Steele, Lea, Flood 2014): the same seed, the same order, for ever.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for last in (1..items.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        items.swap(last, (z % (last as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(name: &str, text: &str, seed: Option<u64>, start: usize) -> anyhow::Result<Openings> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join(name);
        std::fs::write(&file, text)?;
        Openings::load(&OpeningSettings { file, seed, start, plies: Some(3) })
    }

    const EPD: &str = "# remark\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\n4k3/8/8/8/8/8/8/4K2R w K - id \"x\";\n4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\n";

    #[test]
    fn epd_and_pgn() {
        let openings = load("a.epd", EPD, None, 2).unwrap();
        assert_eq!(openings.len(), 3);
        assert_eq!(openings.get(0).position().to_fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(openings.get(2).position().to_fen(), openings.get(5).position().to_fen());
        let pgn = load("a.pgn", "1. e4 e5 2. Nf3 Nc6 *\n\n1. d4 d5 *\n", None, 1).unwrap();
        assert_eq!((pgn.len(), pgn.get(0).moves().len(), pgn.get(1).moves().len()), (2, 3, 2));
    }

    #[test]
    fn shuffled_by_seed() {
        let order = |seed| {
            let openings = load("a.epd", EPD, seed, 1).unwrap();
            (0..3).map(|round| openings.get(round).position().to_fen()).collect::<Vec<_>>()
        };
        assert_eq!(order(Some(7)), order(Some(7)));
        assert!((0..20).any(|seed| order(Some(seed)) != order(None)));
    }

    #[test]
    fn faults_are_named() {
        let error = |name, text| format!("{:#}", load(name, text, None, 1).unwrap_err());
        assert!(error("a.epd", "x\n").contains("line 1"));
        assert!(error("a.epd", "").contains("there are none"));
        assert!(error("a.pgn", "1. e5 *").contains("line 1"));
        let missing = OpeningSettings { file: "no/such/file.epd".into(), seed: None, start: 1, plies: None };
        assert!(format!("{:#}", Openings::load(&missing).unwrap_err()).contains("no/such/file.epd"));
    }
}
