//! The plan of an ending, in words.

mod mating;
mod minor;
mod pawn;
mod queen;
mod rook;
mod view;

use crate::advice::TheoreticalResult;
use bartizan_position::Position;
use bartizan_types::Bitboard;
use view::View;

/// How to play an ending, for those that have a known method.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// The name of the ending, or of the position if that has one: "King and pawn against king", "Lucena position".
    pub title: &'static str,
    /// What to do and why, referring to the actual squares: one or more sentences per paragraph.
    pub text: Vec<String>,
    /// The squares that the text mentions, to be marked in a diagram.
    pub squares: Bitboard,
}

impl Plan {
    fn new(title: &'static str) -> Self {
        Self { title, text: Vec::new(), squares: Bitboard::EMPTY }
    }

    fn say(mut self, text: impl Into<String>) -> Self {
        self.text.push(text.into());
        self
    }

    fn mark(mut self, squares: Bitboard) -> Self {
        self.squares |= squares;
        self
    }
}

/// The plan of a position, if its ending has one and the game is not over. `outcome` is the result for the side to
/// move, if known.
///
/// The text is about the side that wins, or has more material, and its opponent. It gives rules of thumb from endgame
/// books; the tables decide.
pub fn plan(position: &Position, outcome: Option<TheoreticalResult>) -> Option<Plan> {
    let view = View::new(position, outcome).filter(|_| position.has_legal_move())?;
    let plan = match view.material.as_str() {
        "KQK" | "KRK" | "KQQK" | "KQRK" | "KRRK" | "KQBK" | "KQNK" | "KRBK" | "KRNK" => mating::heavy(&view),
        "KBBK" => mating::two_bishops(&view),
        "KBNK" => mating::bishop_and_knight(&view),
        "KNNK" => mating::two_knights(&view),
        "KPK" => pawn::one(&view),
        "KPKP" => pawn::race(&view),
        "KPPK" => pawn::two(&view),
        "KQKP" => queen::against_pawn(&view),
        "KQKR" => queen::against_rook(&view),
        "KQKB" | "KQKN" => queen::against_minor(&view),
        "KRKP" => rook::against_pawn(&view),
        "KRKB" => rook::against_bishop(&view),
        "KRKN" => rook::against_knight(&view),
        "KRPKR" => rook::with_pawn(&view),
        "KBPK" => minor::bishop_and_pawn(&view),
        "KNPK" => minor::knight_and_pawn(&view),
        "KBPKB" => minor::bishops(&view),
        "KNNKP" => minor::two_knights_against_pawn(&view),
        "KBBKN" => minor::two_bishops_against_knight(&view),
        _ => return None,
    };
    if view.is_lost() {
        let (winner, loser) = (view.weak_name(), view.strong_name());
        return Some(Plan::new(plan.title).say(format!("{winner} wins, although {loser} has more material.")));
    }
    // If a bare king can capture a piece, the method no longer applies.
    if view.is_against_bare_king()
        && let Some(text) = view.capture_by_weak()
    {
        return Some(Plan::new(plan.title).say(if view.taken().is_some() { view.exception() } else { text }));
    }
    Some(plan)
}
