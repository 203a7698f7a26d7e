//! What a page shows. The script of the page reads the same data as JSON, with names in camel case.

use crate::WhiteEval;
use crate::judgement::{Judgement, MoveClass, Phase};
use bartizan_types::ByColor;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;

/// Writes one digit after the point, which is all that a page shows.
fn tenths<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((number * 10.0).round() / 10.0)
}

/// [`tenths`] of a number that may be unknown.
fn optional_tenths<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) => tenths(number, serializer),
        None => serializer.serialize_none(),
    }
}

/// [`tenths`] of every value.
fn map_of_tenths<S: Serializer>(values: &BTreeMap<String, f64>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(name, value)| (name, (value * 10.0).round() / 10.0)))
}

/// Reviews of games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ReportData {
    /// The title of the page; empty for the players or the number of games.
    pub title: String,
    /// The engine that evaluated the positions.
    pub engine: String,
    /// Its budget in words, such as `1 s per position`.
    pub budget: String,
    /// The games.
    pub games: Vec<GameReport>,
}

/// Values of the tags of a game; empty if unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct GameTags {
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// White's rating.
    pub white_elo: String,
    /// Black's rating.
    pub black_elo: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The date as in PGN: `2026.11.29`.
    pub date: String,
    /// The event.
    pub event: String,
    /// The site.
    pub site: String,
    /// The round.
    pub round: String,
    /// The time control as in PGN: `180+2`.
    pub time_control: String,
}

/// The name of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningName {
    /// Its code in the Encyclopaedia of Chess Openings.
    pub eco: String,
    /// Its name, the family before a colon.
    pub name: String,
}

/// A reviewed game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct GameReport {
    /// Its tags.
    pub tags: GameTags,
    /// Its opening, if known.
    pub opening: Option<OpeningName>,
    /// The number of plies that are in the opening book.
    pub last_book_ply: usize,
    /// The first position, as FEN.
    pub start_fen: String,
    /// White's expected score in the first position, in percent.
    #[serde(serialize_with = "optional_tenths")]
    pub start_win: Option<f64>,
    /// The moves.
    pub moves: Vec<MoveReport>,
    /// The accuracy of White and Black.
    pub accuracy: ByColor<PhaseAccuracy>,
    /// The mistakes of White and Black.
    pub counts: ByColor<MistakeCounts>,
    /// The moments at which the reader is asked for a move, in the order of the game.
    pub critical: Vec<CriticalMoment>,
    /// The game in PGN.
    pub pgn: String,
}

/// A move of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineMove {
    /// In algebraic notation.
    pub san: String,
    /// In coordinate notation: castling as `e1g1`, in Chess960 also as king takes rook.
    pub uci: String,
}

/// A move of a game and its judgement.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MoveReport {
    /// In algebraic notation.
    pub san: String,
    /// In coordinate notation: castling as `e1g1`, in Chess960 also as king takes rook.
    pub uci: String,
    /// The position after the move, as FEN.
    pub fen: String,
    /// The evaluation after the move; `None` if the game is over or the position was not evaluated.
    pub eval: Option<WhiteEval>,
    /// White's expected score after the move, in percent.
    #[serde(serialize_with = "optional_tenths")]
    pub win: Option<f64>,
    /// The judgement.
    pub class: MoveClass,
    /// The expected score that the player lost, in points of percent.
    #[serde(serialize_with = "tenths")]
    pub loss: f64,
    /// The accuracy of the move, from 0 to 100.
    #[serde(serialize_with = "optional_tenths")]
    pub accuracy: Option<f64>,
    /// Seconds left on the player's clock after the move.
    #[serde(serialize_with = "optional_tenths")]
    pub clock: Option<f64>,
    /// Seconds that the player spent on the move.
    #[serde(serialize_with = "optional_tenths")]
    pub spent: Option<f64>,
    /// The best line of the position before the move; it begins with the best move.
    pub best_line: Vec<LineMove>,
    /// How the move is punished: a line from the position after it.
    pub refutation: Vec<LineMove>,
    /// The number of moves of `refutation`, from its first, that show the point.
    pub refutation_length: Option<usize>,
    /// Sentences that say why the move is good or bad.
    pub reasons: Vec<String>,
    /// The part of the game.
    pub phase: Phase,
    /// Whether the move decided the game.
    pub is_turning_point: bool,
}

impl MoveReport {
    /// What the page calls the move: the name of its class, but no move of a lost game is called good.
    pub(super) fn name(&self) -> &'static str {
        let is_white = self.fen.split(' ').nth(1) == Some("b");
        let chance = self.win.map(|win| if is_white { win } else { 100.0 - win });
        let is_of_lost_game = chance.is_some_and(|chance| self.class.is_of_lost_game(chance));
        if is_of_lost_game { "in a lost game" } else { self.class.name() }
    }
}

/// The accuracy of a player, from 0 to 100; `None` without moves to judge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PhaseAccuracy {
    /// In the whole game.
    #[serde(serialize_with = "optional_tenths")]
    pub game: Option<f64>,
    /// In the opening.
    #[serde(serialize_with = "optional_tenths")]
    pub opening: Option<f64>,
    /// In the middlegame.
    #[serde(serialize_with = "optional_tenths")]
    pub middlegame: Option<f64>,
    /// In the endgame.
    #[serde(serialize_with = "optional_tenths")]
    pub endgame: Option<f64>,
}

impl PhaseAccuracy {
    /// The accuracy in a phase.
    pub(super) fn phase(&self, phase: Phase) -> Option<f64> {
        match phase {
            Phase::Opening => self.opening,
            Phase::Middlegame => self.middlegame,
            Phase::Endgame => self.endgame,
        }
    }
}

/// The number of mistakes of each size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MistakeCounts {
    /// Inaccuracies.
    pub inaccuracies: usize,
    /// Mistakes.
    pub mistakes: usize,
    /// Blunders.
    pub blunders: usize,
    /// Wins let slip; they are mistakes or blunders, too.
    pub missed_wins: usize,
}

impl MistakeCounts {
    /// Counts a move.
    pub fn add(&mut self, mv: &MoveReport) {
        match Judgement::of(mv.loss).filter(|_| mv.class.is_mistake()) {
            Some(Judgement::Inaccuracy) => self.inaccuracies += 1,
            Some(Judgement::Mistake) => self.mistakes += 1,
            Some(Judgement::Blunder) => self.blunders += 1,
            None => {}
        }
        self.missed_wins += usize::from(mv.class == MoveClass::MissedWin);
    }
}

/// A moment at which the reader is asked for a move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CriticalMoment {
    /// The move of the game that is in question: 1 for the first.
    pub ply: usize,
    /// White's expected score in percent after each legal move, which is in coordinate notation.
    #[serde(serialize_with = "map_of_tenths")]
    pub values: BTreeMap<String, f64>,
}

/// Puzzles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PuzzleData {
    /// The title of the page.
    pub title: String,
    /// The puzzles.
    pub puzzles: Vec<PuzzleReport>,
}

/// A position with a solution.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PuzzleReport {
    /// A name that is unique and stays the same, such as that of a file and a number: results are stored by it.
    pub id: String,
    /// The position, as FEN.
    pub fen: String,
    /// The solution in coordinate notation: moves of the solver and the opponent in turn.
    pub moves: Vec<String>,
    /// What it is about, in words such as `fork`.
    pub themes: Vec<String>,
    /// Where it is from, in words.
    pub source: String,
}
