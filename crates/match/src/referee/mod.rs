//! One game between two engines.

mod faults;
mod pgn;
mod ponder;
mod reply;
mod score;

use crate::adjudication::{Adjudication, Adjudicator, TablebaseJudge};
use crate::clock::Clock;
use crate::error::MatchError;
use crate::record::{GameRecord, ProtocolFault, ProtocolFaultKind, SideStats, Termination};
use crate::schedule::ScheduledGame;
use crate::settings::MatchSettings;
use bartizan_client::{Client, ClientError, EngineEvent, Info, Limits, Protocol};
use bartizan_notation::pgn::PgnMove;
use bartizan_position::{Draw, Game, Outcome};
use bartizan_tablebase::TablebaseError;
use bartizan_types::{ByColor, Color, Date, GameResult, Move, PieceType};
use ponder::{Pondering, ReportedInfo};
use reply::{MoveReply, MoveRequest, termination_of};
use score::centipawns;
use std::time::{Duration, Instant};

/// Maximum time in seconds to wait for an engine's move: a year.
const MAX_HANG: u64 = 365 * 86_400;

/// Plays games according to the settings of a match.
pub(crate) struct Referee<'a> {
    pub(crate) settings: &'a MatchSettings,
    pub(crate) tablebases: Option<&'a TablebaseJudge>,
    /// Whether to abandon the game.
    pub(crate) is_stopped: &'a dyn Fn() -> bool,
}

/// How a game ended.
pub(crate) enum GameRun {
    /// With a result. `restarted` engines were restarted before the game, `restarts` are due before the next one.
    Finished { record: Box<GameRecord>, restarted: Vec<Restart>, restarts: Vec<Restart> },
    /// Without a result: the match was stopped.
    Stopped,
    /// Without a result: the tablebases failed, or an engine does not start or cannot play the game.
    Failed(MatchError),
}

/// An engine that was or must be restarted between two games.
pub(crate) struct Restart {
    pub(crate) engine: usize,
    pub(crate) reason: String,
}

/// Why a game has no result.
enum Abandoned {
    Stopped,
    Tablebase(TablebaseError),
    /// An engine does not start, or cannot play the game.
    Engine(ClientError),
}

impl From<ClientError> for Abandoned {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Cancelled { .. } => Self::Stopped,
            error => Self::Engine(error),
        }
    }
}

impl Referee<'_> {
    /// Plays a game. `clients` are White's and Black's.
    pub(crate) fn play(&self, scheduled: ScheduledGame, opening: &Game, [white, black]: [&mut Client; 2]) -> GameRun {
        let side = |engine: usize, client| {
            let spec = &self.settings.engines[engine];
            let margin = spec.margin.unwrap_or(self.settings.margin);
            let clock = Clock::new(spec.limits(), Duration::from_millis(margin));
            Side { engine, client, clock, stats: SideStats::default(), expected: None, pondering: None }
        };
        let moves = opening.moves().map(|mv| PgnMove { comment: Some("book".to_owned()), ..mv.into() }).collect();
        let settings = self.settings;
        let game = OpenGame {
            referee: self,
            scheduled,
            date: Date::today(),
            sides: ByColor([side(scheduled.white, white), side(scheduled.black, black)]),
            game: opening.clone(),
            moves,
            adjudicator: Adjudicator::new(settings.resign, settings.draw, settings.max_moves),
            faults: Vec::new(),
            restarted: Vec::new(),
            restarts: Vec::new(),
        };
        game.play()
    }
}

/// One side of a game.
struct Side<'a> {
    engine: usize,
    client: &'a mut Client,
    clock: Clock,
    stats: SideStats,
    /// The opponent's move that the engine expects.
    expected: Option<Move>,
    /// Its ponder search.
    pondering: Option<Pondering>,
}

/// The result of a game.
struct Ending {
    winner: Option<Color>,
    termination: Termination,
    detail: String,
}

impl Ending {
    fn new(winner: Option<Color>, termination: Termination) -> Self {
        Self { winner, termination, detail: String::new() }
    }
}

/// A game in progress.
struct OpenGame<'a> {
    referee: &'a Referee<'a>,
    scheduled: ScheduledGame,
    /// The day on which the game began.
    date: Date,
    sides: ByColor<Side<'a>>,
    game: Game,
    moves: Vec<PgnMove>,
    adjudicator: Adjudicator,
    faults: Vec<ProtocolFault>,
    /// Engines that were restarted before the game.
    restarted: Vec<Restart>,
    /// Engines to be restarted after the game.
    restarts: Vec<Restart>,
}

impl OpenGame<'_> {
    fn play(mut self) -> GameRun {
        match self.play_to_the_end() {
            Ok(ending) => self.finish(ending),
            Err(Abandoned::Stopped) => GameRun::Stopped,
            Err(Abandoned::Tablebase(error)) => GameRun::Failed(error.into()),
            Err(Abandoned::Engine(error)) => GameRun::Failed(error.into()),
        }
    }

    fn play_to_the_end(&mut self) -> Result<Ending, Abandoned> {
        if let Some(ending) = self.prepare_engines()? {
            return Ok(ending);
        }
        let ending = loop {
            if let Some(ending) = ending_by_rules(&self.game) {
                break ending;
            }
            if let Some(ending) = self.play_move()? {
                break ending;
            }
        };
        self.announce(&ending);
        Ok(ending)
    }

    /// Prepares both engines for a new game. An engine that exited or failed after an earlier game is restarted; if it
    /// also fails right after its start, it loses.
    fn prepare_engines(&mut self) -> Result<Option<Ending>, Abandoned> {
        for color in Color::ALL {
            let Side { engine, client, .. } = &mut self.sides[color];
            let has_played = client.games() > 0;
            let mut ready = client.new_game();
            if has_played
                && let Err(error) = &ready
                && !matches!(error, ClientError::Cancelled { .. })
            {
                self.restarted.push(Restart { engine: *engine, reason: error.to_string() });
                client.restart()?;
                ready = client.new_game();
            }
            if let Err(error) = ready {
                if let ClientError::Cancelled { .. } | ClientError::Unsupported { .. } = error {
                    return Err(error.into());
                }
                self.restart(color, error.to_string());
                return Ok(Some(Ending {
                    detail: error.to_string(),
                    ..Ending::new(Some(!color), termination_of(&error))
                }));
            }
        }
        Ok(None)
    }

    /// Plays a move for the side to move, and returns the ending if the game is over.
    fn play_move(&mut self) -> Result<Option<Ending>, Abandoned> {
        let mover = self.game.position().turn();
        self.start_pondering(!mover);
        let reply = self.ask(mover);
        if self.referee.settings.strict {
            self.record_unasked_moves(!mover);
        }
        match reply {
            MoveReply::Stopped => Err(Abandoned::Stopped),
            MoveReply::Cannot(error) => Err(Abandoned::Engine(error)),
            MoveReply::Resigns => Ok(Some(Ending::new(Some(!mover), Termination::Resignation))),
            MoveReply::Loses(termination, detail) => {
                // An engine that lost by a fault is restarted, whatever the fault.
                self.restart(mover, format!("{termination}: {detail}"));
                Ok(Some(Ending { detail, ..Ending::new(Some(!mover), termination) }))
            }
            MoveReply::Move(played) => {
                let by_score = self.make_move(mover, &played);
                self.adjudicate(by_score)
            }
        }
    }

    /// Lets the waiting engine ponder, if it should and expects a move.
    fn start_pondering(&mut self, waiting: Color) {
        let Some(expected) = self.sides[waiting].expected.take() else { return };
        let limits = self.limits(waiting);
        let Side { client, pondering, .. } = &mut self.sides[waiting];
        *pondering = Pondering::start(client, &self.game, expected, &limits);
    }

    fn ask(&mut self, mover: Color) -> MoveReply {
        let limits = self.limits(mover);
        let pondered = self.end_pondering(mover);
        let hang = Duration::from_secs(self.referee.settings.hang.clamp(1, MAX_HANG));
        let [white, black] = &mut self.sides.0;
        let (Side { client, clock, .. }, waiting) = if mover.is_white() { (white, black) } else { (black, white) };
        let opponent = waiting.pondering.as_mut().map(|pondering| (&mut *waiting.client, pondering));
        let is_stopped = self.referee.is_stopped;
        MoveRequest { client, game: &self.game, limits, clock, hang, pondered, opponent, is_stopped }.ask()
    }

    /// The limits of a side's next move.
    fn limits(&self, side: Color) -> Limits {
        self.sides[side].clock.go_limits(&self.sides[!side].clock, side)
    }

    /// Ends a side's ponder search. Returns what it reported, if the expected move was played.
    fn end_pondering(&mut self, mover: Color) -> Option<ReportedInfo> {
        let (ply, kind) = (self.moves.len(), ProtocolFaultKind::BestMoveTooEarly);
        let Side { engine, client, pondering, .. } = &mut self.sides[mover];
        let (reported, early) = pondering.take()?.end(client, self.game.last_move());
        self.faults.extend(early.map(|detail| ProtocolFault { engine: *engine, ply, kind, detail }));
        reported
    }

    /// Makes a move on the board and returns the adjudicator's verdict.
    fn make_move(&mut self, mover: Color, played: &reply::PlayedMove) -> Option<Adjudication> {
        let reply::PlayedMove { mv, elapsed, cost, ref exact, ref latest, expected, pondered } = *played;
        let side = &mut self.sides[mover];
        let ponders = self.referee.settings.engines[side.engine].ponders();
        side.clock.moved(cost);
        side.expected = expected.filter(|_| ponders);
        // An xboard engine does not tell whether it expected the move.
        let others_time = pondered || ponders && side.client.protocol() == Protocol::Xboard;
        count(&mut side.stats, exact, elapsed, others_time);
        let (engine, ply) = (side.engine, self.moves.len());
        // An xboard engine's output while it ponders is discarded; afterwards the engine may move at once.
        let may_be_silent = others_time && !pondered;
        let faults = faults::check(&self.game, mv, latest).into_iter();
        let faults = faults.filter(|&(kind, _)| !(may_be_silent && kind == ProtocolFaultKind::Silent));
        self.faults.extend(faults.map(|(kind, detail)| ProtocolFault { engine, ply, kind, detail }));

        let position = self.game.position();
        let irreversible = position.is_capture(mv) || position.piece_type_at(mv.from()) == Some(PieceType::Pawn);
        self.moves.push(PgnMove { comment: Some(pgn::comment(exact, cost)), ..mv.into() });
        if self.game.push(mv).is_err() {
            unreachable!("the client resolved the move in this position");
        }
        self.adjudicator.after_move(mover, self.moves.len(), centipawns(exact), irreversible)
    }

    /// Ends the game early if the tablebases or the scores decide it. The rules of chess take precedence over both, and
    /// the tablebases over the scores.
    fn adjudicate(&self, by_score: Option<Adjudication>) -> Result<Option<Ending>, Abandoned> {
        if ending_by_rules(&self.game).is_some() {
            return Ok(None);
        }
        if let Some(judge) = self.referee.tablebases
            && let Some(verdict) = judge.verdict(self.game.position()).map_err(Abandoned::Tablebase)?
        {
            return Ok(Some(Ending { detail: "tablebase".to_owned(), ..adjudicated(verdict) }));
        }
        Ok(by_score.map(adjudicated))
    }

    /// Records best moves that a UCI engine sent out of turn. Whatever an xboard engine says then, such as resigning,
    /// is kept for its next turn.
    fn record_unasked_moves(&mut self, waiting: Color) {
        let (ply, kind) = (self.moves.len(), ProtocolFaultKind::BestMoveTooEarly);
        let Side { engine, client, .. } = &mut self.sides[waiting];
        // Its output while pondering is also kept for its next turn.
        if client.protocol() != Protocol::Uci || client.is_searching() {
            return;
        }
        // Lines that arrive meanwhile are handled later; otherwise a flood of lines would never end the loop.
        let now = Instant::now();
        while let Ok(event) = client.next_event_before(now) {
            if let EngineEvent::Other(detail) = event
                && detail.starts_with("bestmove")
            {
                self.faults.push(ProtocolFault { engine: *engine, ply, kind, detail });
            }
        }
    }

    fn restart(&mut self, color: Color, reason: String) {
        self.restarts.push(Restart { engine: self.sides[color].engine, reason });
    }

    /// Sends the result to the engines, except to those about to be restarted.
    fn announce(&mut self, ending: &Ending) {
        let result = ending.winner.map_or(GameResult::Draw, GameResult::won_by);
        for color in Color::ALL {
            let Side { engine, client, .. } = &mut self.sides[color];
            if self.restarts.iter().all(|restart| restart.engine != *engine)
                && let Err(error) = client.end_game(result, &ending.termination.to_string())
            {
                self.restart(color, error.to_string());
            }
        }
    }

    fn finish(self, ending: Ending) -> GameRun {
        let pgn = self.pgn(&ending).to_string();
        let ScheduledGame { id, round, pair, white, black, .. } = self.scheduled;
        let Ending { winner, termination, detail } = ending;
        let record = GameRecord {
            id,
            round,
            pair,
            white,
            black,
            winner,
            termination,
            detail,
            plies: self.moves.len(),
            sides: self.sides.0.map(|side| side.stats),
            faults: self.faults,
            pgn,
        };
        GameRun::Finished { record: Box::new(record), restarted: self.restarted, restarts: self.restarts }
    }
}

/// The end of a game by the rules of chess. Claimable draws are claimed.
fn ending_by_rules(game: &Game) -> Option<Ending> {
    let (winner, termination) = match (game.outcome(), game.claimable_draw()) {
        (Some(Outcome::Checkmate(winner)), _) => (Some(winner), Termination::Checkmate),
        (Some(Outcome::Draw(Draw::Stalemate)), _) => (None, Termination::Stalemate),
        (Some(Outcome::Draw(Draw::InsufficientMaterial)), _) => (None, Termination::InsufficientMaterial),
        (Some(Outcome::Draw(Draw::SeventyFiveMoves)), _) => (None, Termination::FiftyMoves),
        (Some(_), _) | (None, Some(Draw::ThreefoldRepetition)) => (None, Termination::Repetition),
        (None, Some(_)) => (None, Termination::FiftyMoves),
        (None, None) => return None,
    };
    Some(Ending::new(winner, termination))
}

fn adjudicated(verdict: Adjudication) -> Ending {
    match verdict {
        Adjudication::Win(winner) => Ending::new(Some(winner), Termination::AdjudicatedWin),
        Adjudication::Draw => Ending::new(None, Termination::AdjudicatedDraw),
        Adjudication::TooLong => Ending::new(None, Termination::TooLong),
    }
}

/// Counts a move. Nodes do not count if some of them come from pondering.
fn count(stats: &mut SideStats, info: &Info, elapsed: Duration, others_time: bool) {
    let micros = elapsed.as_micros() as u64;
    stats.moves += 1;
    stats.time += micros;
    if let Some(depth) = info.depth {
        stats.depth += u64::from(depth);
        stats.moves_with_depth += 1;
    }
    if let Some(nodes) = info.nodes.filter(|_| !others_time) {
        // An engine may report anything.
        stats.nodes = stats.nodes.saturating_add(nodes);
        stats.node_time += micros;
    }
}
