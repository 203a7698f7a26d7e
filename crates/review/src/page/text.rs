//! Numbers, moves and positions as people read them. The script has the same in `text.js`.

use super::data::{GameReport, LineMove};
use crate::WhiteEval;
use bartizan_position::Position;
use bartizan_types::{Color, PieceType};
use std::fmt::Write;

/// Both names, for a title.
pub(super) fn players(game: &GameReport) -> String {
    format!("{} – {}", player(game, Color::White), player(game, Color::Black))
}

/// The name of a player.
pub(super) fn player(game: &GameReport, color: Color) -> &str {
    let name = if color.is_white() { &game.tags.white } else { &game.tags.black };
    match name.as_str() {
        "" | "?" => side(color),
        name => name,
    }
}

/// `White` or `Black`.
pub(super) fn side(color: Color) -> &'static str {
    if color.is_white() { "White" } else { "Black" }
}

/// `+0.34`, `−1.20`, `#5` or `#−5`.
pub(super) fn eval(eval: WhiteEval) -> String {
    match eval {
        WhiteEval::Cp(0) => "0.00".to_owned(),
        WhiteEval::Cp(centipawns) => {
            let sign = if centipawns < 0 { '−' } else { '+' };
            let size = centipawns.unsigned_abs();
            format!("{sign}{}.{:02}", size / 100, size % 100)
        }
        WhiteEval::Mate(moves) => format!("#{}{}", if moves < 0 { "−" } else { "" }, moves.unsigned_abs()),
    }
}

/// A percentage without decimals; a dash if unknown.
pub(super) fn percent(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.0}%"))
}

/// `1:02:03`, `2:03`, or `9.4 s` below ten seconds.
pub(super) fn seconds(seconds: f64) -> String {
    if seconds < 10.0 {
        return format!("{seconds:.1} s");
    }
    let whole = seconds.round() as u64;
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{rest:02}") } else { format!("{minutes}:{rest:02}") }
}

/// The date of a tag, without unknown parts: `2026-11`.
pub(super) fn date(tag: &str) -> String {
    let known: Vec<&str> = tag.split('.').take_while(|part| !part.is_empty() && !part.contains('?')).collect();
    known.join("-")
}

/// The number of a move and its side, from a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveNumber {
    pub(super) number: u32,
    pub(super) turn: Color,
}

impl MoveNumber {
    /// That of the next move of a position.
    pub(super) fn of(fen: &str) -> Self {
        let mut fields = fen.split(' ').skip(1);
        let turn = if fields.next() == Some("b") { Color::Black } else { Color::White };
        Self { number: fields.nth(3).and_then(|number| number.parse().ok()).unwrap_or(1), turn }
    }

    /// That of the move after it.
    pub(super) fn next(self) -> Self {
        Self { number: self.number.saturating_add(u32::from(!self.turn.is_white())), turn: !self.turn }
    }

    /// `23.` or `23…`
    pub(super) fn prefix(self) -> String {
        format!("{}{}", self.number, if self.turn.is_white() { "." } else { "…" })
    }
}

/// The position before a move of a game, which is counted from 1.
pub(super) fn fen_before(game: &GameReport, ply: usize) -> &str {
    match ply.checked_sub(2).and_then(|index| game.moves.get(index)) {
        Some(before) => &before.fen,
        None => &game.start_fen,
    }
}

/// White's expected score before a move.
pub(super) fn win_before(game: &GameReport, ply: usize) -> Option<f64> {
    match ply.checked_sub(2) {
        Some(index) => game.moves.get(index)?.win,
        None => game.start_win,
    }
}

/// A move with its number and glyph: `23…Nf5??`. Empty if there is no such ply.
pub(super) fn move_label(game: &GameReport, ply: usize) -> String {
    let Some(mv) = ply.checked_sub(1).and_then(|index| game.moves.get(index)) else { return String::new() };
    let number = MoveNumber::of(fen_before(game, ply));
    format!("{}{}{}", number.prefix(), mv.san, mv.class.glyph())
}

/// A line with move numbers.
pub(super) fn line(fen: &str, moves: &[LineMove]) -> String {
    let mut number = MoveNumber::of(fen);
    let mut text = String::new();
    for (index, mv) in moves.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        if number.turn.is_white() || index == 0 {
            text.push_str(&number.prefix());
        }
        text.push_str(&mv.san);
        number = number.next();
    }
    text
}

/// A text with the move numbers of [`line`]: `27.Kf2` for `27. Kf2`, `8…Nxe4` for `8... Nxe4`.
pub(super) fn with_short_numbers(text: &str) -> String {
    let short = |word: &str| {
        let number = word.trim_start_matches('(').trim_end_matches('.');
        let dots = word.len() - word.trim_end_matches('.').len();
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        match dots {
            1 if is_number => Some(word.to_owned()),
            3 if is_number => Some(word.replace("...", "…")),
            _ => None,
        }
    };
    let words = text.split(' ').map(|word| short(word).unwrap_or_else(|| format!("{word} ")));
    words.collect::<String>().trim_end().to_owned()
}

/// A position in words: `White: king g1; pawns a2, b2. Black: king g8.`
pub(super) fn describe(position: &Position) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        let start = if color.is_white() { "White: " } else { " Black: " };
        text.push_str(start);
        let mut separator = "";
        for piece in PieceType::ALL.into_iter().rev() {
            let mut squares = position.pieces(color, piece).into_iter().map(|square| square.to_string());
            let Some(first) = squares.next() else { continue };
            let others: Vec<String> = squares.collect();
            let plural = if others.is_empty() { "" } else { "s" };
            // Writing to a string cannot fail.
            let _ = write!(text, "{separator}{}{plural} {first}", piece.name());
            others.iter().for_each(|square| {
                let _ = write!(text, ", {square}");
            });
            separator = "; ";
        }
        text.push('.');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let evals = [34, -120, 0, 1005, -7].map(|cp| eval(WhiteEval::Cp(cp)));
        assert_eq!(evals, ["+0.34", "−1.20", "0.00", "+10.05", "−0.07"]);
        assert_eq!([5, -3].map(|moves| eval(WhiteEval::Mate(moves))), ["#5", "#−3"]);
        assert_eq!([3.25, 59.6, 125.0, 3723.0].map(seconds), ["3.2 s", "1:00", "2:05", "1:02:03"]);
        assert_eq!([Some(49.6), None].map(percent), ["50%", "–"]);
        assert_eq!(["2026.11.29", "2026.??.??", "????.??.??", ""].map(date), ["2026-11-29", "2026", "", ""]);
    }

    #[test]
    fn lines_have_move_numbers() {
        let moves = ["Nf6", "c4", "e6"].map(|san| LineMove { san: san.to_owned(), uci: String::new() });
        assert_eq!(line("8/8/8/8/8/8/8/8 b - - 0 1", &moves), "1…Nf6 2.c4 e6");
        assert_eq!(line("8/8/8/8/8/8/8/8 w - - 0 7", &moves), "7.Nf6 c4 8.e6");
        assert_eq!(line("", &[]), "");
    }

    #[test]
    fn numbers_of_moves_in_a_text_are_short() {
        let text = "Wins the pawn on g4 (27. Kf2 Kf8 28. Re4). Misses Nxe4 (8... Nxe4 9. Rh2), mate in 3.";
        let short = "Wins the pawn on g4 (27.Kf2 Kf8 28.Re4). Misses Nxe4 (8…Nxe4 9.Rh2), mate in 3.";
        assert_eq!(with_short_numbers(text), short);
        assert_eq!(with_short_numbers(""), "");
    }

    #[test]
    fn a_position_is_put_into_words() {
        let position = Position::from_fen("6k1/8/8/8/8/8/PP6/6K1 w - - 0 1").unwrap();
        assert_eq!(describe(&position), "White: king g1; pawns a2, b2. Black: king g8.");
    }
}
