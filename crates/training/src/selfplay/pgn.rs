//! PGN files of self-play games. The first line is `%bartizan-selfplay` and the settings; PGN readers skip lines that
//! begin with `%`.

use super::play::FinishedGame;
use crate::error::Cause;
use bartizan_games::records::SELFPLAY_EVENT as EVENT;
use bartizan_notation::pgn::{GameResult, PgnGame, PgnMove, PgnReader, Strictness};
use bartizan_types::{Excerpt, Value, Variant};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};

/// The first line begins with this.
const HEADER: &str = "%bartizan-selfplay ";
/// Space for the settings to grow, in characters.
const SPARE: usize = 16;

/// The first line of a file.
pub(super) fn header(settings: &str) -> String {
    format!("{HEADER}{settings}{:SPARE$}\n", "")
}

/// A file that was read and is unchanged.
#[derive(Debug)]
pub(super) struct UnfinishedPgn {
    file: File,
    /// The content up to the first game.
    head: String,
    /// Offset of the end of the complete games.
    end: u64,
    length: u64,
    pub(super) games: Vec<PgnGame>,
    pub(super) ids: Vec<usize>,
}

impl UnfinishedPgn {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or was not written by `selfplay`.
    pub(super) fn open(mut file: File) -> Result<Self, Cause> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        let length = file.read_to_end(&mut bytes)? as u64;
        // A power cut may keep the length of the file and not its content.
        bytes.truncate(bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1));
        let has_header = HEADER.as_bytes().starts_with(&bytes[..bytes.len().min(HEADER.len())]);
        let head = match bytes.iter().position(|&byte| byte == b'\n') {
            Some(end) if has_header => &bytes[..=end],
            None if has_header => &bytes[..],
            _ => &[],
        };
        let head = std::str::from_utf8(head).map_err(|_| "its settings are not UTF-8")?.to_owned();
        let rest = &bytes[head.len()..];
        let complete = complete_games(rest);
        let tag = format!("[Event \"{EVENT}\"]");
        let tail = &rest[complete..];
        let is_begun = tail.starts_with(tag.as_bytes()) || tag.as_bytes().starts_with(tail);
        // Without settings or games, the beginning of a tag does not prove that we wrote the file.
        let is_ours = is_begun && (tail.len() >= tag.len() || tail.is_empty() || has_header || complete > 0);
        if !is_ours {
            return Err(format!("not a file of self-play games: '{}'", excerpt(tail)).into());
        }
        let (mut games, mut ids) = (Vec::new(), Vec::new());
        for game in PgnReader::new(&rest[..complete]).strictness(Strictness::Strict) {
            let game = game?;
            let round = game.tag("Round").and_then(|id| id.parse().ok());
            match (game.tag("Event"), round) {
                (Some(EVENT), Some(id)) => ids.push(id),
                (event, _) => {
                    let event = Excerpt::with_length(event.unwrap_or_default(), Excerpt::LINE);
                    return Err(format!("not a file of self-play games: it has a game of '{event}'").into());
                }
            }
            games.push(game);
        }
        let end = (head.len() + complete) as u64;
        Ok(Self { file, head, end, length, games, ids })
    }

    /// The settings of the file; `None` if it has none, or ends before them.
    pub(super) fn settings(&self) -> Option<&str> {
        self.head.strip_prefix(HEADER)?.strip_suffix('\n').map(str::trim_end)
    }

    /// Whether the file ends before its first game could begin.
    pub(super) fn is_cut(&self) -> bool {
        self.length == 0 || !self.head.is_empty() && self.settings().is_none()
    }

    /// Changes the settings in the file.
    pub(super) fn change_settings(&mut self, settings: &str) -> Result<(), Cause> {
        let space = self.head.len() - HEADER.len() - 1;
        let space = space.checked_sub(settings.len()).ok_or("the file has too little space for its settings")?;
        self.head = format!("{HEADER}{settings}{:space$}\n", "");
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(self.head.as_bytes())?;
        Ok(())
    }

    /// Removes an incomplete game at the end.
    pub(super) fn resume(self) -> Result<File, Cause> {
        if self.length != self.end {
            self.file.set_len(self.end)?;
        }
        Ok(self.file)
    }

    /// Begins a file that [is cut](Self::is_cut).
    pub(super) fn begin(mut self, settings: &str) -> Result<File, Cause> {
        let header = header(settings);
        let rest = header.strip_prefix(&self.head).ok_or("the file has been begun with other settings")?;
        self.file.seek(SeekFrom::End(0))?;
        self.file.write_all(rest.as_bytes())?;
        Ok(self.file)
    }
}

/// The first characters of a text for a message.
fn excerpt(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(40)]);
    text.lines().next().unwrap_or_default().to_owned()
}

/// Offset of the end of the complete games.
fn complete_games(bytes: &[u8]) -> usize {
    let results = [&b"1-0"[..], b"0-1", b"1/2-1/2"];
    let is_end =
        |end: usize| bytes[..end].ends_with(b"\n\n") && results.iter().any(|word| bytes[..end - 2].ends_with(word));
    (2..=bytes.len()).rev().find(|&end| is_end(end)).unwrap_or(0)
}

/// A game as PGN: `Round` is its number, and each move has the comment `score/depth` for its mover. The score is in
/// internal centipawns, unlike the scores that engines show.
pub(super) fn pgn(game: &FinishedGame) -> PgnGame {
    let mut pgn = PgnGame::new(game.start.clone());
    let tags = [("Event", EVENT), ("White", "Bartizan"), ("Black", "Bartizan")];
    pgn.tags = tags.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    pgn.tags.push(("Round".to_owned(), game.id.to_string()));
    let moves = game.moves.iter().map(|scored| PgnMove {
        comment: Some(format!("{}/{}", score_text(scored.value), scored.depth)),
        ..scored.mv.into()
    });
    pgn.moves = moves.collect();
    pgn.chess960 = game.start.variant() == Variant::Chess960;
    pgn.result = game.winner.map_or(GameResult::Draw, GameResult::won_by);
    pgn
}

/// The score in pawns, or `+M5` for a mate in five moves.
fn score_text(value: Value) -> String {
    match value.mate_in_moves() {
        Some(moves) if moves < 0 => format!("-M{}", -moves),
        Some(moves) => format!("+M{moves}"),
        None => format!("{:+.2}", f64::from(value.0) / 100.0),
    }
}
