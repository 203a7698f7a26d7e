//! Finds puzzles in games: positions in which a player missed the only good move.

use crate::{Analyser, AnalysisError, GameError, Limits, SearchLine};
use bartizan_notation::pgn::GameTree;
use bartizan_position::{Game, Position};
use bartizan_review::judgement::win_percent;
use bartizan_review::{Puzzle, WhiteEval, moves_of};
use bartizan_types::{ByColor, Color, Move, Square};

/// The maximum number of the solver's moves.
const LONGEST: usize = 6;

/// With this chance to win, in per cent, a move wins: the second best must not, unless the best one mates.
const WINS: f64 = 75.0;

/// With this chance a side is ahead. The solution of a puzzle leads there, or saves a lost game.
const AHEAD: f64 = 60.0;

/// With at least the first of these chances a move saves the game, if with all others it is at most the second.
const SAVES: [f64; 2] = [45.0, 25.0];

/// How puzzles are found.
#[derive(Clone, Debug)]
pub struct PuzzleOptions {
    /// The limits of the searches that find candidates: one for the best move, one for the best other move.
    pub limits: Limits,
    /// The limits of the searches that check a candidate, likewise: ten times as many nodes, say.
    pub check: Limits,
    /// By how much the second best move must be worse, in points of win per cent.
    pub margin: f64,
}

/// Finds the positions of a game in which one of `sides` missed the only good move, in their order. `number` is that of
/// the game, for errors.
///
/// `progress` gets the number of positions that are done, and their total.
///
/// Each search begins with empty tables and knows only the position, so that the result depends on nothing else. The
/// solution continues while the next move is the only good one and a capture, a promotion, a check or part of a forced
/// mate.
///
/// # Errors
/// [`GameError`] if the analyser fails or was stopped.
pub fn find_puzzles(
    number: u64,
    tree: &GameTree,
    sides: ByColor<bool>,
    analyser: &mut Analyser,
    options: &PuzzleOptions,
    mut progress: impl FnMut(usize, usize),
) -> Result<Vec<Puzzle>, GameError> {
    let mut finder = Finder { analyser, options };
    let mut puzzles = Vec::new();
    let mut position = tree.start().clone();
    let mut taken_on = None;
    let moves: Vec<Move> = moves_of(tree).collect();
    for (done, &played) in moves.iter().enumerate() {
        progress(done, moves.len());
        if sides[position.turn()] {
            let found = finder.find(&position, played, taken_on);
            let fail = |source| GameError { game: number, fen: position.to_fen(), source: Box::new(source) };
            puzzles.extend(found.map_err(fail)?);
        }
        taken_on = position.is_capture(played).then_some(played.to());
        // The moves come from a parsed game, so they are legal.
        position = position.play_unchecked(played);
    }
    for puzzle in &mut puzzles {
        puzzle.tags = tree.tags.iter().cloned().collect();
    }
    Ok(puzzles)
}

/// The best move of a position, compared with the others.
struct Choice {
    /// The best line, at least one move.
    line: Vec<Move>,
    best: WhiteEval,
    /// The evaluation with the best other move; `None` if there is no other move.
    second: Option<WhiteEval>,
}

/// The chance of a side to win, in per cent.
fn win(eval: WhiteEval, side: Color) -> f64 {
    let win = win_percent(eval);
    if side.is_white() { win } else { 100.0 - win }
}

/// In how many moves a side mates.
fn mate(eval: WhiteEval, side: Color) -> Option<i32> {
    match eval {
        WhiteEval::Mate(moves) if (moves > 0) == side.is_white() => Some(moves.abs()),
        _ => None,
    }
}

impl Choice {
    fn mv(&self) -> Move {
        self.line[0]
    }

    /// Whether the best move is the only good one: it wins and no other does (or it mates), or it saves a game that
    /// all others lose.
    fn is_only(&self, side: Color, margin: f64) -> bool {
        let Some(second) = self.second else { return true };
        let [best, second] = [self.best, second].map(|eval| win(eval, side));
        let [saves, loses] = SAVES;
        let [best_wins, second_wins] = [best >= AHEAD, second >= WINS && mate(self.best, side).is_none()];
        best - second >= margin && !second_wins && (best_wins || best >= saves && second <= loses)
    }

    /// Whether a solution may go on with the best move.
    fn continues(&self, position: &Position, margin: f64) -> bool {
        let (side, mv) = (position.turn(), self.mv());
        let Some(second) = self.second else { return true };
        if let Some(moves) = mate(self.best, side) {
            // Of several moves that mate at once, each is right.
            return moves == 1 || mate(second, side).is_none();
        }
        let is_quiet = !position.is_capture(mv) && mv.promotes_to().is_none() && !position.gives_check(mv);
        !is_quiet && self.is_only(side, margin)
    }
}

struct Finder<'a> {
    analyser: &'a mut Analyser,
    options: &'a PuzzleOptions,
}

impl Finder<'_> {
    /// The puzzle of a position, if its best move is the only good one and was not played. `taken_on` is the square of
    /// the capture before: to take back is no puzzle.
    fn find(
        &mut self,
        position: &Position,
        played: Move,
        taken_on: Option<Square>,
    ) -> Result<Option<Puzzle>, AnalysisError> {
        let (side, margin) = (position.turn(), self.options.margin);
        let is_puzzle = |choice: &Choice| {
            let takes_back = position.is_capture(choice.mv()) && taken_on == Some(choice.mv().to());
            choice.mv() != played && !takes_back && choice.second.is_some() && choice.is_only(side, margin)
        };
        let Some(choice) = self.choose(position, Some(played), is_puzzle)? else { return Ok(None) };
        let Some(second) = choice.second else { return Ok(None) };
        let (solution, line) = self.solution(position, &choice)?;
        let (position, best) = (position.clone(), choice.best);
        let (themes, tags) = Default::default();
        let mut puzzle = Puzzle { position, solution, played, best, second, themes, tags };
        puzzle.find_themes(&line);
        Ok(Some(puzzle))
    }

    /// The solution that begins with a choice, and a line that may continue after it.
    fn solution(&mut self, start: &Position, first: &Choice) -> Result<(Vec<Move>, Vec<Move>), AnalysisError> {
        let margin = self.options.margin;
        let mut solution = vec![first.mv()];
        let mut position = start.play_unchecked(first.mv());
        let mut rest = first.line[1..].to_vec();
        // A solution does not end with the only legal move, unless that mates.
        let mut length = 1;
        while solution.len() < 2 * LONGEST - 1 {
            let Some(reply) = self.reply(&position, rest.first().copied())? else { break };
            let next = position.play_unchecked(reply);
            if !next.has_legal_move() {
                break;
            }
            let continues = |choice: &Choice| choice.continues(&next, margin);
            let Some(choice) = self.choose(&next, None, continues)? else { break };
            solution.extend([reply, choice.mv()]);
            if choice.second.is_some() {
                length = solution.len();
            }
            position = next.play_unchecked(choice.mv());
            rest = choice.line[1..].to_vec();
        }
        let mut line = solution.clone();
        line.extend(rest);
        if !position.is_checkmate() {
            solution.truncate(length);
        }
        Ok((solution, line))
    }

    /// The opponent's reply: that of the line, or the best one.
    fn reply(&mut self, position: &Position, known: Option<Move>) -> Result<Option<Move>, AnalysisError> {
        if let Some(reply) = known.filter(|&reply| position.is_legal(reply)) {
            return Ok(Some(reply));
        }
        if !position.has_legal_move() {
            return Ok(None);
        }
        let check = &self.options.check;
        Ok(self.best(position, check)?.map(|line| line.best()))
    }

    /// The best move of a position by both searches, if they agree and each `fits`. A first search that prefers
    /// `played` is enough to refuse it.
    fn choose(
        &mut self,
        position: &Position,
        played: Option<Move>,
        fits: impl Fn(&Choice) -> bool,
    ) -> Result<Option<Choice>, AnalysisError> {
        let options = self.options;
        let Some(first) = self.compare(position, &options.limits, played)?.filter(&fits) else { return Ok(None) };
        let checked = self.compare(position, &options.check, played)?;
        Ok(checked.filter(|choice| choice.mv() == first.mv() && fits(choice)))
    }

    /// Compares the best move with the best other one. `None` if it is `played`, or if it neither wins nor saves the
    /// game.
    fn compare(
        &mut self,
        position: &Position,
        limits: &Limits,
        played: Option<Move>,
    ) -> Result<Option<Choice>, AnalysisError> {
        let side = position.turn();
        let Some(best) = self.best(position, limits)? else { return Ok(None) };
        let mut choice = Choice { best: WhiteEval::new(best.score, side), line: best.pv, second: None };
        let mv = choice.mv();
        let others: Vec<Move> = position.legal_moves().iter().copied().filter(|&other| other != mv).collect();
        if others.is_empty() {
            return Ok(Some(choice));
        }
        if Some(mv) == played || win(choice.best, side) < SAVES[0] {
            return Ok(None);
        }
        // After a mate in one there is nothing to compare, unless it would be the first move.
        if played.is_none() && mate(choice.best, side) == Some(1) {
            choice.second = Some(choice.best);
            return Ok(Some(choice));
        }
        let limits = limits.clone().with_search_moves(others);
        let Some(second) = self.best(position, &limits)? else { return Ok(None) };
        choice.second = Some(WhiteEval::new(second.score, side));
        Ok(Some(choice))
    }

    fn best(&mut self, position: &Position, limits: &Limits) -> Result<Option<SearchLine>, AnalysisError> {
        let lines = self.analyser.best_lines(&Game::new(position.clone()), limits, 1)?;
        Ok(lines.into_iter().next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::pgn::TreeReader;

    const BOTH: ByColor<bool> = ByColor([true; 2]);

    fn found(text: &str, sides: ByColor<bool>) -> Vec<Puzzle> {
        let tree = TreeReader::new(text.as_bytes()).next().unwrap().unwrap();
        let mut analyser = Analyser::new(1, 4).unwrap();
        let options = PuzzleOptions { limits: Limits::nodes(5_000), check: Limits::nodes(50_000), margin: 15.0 };
        find_puzzles(1, &tree, sides, &mut analyser, &options, |_, _| ()).unwrap()
    }

    #[test]
    fn a_missed_mate_is_a_puzzle_with_its_whole_solution() {
        // A mate on the back rank by a side that is a queen down.
        let text = "[White \"Mill\"]\n[FEN \"r2r2k1/5ppp/8/8/8/1q6/3R1PPP/3R2K1 w - - 0 1\"]\n\n1. h3 Rxd2 2. Rxd2 *";
        let puzzles = found(text, BOTH);
        assert_eq!(puzzles.first().map(Puzzle::solution_text).as_deref(), Some("1. Rxd8+ Rxd8 2. Rxd8#"));
        let mate = &puzzles[0];
        assert_eq!((mate.best, mate.tags["White"].as_str()), (WhiteEval::Mate(2), "Mill"));
        assert!(mate.themes.contains(&"mate in 2".to_owned()), "{:?}", mate.themes);
        // Of the other side's, if it has any, this is none.
        assert!(found(text, ByColor([false, true])).iter().all(|puzzle| !puzzle.solver().is_white()));
    }

    #[test]
    fn a_fork_continues_until_the_gain() {
        let text = "[FEN \"r3k3/8/8/1N6/8/8/6PP/6K1 w q - 0 1\"]\n\n1. h3 Ra2 *";
        let puzzles = found(text, BOTH);
        assert_eq!(puzzles.len(), 1);
        let moves = puzzles[0].solution_text();
        assert!(moves.starts_with("1. Nc7+ K") && moves.ends_with("2. Nxa8"), "{moves}");
    }

    #[test]
    fn to_take_back_is_no_puzzle_and_neither_is_a_move_among_equals() {
        // White does not take the bishop, and draws.
        assert_eq!(found("[FEN \"4k3/8/8/2b5/8/4N3/3K4/R7 b - - 0 1\"]\n\n1... Bxe3+ 2. Kd1 *", BOTH), []);
        let text = "[FEN \"4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1\"]\n\n1. Kd2 Kd7 2. Qe1 Kd6 *";
        assert_eq!(found(text, BOTH), []);
    }

    #[test]
    fn a_drawn_ending_needs_its_only_move() {
        let text = "[FEN \"4k3/8/8/3K4/4P3/8/8/8 b - - 0 1\"]\n\n1... Ke7 2. Ke5 *";
        let puzzles = found(text, BOTH);
        assert_eq!(puzzles.first().map(Puzzle::solution_text).as_deref(), Some("1... Kd7"));
        assert!(puzzles[0].themes.contains(&"defence".to_owned()));
    }

    #[test]
    fn a_stopped_search_is_an_error() {
        let tree = TreeReader::new(&b"1. f3 e5 2. g4 a6 *"[..]).next().unwrap().unwrap();
        let stop = bartizan_parallel::StopFlag::new();
        let mut analyser = Analyser::new(1, 1).unwrap().stop_by(&stop);
        stop.stop();
        let options = PuzzleOptions { limits: Limits::nodes(100), check: Limits::nodes(1_000), margin: 15.0 };
        let error = find_puzzles(7, &tree, BOTH, &mut analyser, &options, |_, _| ()).unwrap_err();
        assert!(error.game == 7 && matches!(*error.source, AnalysisError::Stopped), "{error}");
    }
}
