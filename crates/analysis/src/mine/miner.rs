//! Searches one game for positions with a proven best move.

use super::candidates::{self, Candidate};
use super::judge::{self, KeptResult, TableAnswer, TwoBest};
use super::{Criteria, MineCause, MineError, MinedGame, MinedPosition};
use crate::{Analyser, AnalysisError, Limits, SearchLine, describe};
use bartizan_games::records::GameRecord;
use bartizan_position::{Game, Position};
use bartizan_tablebase::Tablebases;
use bartizan_types::Move;

/// The step at which a position was rejected. Positions that pass the last step are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MineStage {
    /// All positions that were examined.
    Candidate,
    /// A small search finds the move.
    Easy,
    /// The two-line search sees no clear best move.
    Sifted,
    /// The deep searches or the tables do not prove a best move.
    Unproven,
}

/// How far the scores of the sifting search may miss the thresholds of a task, in centipawns.
const SLACK: i32 = 60;
/// The node factor of the sifting search where an engine missed a move in the game.
const MISSED: u64 = 4;

impl MineStage {
    /// The number of stages.
    pub const COUNT: usize = 4;
}

/// Searches games for positions with a proven best move.
#[derive(Debug)]
pub struct Miner<'a> {
    /// The engines with the limits of their deep searches, and their names.
    engines: Vec<(Analyser, Limits, String)>,
    criteria: &'a Criteria,
    tables: Option<&'a Tablebases>,
}

/// The result of examining a position.
enum Verdict {
    Left(MineStage),
    Proven { best: Move, task: KeptResult, proof: Vec<String> },
}

impl<'a> Miner<'a> {
    /// A miner whose engines must all agree, each with the limits of its deep searches and the name that the proofs
    /// give. The first engine also makes the small searches.
    pub fn new(
        engines: Vec<(Analyser, Limits, String)>,
        criteria: &'a Criteria,
        tables: Option<&'a Tablebases>,
    ) -> Self {
        Self { engines, criteria, tables }
    }

    /// Searches a game. The order in which positions are tried depends on the game's number.
    ///
    /// # Errors
    /// [`MineError`] with [`AnalysisError::Stopped`] after a stop, or if an engine or a table fails.
    pub fn search(&mut self, game: &GameRecord, number: u64) -> Result<MinedGame, MineError> {
        let mut finds = MinedGame::default();
        for candidate in candidates::of_game(game, number, self.criteria) {
            let is_close = |find: &MinedPosition| find.ply.abs_diff(candidate.ply) < self.criteria.distance as usize;
            if finds.found.iter().any(is_close) {
                continue;
            }
            finds.counts[MineStage::Candidate as usize] += 1;
            match self.examine(&candidate).map_err(|source| MineError::new(&candidate.position, source))? {
                Verdict::Left(stage) => finds.counts[stage as usize] += 1,
                Verdict::Proven { best, task, proof } => {
                    let (ply, fen, best) = (candidate.ply, candidate.position.to_fen(), best.to_string());
                    finds.found.push(MinedPosition { ply, fen, best, task, proof });
                    if finds.found.len() >= self.criteria.per_game as usize {
                        break;
                    }
                }
            }
        }
        finds.found.sort_by_key(|find| find.ply);
        Ok(finds)
    }

    fn examine(&mut self, candidate: &Candidate) -> Result<Verdict, MineCause> {
        let position = &candidate.position;
        let answer = match self.tables {
            Some(tables) => judge::by_tables(tables, position)?,
            None => TableAnswer::Unknown,
        };
        if answer == TableAnswer::NotUnique {
            return Ok(Verdict::Left(MineStage::Unproven));
        }
        let easy = self.first(position, self.criteria.easy, 1)?.first().map(SearchLine::best);
        if let TableAnswer::Unique(best, task) = answer {
            let proof = vec!["Syzygy tables".to_owned()];
            let is_easy = easy == Some(best);
            return Ok(if is_easy { Verdict::Left(MineStage::Easy) } else { Verdict::Proven { best, task, proof } });
        }
        // An engine missed the move in the game, so a search of the usual size may miss it too.
        let nodes = self.criteria.sift.saturating_mul(if candidate.is_missed { MISSED } else { 1 });
        let lines = self.first(position, nodes, 2)?;
        let sifted = TwoBest::of(&lines).filter(|opinion| opinion.task(self.criteria.margin / 2, SLACK).is_some());
        match sifted {
            None => Ok(Verdict::Left(MineStage::Sifted)),
            Some(opinion) if Some(opinion.mv) == easy => Ok(Verdict::Left(MineStage::Easy)),
            Some(_) => self.prove(position, easy),
        }
    }

    /// Asks all engines, first with a tenth of the nodes, which rejects most positions.
    fn prove(&mut self, position: &Position, easy: Option<Move>) -> Result<Verdict, MineCause> {
        let mut verdict = Verdict::Left(MineStage::Unproven);
        for (divisor, slack) in [(10, SLACK / 2), (1, 0)] {
            // A search no larger than the sifting one adds nothing.
            let sift = self.criteria.sift;
            let is_useful = |limits: &Limits| is_by_nodes(limits) && limits.nodes.is_some_and(|n| n / divisor >= sift);
            if divisor > 1 && !self.engines.iter().all(|(_, limits, _)| is_useful(limits)) {
                continue;
            }
            verdict = self.ask_all(position, easy, divisor, slack)?;
            if !matches!(verdict, Verdict::Proven { .. }) {
                break;
            }
        }
        Ok(verdict)
    }

    /// Asks all engines, with the nodes of their deep searches divided. Scores may miss the thresholds of a task by
    /// `slack`.
    fn ask_all(
        &mut self,
        position: &Position,
        easy: Option<Move>,
        divisor: u64,
        slack: i32,
    ) -> Result<Verdict, MineCause> {
        let mut agreed: Option<(Move, KeptResult)> = None;
        let mut proof = Vec::new();
        for (analyser, limits, name) in &mut self.engines {
            let mut limits = limits.clone();
            limits.nodes = limits.nodes.map(|nodes| (nodes / divisor).max(1));
            let lines = analyser.best_lines(&Game::new(position.clone()), &limits, 2)?;
            let margin = self.criteria.margin - slack;
            let opinion = TwoBest::of(&lines).and_then(|it| Some((it, it.task(margin, slack)?)));
            let Some((opinion, task)) = opinion else { return Ok(Verdict::Left(MineStage::Unproven)) };
            if Some(opinion.mv) == easy {
                return Ok(Verdict::Left(MineStage::Easy));
            }
            if *agreed.get_or_insert((opinion.mv, task)) != (opinion.mv, task) {
                return Ok(Verdict::Left(MineStage::Unproven));
            }
            let [best, second] = [opinion.best, opinion.second].map(judge::text);
            proof.push(format!("{name} {best} against {second} ({})", describe(&limits)));
        }
        Ok(match agreed {
            Some((best, task)) => Verdict::Proven { best, task, proof },
            None => Verdict::Left(MineStage::Unproven),
        })
    }

    /// A search of the first engine.
    fn first(&mut self, position: &Position, nodes: u64, lines: usize) -> Result<Vec<SearchLine>, AnalysisError> {
        let Some((analyser, ..)) = self.engines.first_mut() else { return Ok(Vec::new()) };
        analyser.best_lines(&Game::new(position.clone()), &Limits::nodes(nodes), lines)
    }
}

/// Whether only nodes limit a search. Other limits cannot be divided.
fn is_by_nodes(limits: &Limits) -> bool {
    limits.nodes.is_some() && limits.depth.is_none() && limits.move_time.is_none()
}
