//! The openings of the games: those of an EPD or PGN file, or positions for training.

use anyhow::Context;
use bartizan_match::{OpeningSettings, Openings as FileOpenings};
use bartizan_position::Game;
use bartizan_training::positions::{POSITIONS_MAGIC, Sample, SampleReader};
use bartizan_types::SplitMix64;
use std::borrow::Cow;
use std::io::{BufReader, Read};
use std::path::Path;

/// Positions that are read at a time.
const CHUNK: usize = 65_536;

/// The openings of a run, in the order of play.
pub(super) enum Openings {
    Games(FileOpenings),
    /// Packed, because there may be millions; each can be played on. There is at least one.
    Positions(Vec<Sample>),
}

impl Openings {
    /// The initial position as the only opening.
    pub(super) fn startpos() -> Self {
        Self::Games(FileOpenings::startpos())
    }

    /// Reads a file, and shuffles it by a seed. Openings in which the game is over are left out.
    pub(super) fn load(file: &Path, seed: u64) -> anyhow::Result<Self> {
        let mut magic = Vec::new();
        let begin = |reader: Box<dyn Read + Send>| reader.take(POSITIONS_MAGIC.len() as u64).read_to_end(&mut magic);
        bartizan_files::open(file)
            .and_then(begin)
            .with_context(|| format!("cannot open the openings '{}'", file.display()))?;
        if magic != POSITIONS_MAGIC {
            return Ok(Self::Games(FileOpenings::load(&OpeningSettings::new(file).shuffled(seed))?));
        }
        let mut positions = positions(file).with_context(|| format!("invalid openings '{}'", file.display()))?;
        anyhow::ensure!(!positions.is_empty(), "no openings in '{}'", file.display());
        SplitMix64::new(seed).shuffle(&mut positions);
        Ok(Self::Positions(positions))
    }

    /// The opening with this number, from 0. The first follows the last.
    pub(super) fn get(&self, number: usize) -> Cow<'_, Game> {
        match self {
            Self::Games(openings) => Cow::Borrowed(openings.get(number)),
            Self::Positions(positions) => Cow::Owned(
                // All of them were unpacked when they were read.
                positions[number % positions.len()].packed().unpack().map(Game::new).unwrap_or_default(),
            ),
        }
    }
}

fn positions(file: &Path) -> anyhow::Result<Vec<Sample>> {
    let mut reader = SampleReader::new(BufReader::new(bartizan_files::open(file)?))?;
    let (mut chunk, mut positions, mut number) = (Vec::new(), Vec::new(), 0_u64);
    loop {
        reader.read(&mut chunk, CHUNK)?;
        if chunk.is_empty() {
            return Ok(positions);
        }
        for &sample in &chunk {
            number += 1;
            let position = sample.packed().unpack().with_context(|| format!("position {number}"))?;
            if Game::new(position).outcome().is_none() {
                positions.push(sample);
            }
        }
    }
}
