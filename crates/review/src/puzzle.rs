//! Puzzles: positions in which one move is much better than every other.

use crate::WhiteEval;
use crate::judgement::{Phase, win_percent};
use crate::page::PuzzleReport;
use crate::reasons::{Theme, themes};
use bartizan_notation::epd::{Epd, Operation};
use bartizan_notation::pgn::GameTree;
use bartizan_notation::san::{San, move_number, numbered};
use bartizan_position::Position;
use bartizan_types::{Color, Move};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// A position of a game in which a player missed the only good move.
///
/// It can be stored; what is read has legal moves.
///
/// ```
/// use bartizan_review::Puzzle;
///
/// let text = r#"{"fen": "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 31", "moves": ["d1d8"], "played": "h2h3",
///     "best": {"mate": 1}, "second": {"cp": 200}, "themes": ["mate in 1"], "tags": {"White": "Mill"}}"#;
/// let puzzle: Puzzle = serde_json::from_str(text)?;
/// assert_eq!(puzzle.solution_text(), "31. Rd8#");
/// assert_eq!(puzzle.source(), "Mill – ?: 31. h3 was played");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "PuzzleText", into = "PuzzleText")]
pub struct Puzzle {
    /// The position; the solver is to move.
    pub position: Position,
    /// The solution: moves of both sides, of which the solver has the first and the last.
    pub solution: Vec<Move>,
    /// The move that was played.
    pub played: Move,
    /// The evaluation.
    pub best: WhiteEval,
    /// The evaluation with the best other move.
    pub second: WhiteEval,
    /// What the solution is about, such as `fork` or `mate in 2`.
    pub themes: Vec<String>,
    /// The tags of the game.
    pub tags: BTreeMap<String, String>,
}

/// What a page shows of a puzzle.
impl From<&Puzzle> for PuzzleReport {
    fn from(puzzle: &Puzzle) -> Self {
        let PuzzleText { id, fen, moves, themes, source, .. } = puzzle.clone().into();
        Self { id, fen, moves, themes, source }
    }
}

/// A puzzle as JSON. The trainer of the page reads the first five fields.
#[derive(Clone, Serialize, Deserialize)]
struct PuzzleText {
    #[serde(default)]
    id: String,
    fen: String,
    moves: Vec<String>,
    themes: Vec<String>,
    #[serde(default)]
    source: String,
    played: String,
    best: WhiteEval,
    second: WhiteEval,
    #[serde(default)]
    tags: BTreeMap<String, String>,
}

impl From<Puzzle> for PuzzleText {
    fn from(puzzle: Puzzle) -> Self {
        let (id, source) = (puzzle.id(), puzzle.source());
        let Puzzle { position, solution, played, best, second, themes, tags } = puzzle;
        let uci = |mv: &Move| mv.to_uci(position.variant()).to_string();
        let (moves, played) = (solution.iter().map(uci).collect(), uci(&played));
        Self { id, fen: position.to_fen(), moves, themes, source, played, best, second, tags }
    }
}

impl TryFrom<PuzzleText> for Puzzle {
    type Error = String;

    fn try_from(text: PuzzleText) -> Result<Self, String> {
        let PuzzleText { fen, moves, themes, played, best, second, tags, .. } = text;
        let position = Position::from_fen(&fen).map_err(|error| error.to_string())?;
        let played = position.parse_uci(&played).map_err(|error| error.to_string())?;
        let mut solution = Vec::with_capacity(moves.len());
        let mut current = position.clone();
        for text in &moves {
            let mv = current.parse_uci(text).map_err(|error| error.to_string())?;
            current.make_unchecked(mv);
            solution.push(mv);
        }
        if solution.len().is_multiple_of(2) {
            return Err("a solution ends with a move of the solver".to_owned());
        }
        Ok(Self { position, solution, played, best, second, themes, tags })
    }
}

impl Puzzle {
    /// A name that depends on the position alone: 16 hexadecimal digits.
    pub fn id(&self) -> String {
        format!("{:016x}", self.position.key().0)
    }

    /// The side that solves it.
    pub fn solver(&self) -> Color {
        self.position.turn()
    }

    /// The chances of the solver with the best and with the second best move, in per cent.
    pub fn wins(&self) -> [f64; 2] {
        [self.best, self.second].map(|eval| of_side(eval, self.solver()))
    }

    /// The solution in algebraic notation, with move numbers.
    pub fn solution_text(&self) -> String {
        numbered(&self.position, &self.solution).unwrap_or_default()
    }

    /// Which game it is from, and what was played, on one line.
    pub fn source(&self) -> String {
        let known = |name: &str| self.tags.get(name).map(|value| value.trim()).filter(|value| !is_unknown(value));
        let name = |tag| known(tag).unwrap_or("?");
        let mut words = format!("{} – {}", name("White"), name("Black"));
        for part in ["Event", "Date"].into_iter().filter_map(known) {
            words += ", ";
            words += part;
        }
        let played = San::new(&self.position, self.played);
        let words = format!("{words}: {}{played} was played", move_number(&self.position));
        words.replace(char::is_control, " ")
    }

    /// An EPD with the best move (`bm`), the solution (`pv`), the evaluation (`ce`), the name (`id`), the source (`c0`)
    /// and the themes (`c1`).
    pub fn to_epd(&self) -> Epd {
        let mut epd = Epd::new(self.position.clone());
        let mut position = self.position.clone();
        let mut san = Vec::with_capacity(self.solution.len());
        for &mv in &self.solution {
            let Ok(next) = position.play(mv) else { break };
            san.push(San::new(&position, mv).to_string());
            position = next;
        }
        let mut set = |opcode: &str, operands: Vec<String>| {
            // The opcodes are valid, and the operands have no control characters.
            if let Ok(operation) = Operation::new(opcode, operands) {
                epd.set(operation);
            }
        };
        set("bm", san.first().cloned().into_iter().collect());
        set("pv", san);
        if let WhiteEval::Cp(centipawns) = self.best {
            let for_solver = if self.solver().is_white() { centipawns } else { -centipawns };
            set("ce", vec![for_solver.to_string()]);
        }
        set("id", vec![self.id()]);
        set("c0", vec![self.source()]);
        if !self.themes.is_empty() {
            set("c1", vec![self.themes.join(", ").replace(char::is_control, " ")]);
        }
        epd
    }

    /// A game that begins with the position and has the solution as its moves.
    pub fn to_pgn(&self) -> GameTree {
        let mut tree = GameTree::new(self.position.clone());
        for (name, value) in &self.tags {
            // Tags that follow from the position are left out.
            let _ = tree.set_tag(name, value.as_str());
        }
        let root = tree.root();
        // The root is in the tree, and the moves are legal.
        if let Ok(comment) = tree.comment_mut(root) {
            let played = San::new(&self.position, self.played);
            *comment = format!("{}{played} was played.", move_number(&self.position));
            if !self.themes.is_empty() {
                *comment += &format!(" Themes: {}.", self.themes.join(", "));
            }
        }
        let _ = tree.add_line(root, &self.solution);
        tree
    }

    /// Finds the themes: how the solution wins, its length, the phase of the game. `line` begins with the solution
    /// and may continue after it.
    pub fn find_themes(&mut self, line: &[Move]) {
        let mut found = themes(&self.position, &self.solution);
        // What the solution prepares may be won with the next move.
        let soon = &line[..line.len().min(self.solution.len() + AFTER)];
        found.extend(themes(&self.position, soon).into_iter().filter(|theme| MOTIFS.contains(theme)));
        found.sort_unstable();
        found.dedup();
        self.themes = found.into_iter().map(words).collect();
        if self.wins()[0] < DEFENCE {
            self.themes.push("defence".to_owned());
        }
        self.themes.push(Phase::of(&self.position).name().to_lowercase());
    }
}

/// The number of plies after the solution that tell what it is about: a reply, a capture, a recapture.
const AFTER: usize = 3;

/// The themes that a line has because of what happens in it.
const MOTIFS: RangeInclusive<Theme> = Theme::DoubleCheck..=Theme::Sacrifice;

/// The words for a theme: `mate in 2` for `mateIn2`.
fn words(theme: Theme) -> String {
    let name = serde_json::to_value(theme).ok();
    let mut words = String::new();
    for letter in name.as_ref().and_then(|name| name.as_str()).unwrap_or_default().chars() {
        if letter.is_uppercase() || letter.is_numeric() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

/// With a smaller chance than this, in per cent, the solver does not win but saves the game.
const DEFENCE: f64 = 60.0;

/// The chance of a side to win, in per cent.
fn of_side(eval: WhiteEval, side: Color) -> f64 {
    let win = win_percent(eval);
    if side.is_white() { win } else { 100.0 - win }
}

fn is_unknown(value: &str) -> bool {
    matches!(value, "" | "?" | "-") || value.starts_with("????")
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::san::SanExt as _;

    /// Réti – Tartakower, Vienna 1910: 9. Qd8+ Kxd8 10. Bg5+ Kc7 11. Bd8#.
    fn reti() -> Puzzle {
        let fen = "rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 9";
        let position = Position::from_fen(fen).unwrap();
        let mut current = position.clone();
        let mut solution = Vec::new();
        for text in ["Qd8+", "Kxd8", "Bg5+", "Kc7", "Bd8#"] {
            let mv = current.parse_san(text).unwrap();
            current.make_unchecked(mv);
            solution.push(mv);
        }
        let played = position.parse_san("Re1").unwrap();
        let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let tags = [tag("White", "Reti"), tag("Black", "\"T\"; \\\n<b>"), tag("Date", "1910.??.??"), tag("Event", "?")];
        let (best, second) = (WhiteEval::Mate(3), WhiteEval::Cp(-300));
        let tags = tags.into_iter().collect();
        let mut puzzle =
            Puzzle { position, solution: solution.clone(), played, best, second, themes: Vec::new(), tags };
        puzzle.find_themes(&solution);
        puzzle
    }

    #[test]
    fn a_puzzle_is_written_as_epd_and_pgn() {
        let puzzle = reti();
        for theme in ["mate", "mate in 3", "sacrifice", "long", "opening"] {
            assert!(puzzle.themes.iter().any(|found| found == theme), "{theme} in {:?}", puzzle.themes);
        }
        let source = "Reti – \"T\"; \\ <b>, 1910.??.??: 9. Re1 was played";
        assert_eq!(puzzle.source(), source);
        assert_eq!(puzzle.solution_text(), "9. Qd8+ Kxd8 10. Bg5+ Kc7 11. Bd8#");
        let epd = Epd::parse(&puzzle.to_epd().to_string()).unwrap();
        assert_eq!(epd.position, puzzle.position);
        assert_eq!(epd.best_moves().unwrap(), puzzle.solution[..1]);
        assert_eq!(epd.principal_variation().unwrap(), puzzle.solution);
        assert_eq!((epd.id(), epd.comment(0)), (Some(puzzle.id().as_str()), Some(source)));
        let tree: GameTree = puzzle.to_pgn().to_string().parse().unwrap();
        assert_eq!((tree.start(), tree.tag("White")), (&puzzle.position, Some("Reti")));
        assert!(crate::moves_of(&tree).eq(puzzle.solution.iter().copied()));
        assert!(tree.comment(tree.root()).starts_with("9. Re1 was played. Themes: "), "{tree}");
    }

    #[test]
    fn a_puzzle_can_be_stored_and_is_checked() {
        let puzzle = reti();
        let json = serde_json::to_string(&puzzle).unwrap();
        assert_eq!(serde_json::from_str::<Puzzle>(&json).unwrap(), puzzle);
        assert!(json.contains(r#""moves":["d3d8","e8d8","d2g5","d8c7","g5d8"]"#), "{json}");
        for (from, to) in [("\"d3d8\"", "\"d3d9\""), (",\"g5d8\"", ""), ("kq - 0", "kx - 0"), ("d1e1", "d1d8")] {
            assert!(json.contains(from), "{json}");
            assert!(serde_json::from_str::<Puzzle>(&json.replace(from, to)).is_err(), "{from}");
        }
    }

    #[test]
    fn a_move_that_saves_the_game_is_a_defence() {
        // The king must take the opposition.
        let position = Position::from_fen("4k3/8/8/3K4/4P3/8/8/8 b - - 0 1").unwrap();
        let [solution, played] = ["e8d7", "e8e7"].map(|text| position.parse_uci(text).unwrap());
        let (best, second, tags) = (WhiteEval::Cp(0), WhiteEval::Mate(12), BTreeMap::new());
        let solution = vec![solution];
        let mut puzzle = Puzzle { position, solution, played, best, second, themes: Vec::new(), tags };
        puzzle.find_themes(&puzzle.solution.clone());
        assert_eq!(puzzle.themes, ["quiet move", "pawn endgame", "one move", "defence", "endgame"]);
        assert!(puzzle.wins()[0] == 50.0 && puzzle.wins()[1] < 3.0);
    }
}
