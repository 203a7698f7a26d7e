//! The command `go`.

use super::CommandError;
use super::info::write_part;
use super::moves::{read_moves, write_moves};
use crate::number::{Limits, Number};
use crate::tokens::{Tokens, excerpt};
use bartizan_types::UciMove;
use std::fmt;

/// The arguments of `go`. The first limit that is reached ends the search. The default sets no limit.
///
/// If a line contains a keyword twice, the later one wins. Numbers outside a field's range become the nearest number in
/// range (a negative depth becomes 0). Fractions are truncated. Unknown words are skipped.
///
/// A keyword without a valid number and an invalid move after `searchmoves` are skipped too, and reported in `faults`.
/// They are not errors, because the client waits for a `bestmove` in any case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct GoParams {
    /// The only root moves to search; empty means all. In text, the list ends at the next keyword.
    pub searchmoves: Vec<UciMove>,
    /// Search in the opponent's time: the last move of `position` is the expected one. The engine sends no `bestmove`
    /// before `ponderhit` or `stop`.
    pub ponder: bool,
    /// White's remaining time in milliseconds. Zero or negative if the time is up.
    pub wtime: Option<i64>,
    /// Black's remaining time in milliseconds. Zero or negative if the time is up.
    pub btime: Option<i64>,
    /// White's increment per move in milliseconds.
    pub winc: Option<i64>,
    /// Black's increment per move in milliseconds.
    pub binc: Option<i64>,
    /// Moves to the next time control, at least 1; `None` if the remaining time is for the rest of the game.
    /// `movestogo 0` and negative numbers are parsed as `None`.
    pub movestogo: Option<u32>,
    /// Search to this depth, in plies.
    pub depth: Option<u32>,
    /// Search about this many nodes.
    pub nodes: Option<u64>,
    /// Search for a mate in this many moves (not plies).
    pub mate: Option<u32>,
    /// Search for exactly this time in milliseconds. Some clients send negative numbers.
    pub movetime: Option<i64>,
    /// Search until `stop`. The engine sends no `bestmove` before, not even for a mate.
    pub infinite: bool,
    /// Count the leaf nodes of the move tree to this depth instead of searching. A common extension.
    pub perft: Option<u32>,
    /// The first word that is not a keyword, and was skipped; its beginning, if it is long. Never written.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub unknown: Option<String>,
    /// What the parser could not read, for a message to the user. Never written.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub faults: Vec<CommandError>,
}

const KEYWORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

impl GoParams {
    /// Parses what follows the word `go`.
    pub(super) fn parse(words: &mut Tokens<'_>) -> Self {
        let mut go = Self::default();
        while let Some(word) = words.next() {
            let faults = &mut go.faults;
            match word {
                "searchmoves" => go.searchmoves = read_searchmoves(words, faults),
                "ponder" => go.ponder = true,
                "wtime" => read(words, "wtime", &mut go.wtime, faults),
                "btime" => read(words, "btime", &mut go.btime, faults),
                "winc" => read(words, "winc", &mut go.winc, faults),
                "binc" => read(words, "binc", &mut go.binc, faults),
                "movestogo" => {
                    read(words, "movestogo", &mut go.movestogo, faults);
                    go.movestogo = go.movestogo.filter(|&moves| moves > 0);
                }
                "depth" => read(words, "depth", &mut go.depth, faults),
                "nodes" => read(words, "nodes", &mut go.nodes, faults),
                "mate" => read(words, "mate", &mut go.mate, faults),
                "movetime" => read(words, "movetime", &mut go.movetime, faults),
                "infinite" => go.infinite = true,
                "perft" => read(words, "perft", &mut go.perft, faults),
                word => {
                    go.unknown.get_or_insert_with(|| excerpt(word));
                }
            }
        }
        go
    }

    /// Writes each keyword with a space before it. `searchmoves` is last, for engines that do not recognise its end.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ponder {
            f.write_str(" ponder")?;
        }
        write_part(f, "wtime", self.wtime)?;
        write_part(f, "btime", self.btime)?;
        write_part(f, "winc", self.winc)?;
        write_part(f, "binc", self.binc)?;
        write_part(f, "movestogo", self.movestogo)?;
        write_part(f, "depth", self.depth)?;
        write_part(f, "nodes", self.nodes)?;
        write_part(f, "mate", self.mate)?;
        write_part(f, "movetime", self.movetime)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        write_part(f, "perft", self.perft)?;
        if !self.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
            write_moves(f, &self.searchmoves)?;
        }
        Ok(())
    }
}

/// Parses the number after a keyword. A following keyword is not taken.
fn read<T: Limits>(
    words: &mut Tokens<'_>,
    keyword: &'static str,
    field: &mut Option<T>,
    faults: &mut Vec<CommandError>,
) {
    let Some(word) = words.peek() else {
        faults.push(CommandError::MissingNumber { keyword });
        return;
    };
    match word.parse::<Number>() {
        Ok(number) => {
            *field = Some(number.saturate());
            words.next();
        }
        Err(_) if KEYWORDS.contains(&word) => faults.push(CommandError::MissingNumber { keyword }),
        Err(_) => {
            words.next();
            faults.push(CommandError::Number { keyword, word: excerpt(word), number: words.number() });
        }
    }
}

/// Takes moves up to the next keyword. Invalid moves are skipped.
fn read_searchmoves(words: &mut Tokens<'_>, faults: &mut Vec<CommandError>) -> Vec<UciMove> {
    let stop = |word: &str| KEYWORDS.contains(&word);
    let mut moves = Vec::new();
    loop {
        match read_moves(words, "go searchmoves", stop) {
            Ok(more) => {
                moves.extend(more);
                return moves;
            }
            Err((before, fault)) => {
                moves.extend(before);
                faults.push(fault);
                words.next();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Command;
    use super::*;

    fn parse(line: &str) -> Result<GoParams, CommandError> {
        match Command::parse(line)? {
            Some(Command::Go(go)) => Ok(go),
            other => panic!("{other:?}"),
        }
    }

    fn moves(text: &str) -> Vec<UciMove> {
        text.split(' ').map(|word| word.parse().unwrap()).collect()
    }

    #[test]
    fn no_limit() {
        assert_eq!(parse("go"), Ok(GoParams::default()));
        assert_eq!(parse("go infinite"), Ok(GoParams { infinite: true, ..GoParams::default() }));
        assert_eq!(Command::Go(GoParams::default()).to_string(), "go");
    }

    #[test]
    fn every_keyword() {
        let line = "go ponder wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 mate 8 movetime 9 infinite \
                    perft 10 searchmoves e2e4 d2d4";
        let go = parse(line).unwrap();
        let expected = GoParams {
            searchmoves: moves("e2e4 d2d4"),
            ponder: true,
            wtime: Some(1),
            btime: Some(2),
            winc: Some(3),
            binc: Some(4),
            movestogo: Some(5),
            depth: Some(6),
            nodes: Some(7),
            mate: Some(8),
            movetime: Some(9),
            infinite: true,
            perft: Some(10),
            unknown: None,
            faults: Vec::new(),
        };
        assert_eq!(go, expected);
        assert_eq!(Command::Go(go).to_string(), line);
    }

    #[test]
    fn each_keyword_ends_searchmoves() {
        for keyword in KEYWORDS {
            let go = parse(&format!("go searchmoves e2e4 d2d4 {keyword} 3")).unwrap();
            match keyword {
                "searchmoves" => assert!(matches!(go.faults[..], [CommandError::Move { number: 1, .. }])),
                _ => assert_eq!(go.searchmoves, moves("e2e4 d2d4"), "{keyword}"),
            }
        }
        assert_eq!(parse("go depth 3 searchmoves e7e8n").unwrap().searchmoves, moves("e7e8n"));
        assert_eq!(parse("go searchmoves").unwrap(), GoParams::default());
    }

    #[test]
    fn clocks_out_of_range() {
        let go =
            parse("go wtime -250 btime 0 movestogo 0 depth -3 nodes 99999999999999999999 mate 5000000000").unwrap();
        assert_eq!((go.wtime, go.btime, go.movestogo), (Some(-250), Some(0), None));
        assert_eq!((go.depth, go.nodes, go.mate), (Some(0), Some(u64::MAX), Some(u32::MAX)));
        assert_eq!(parse("go movestogo -1").unwrap().movestogo, None);
        assert_eq!(parse("go movetime 1500.75").unwrap().movetime, Some(1500));
    }

    #[test]
    fn unknown_words_are_skipped_and_the_last_duplicate_wins() {
        let go = parse("go brisk depth 3 7 depth 4 movestogo 9 movestogo 0").unwrap();
        assert_eq!(go, GoParams { depth: Some(4), unknown: Some("brisk".to_owned()), ..GoParams::default() });
        let go = parse(&format!("go {}", "é".repeat(41))).unwrap();
        assert_eq!(go.unknown, Some("é".repeat(40) + "…"));
    }

    #[test]
    fn what_cannot_be_read_is_named_and_skipped() {
        let fault = |line| {
            let go = parse(line).unwrap();
            assert_eq!(go.faults.len(), 1, "{line}");
            (go.faults[0].to_string(), go)
        };
        let text = |line| fault(line).0;
        assert_eq!(text("go depth"), "go depth: the number is missing");
        assert_eq!(text("go depth  deep"), "go depth: expected a number, found 'deep' (word 3)");
        assert_eq!(text("go nodes 1e6"), "go nodes: expected a number, found '1e6' (word 3)");
        assert!(text("go searchmoves 0000").starts_with("go searchmoves: move 1 is the null move"));
        // The rest of the line holds.
        let (text, go) = fault("go wtime btime 5 depth 3");
        assert_eq!(text, "go wtime: the number is missing");
        assert_eq!((go.wtime, go.btime, go.depth), (None, Some(5), Some(3)));
        let (text, go) = fault("go searchmoves e2e4 e2 d2d4 depth 3");
        assert!(text.starts_with("go searchmoves: invalid move 'e2' (move 2 of the list): "));
        assert_eq!((go.searchmoves, go.depth), (moves("e2e4 d2d4"), Some(3)));
    }
}
