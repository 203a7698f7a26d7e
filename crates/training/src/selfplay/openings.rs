//! The openings of the games: from an EPD or PGN file, or from training positions.

use super::settings::OPENINGS;
use crate::error::{Cause, Error, FileAction};
use crate::positions::{POSITIONS_MAGIC, PositionSample, each_chunk};
use bartizan_match::{OpeningSettings, Openings as FileOpenings};
use bartizan_position::Game;
use bartizan_types::SplitMix64;
use std::borrow::Cow;
use std::io::{BufReader, Read};
use std::path::Path;

/// Number of positions read at a time.
const CHUNK: usize = 65_536;

/// The openings of a run, in the order of play.
#[derive(Debug)]
pub struct Openings(Content);

#[derive(Debug)]
enum Content {
    Games(FileOpenings),
    /// Packed, because there may be millions; the game is not over in any of them. Never empty.
    Positions(Vec<PositionSample>),
}

impl Openings {
    /// The initial position as the only opening.
    pub fn startpos() -> Self {
        Self(Content::Games(FileOpenings::startpos()))
    }

    /// Reads a file, and shuffles it with a seed. Leaves out openings in which the game is over.
    ///
    /// # Errors
    /// If the file cannot be read, or has no openings.
    pub fn load(file: &Path, seed: u64) -> Result<Self, Error> {
        let mut magic = Vec::new();
        let begin = |reader: Box<dyn Read + Send>| reader.take(POSITIONS_MAGIC.len() as u64).read_to_end(&mut magic);
        bartizan_files::open(file).and_then(begin).map_err(FileAction::Open(OPENINGS).failed(file))?;
        if magic != POSITIONS_MAGIC {
            return Ok(Self(Content::Games(FileOpenings::load(&OpeningSettings::new(file).shuffled(seed))?)));
        }
        let mut positions = positions(file).map_err(FileAction::Parse(OPENINGS).failed(file))?;
        if positions.is_empty() {
            return Err(Error::NoOpenings(file.to_owned()));
        }
        SplitMix64::new(seed).shuffle(&mut positions);
        Ok(Self(Content::Positions(positions)))
    }

    /// The opening with this number, from 0, wrapping around after the last.
    pub fn get(&self, number: usize) -> Cow<'_, Game> {
        match &self.0 {
            Content::Games(openings) => Cow::Borrowed(openings.get(number)),
            Content::Positions(positions) => Cow::Owned(
                // All were unpacked successfully when they were read.
                positions[number % positions.len()].packed().unpack().map(Game::new).unwrap_or_default(),
            ),
        }
    }
}

fn positions(file: &Path) -> Result<Vec<PositionSample>, Cause> {
    let mut positions = Vec::new();
    each_chunk(BufReader::new(bartizan_files::open(file)?), CHUNK, Cause::from, |samples, before| {
        for (sample, number) in samples.iter().zip(before + 1..) {
            if Game::new(sample.unpack("position", number)?).outcome().is_none() {
                positions.push(*sample);
            }
        }
        Ok(())
    })?;
    Ok(positions)
}
