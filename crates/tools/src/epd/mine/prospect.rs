//! The search of one game for positions with a proven best move.

use super::candidates::{self, Candidate};
use super::journal::GameEntry;
use super::judge::{self, Opinion, TableAnswer, Task};
use super::{Found, Settings};
use crate::interrupt::Interrupt;
use crate::solver::{Budget, Line, Patience, Solver};
use anyhow::Context;
use bartizan_games::records::GameRecord;
use bartizan_match::EngineSpec;
use bartizan_position::{Game, Position};
use bartizan_tablebase::Tablebases;
use bartizan_types::Move;

/// Where a position left the examination. The last one is not counted: it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// All positions that were examined.
    Candidate,
    /// A small search finds the move.
    Easy,
    /// The search for two lines sees no clear best move.
    Sifted,
    /// The deep searches or the tables do not prove one.
    Unproven,
}

/// By how many centipawns the scores of the sifting search may miss the limits of a task.
const SLACK: i32 = 60;
/// The factor for the nodes of the sifting search where an engine missed a move in the game.
const MISSED: u64 = 4;

impl Stage {
    pub(super) const COUNT: usize = 4;
}

/// The engines of a thread.
pub(super) struct Prospector<'a> {
    engines: Vec<(Solver, Budget, String)>,
    settings: &'a Settings,
    tables: Option<&'a Tablebases>,
}

/// How the examination of a position ended.
enum Verdict {
    Left(Stage),
    Proven { best: Move, task: Task, proof: Vec<String> },
}

impl<'a> Prospector<'a> {
    pub(super) fn start(
        engines: &[(Option<EngineSpec>, Budget)],
        settings: &'a Settings,
        tables: Option<&'a Tablebases>,
        patience: Patience,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Self> {
        let start = |(spec, budget): &(Option<EngineSpec>, Budget)| {
            // An engine without this option is refused before the first game.
            let options = [("MultiPV".to_owned(), "2".to_owned())];
            let solver = Solver::start(spec.as_ref(), &options, patience, interrupt)?;
            let name = solver.full_name(spec.as_ref());
            Ok((solver, *budget, name))
        };
        let engines = engines.iter().map(start).collect::<anyhow::Result<_>>()?;
        Ok(Self { engines, settings, tables })
    }

    /// Searches a game; `None` if stopped.
    pub(super) fn search(
        &mut self,
        game: &GameRecord,
        number: usize,
        is_stopped: &dyn Fn() -> bool,
    ) -> anyhow::Result<Option<GameEntry>> {
        let mut entry = GameEntry::default();
        for candidate in candidates::of_game(game, number, self.settings) {
            let is_close = |found: &Found| found.ply.abs_diff(candidate.ply) < self.settings.distance as usize;
            if entry.found.iter().any(is_close) {
                continue;
            }
            entry.counts[Stage::Candidate as usize] += 1;
            let examined = self.examine(&candidate, is_stopped);
            let examined = examined.with_context(|| format!("position '{}'", candidate.position.to_fen()))?;
            match examined {
                None => return Ok(None),
                Some(Verdict::Left(stage)) => entry.counts[stage as usize] += 1,
                Some(Verdict::Proven { best, task, proof }) => {
                    let (ply, fen, best) = (candidate.ply, candidate.position.to_fen(), best.to_string());
                    entry.found.push(Found { ply, fen, best, task, proof });
                    if entry.found.len() >= self.settings.per_game as usize {
                        break;
                    }
                }
            }
        }
        entry.found.sort_by_key(|found| found.ply);
        Ok(Some(entry))
    }

    /// Examines a position; `None` if stopped.
    fn examine(&mut self, candidate: &Candidate, is_stopped: &dyn Fn() -> bool) -> anyhow::Result<Option<Verdict>> {
        let position = &candidate.position;
        let answer = match self.tables {
            Some(tables) => judge::by_tables(tables, position)?,
            None => TableAnswer::Unknown,
        };
        if answer == TableAnswer::NotUnique {
            return Ok(Some(Verdict::Left(Stage::Unproven)));
        }
        let Some(easy) = self.first(position, self.settings.easy, 1, is_stopped)? else { return Ok(None) };
        let easy = easy.first().map(|line| line.mv);
        if let TableAnswer::Unique(best, task) = answer {
            let proof = vec!["Syzygy tables".to_owned()];
            return Ok(Some(if easy == Some(best) {
                Verdict::Left(Stage::Easy)
            } else {
                Verdict::Proven { best, task, proof }
            }));
        }
        // An engine missed the move in the game, so a search of the usual size may miss it, too.
        let nodes = self.settings.sift.saturating_mul(if candidate.is_missed { MISSED } else { 1 });
        let Some(lines) = self.first(position, nodes, 2, is_stopped)? else { return Ok(None) };
        let sifted = Opinion::of(&lines).filter(|opinion| opinion.task(self.settings.margin / 2, SLACK).is_some());
        match sifted {
            None => Ok(Some(Verdict::Left(Stage::Sifted))),
            Some(opinion) if Some(opinion.mv) == easy => Ok(Some(Verdict::Left(Stage::Easy))),
            Some(_) => self.prove(position, easy, is_stopped),
        }
    }

    /// Asks all engines for their opinion, first with a tenth of the nodes, which most positions do not survive.
    fn prove(
        &mut self,
        position: &Position,
        easy: Option<Move>,
        is_stopped: &dyn Fn() -> bool,
    ) -> anyhow::Result<Option<Verdict>> {
        let mut verdict = None;
        for (divisor, slack) in [(10, SLACK / 2), (1, 0)] {
            // A search that is not larger than the sifting one tells nothing new.
            let sift = self.settings.sift;
            let is_useful = |budget: &Budget| is_by_nodes(budget) && budget.nodes.is_some_and(|n| n / divisor >= sift);
            if divisor > 1 && !self.engines.iter().all(|(_, budget, _)| is_useful(budget)) {
                continue;
            }
            verdict = self.ask_all(position, easy, divisor, slack, is_stopped)?;
            if !matches!(verdict, Some(Verdict::Proven { .. })) {
                break;
            }
        }
        Ok(verdict)
    }

    /// Asks all engines. The nodes of their deep searches are divided, and the limits of a task may be missed by
    /// `slack`.
    fn ask_all(
        &mut self,
        position: &Position,
        easy: Option<Move>,
        divisor: u64,
        slack: i32,
        is_stopped: &dyn Fn() -> bool,
    ) -> anyhow::Result<Option<Verdict>> {
        let mut agreed: Option<(Move, Task)> = None;
        let mut proof = Vec::new();
        for (solver, budget, name) in &mut self.engines {
            let budget = Budget { nodes: budget.nodes.map(|nodes| (nodes / divisor).max(1)), ..*budget };
            let Some(lines) = solver.lines(&Game::new(position.clone()), &budget, 2, is_stopped)? else {
                return Ok(None);
            };
            let margin = self.settings.margin - slack;
            let opinion = Opinion::of(&lines).and_then(|it| Some((it, it.task(margin, slack)?)));
            let Some((opinion, task)) = opinion else { return Ok(Some(Verdict::Left(Stage::Unproven))) };
            if Some(opinion.mv) == easy {
                return Ok(Some(Verdict::Left(Stage::Easy)));
            }
            if *agreed.get_or_insert((opinion.mv, task)) != (opinion.mv, task) {
                return Ok(Some(Verdict::Left(Stage::Unproven)));
            }
            let [best, second] = [opinion.best, opinion.second].map(judge::text);
            proof.push(format!("{name} {best} against {second} ({budget})"));
        }
        Ok(Some(match agreed {
            Some((best, task)) => Verdict::Proven { best, task, proof },
            None => Verdict::Left(Stage::Unproven),
        }))
    }

    /// A search of the first engine.
    fn first(
        &mut self,
        position: &Position,
        nodes: u64,
        lines: usize,
        is_stopped: &dyn Fn() -> bool,
    ) -> anyhow::Result<Option<Vec<Line>>> {
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        let Some((solver, ..)) = self.engines.first_mut() else { return Ok(None) };
        solver.lines(&Game::new(position.clone()), &budget, lines, is_stopped)
    }
}

/// Whether a search ends by its nodes alone. Other limits cannot be divided.
fn is_by_nodes(budget: &Budget) -> bool {
    budget.nodes.is_some() && budget.depth.is_none() && budget.st.is_none()
}
