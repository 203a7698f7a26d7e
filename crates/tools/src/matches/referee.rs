//! One game between two engines: clocks, rules, adjudication, faults.

use super::adjudication::{Adjudicator, TablebaseJudge, Verdict};
use super::clock::Clock;
use super::config::Settings;
use super::faults;
use super::journal::{Fault, FaultKind, GameRecord, SideStats, Termination};
use super::schedule::Fixture;
use crate::interrupt::Interrupt;
use crate::thought::{centipawns, mate};
use bartizan_client::{BestMove, Client, ClientError, Event, Info, ResultClaim};
use bartizan_notation::pgn::{GameResult, PgnGame, PgnMove};
use bartizan_position::{Draw, Game, Outcome};
use bartizan_types::{Color, Move, PieceType};
use std::time::{Duration, Instant};

/// How long an engine may take to answer `stop` when its time is over, before it counts as hung.
const STOP_GRACE: Duration = Duration::from_secs(2);

/// How often a waiting referee looks up, to notice an interrupt.
const LOOK_UP: Duration = Duration::from_millis(250);

/// How a game ended, and whether its engines can go on.
pub(super) enum Played {
    /// With a result. The engines to be started anew before their next game, and why.
    Finished { record: Box<GameRecord>, restart: Vec<(usize, String)> },
    /// Not at all: the match was interrupted.
    Interrupted,
    /// Not at all: the tablebases cannot be used.
    Broken(anyhow::Error),
}

/// What the move of an engine came to.
enum Reply {
    Move(Move, Box<Thinking>, Duration),
    Resigns,
    Loses(Termination, String),
    Interrupted,
}

/// What an engine last said about its move.
#[derive(Default)]
struct Thinking {
    /// The last exact line.
    exact: Info,
    /// The last line, bounds included: what the move must agree with.
    latest: Info,
}

struct Side {
    stats: SideStats,
    clock: Clock,
}

struct Ending {
    winner: Option<Color>,
    termination: Termination,
    detail: String,
}

/// Plays a game. `clients` are white's and black's.
pub(super) fn play(
    settings: &Settings,
    tablebases: Option<&TablebaseJudge>,
    fixture: Fixture,
    opening: &Game,
    clients: [&mut Client; 2],
    interrupt: &Interrupt,
) -> Played {
    let engines = [fixture.white, fixture.black];
    let mut sides = engines.map(|engine| Side {
        stats: SideStats::default(),
        clock: Clock::new(settings.engines[engine].limits(), Duration::from_millis(settings.margin)),
    });
    let [white, black] = clients;
    let mut game = opening.clone();
    let mut moves: Vec<PgnMove> = opening.moves().map(|mv| PgnMove { mv, comment: Some("book".to_owned()) }).collect();
    let mut adjudicator = Adjudicator::new(settings.resign, settings.draw, settings.max_moves);
    let mut faults = Vec::new();
    let mut restart = Vec::new();

    for (client, engine) in [(&mut *white, engines[0]), (&mut *black, engines[1])] {
        if let Err(error) = client.new_game() {
            restart.push((engine, error.to_string()));
            let winner = if engine == engines[0] { Color::Black } else { Color::White };
            let ending = Ending { winner: Some(winner), termination: blame(&error), detail: error.to_string() };
            return finish(
                settings,
                fixture,
                opening,
                &game,
                moves,
                ending,
                sides.map(|side| side.stats),
                faults,
                restart,
            );
        }
    }

    let ending = loop {
        if let Some(ending) = over(&game) {
            break ending;
        }
        let mover = game.position().turn();
        let (client, idle) = if mover.is_white() { (&mut *white, &mut *black) } else { (&mut *black, &mut *white) };
        let engine = engines[mover.index()];
        let [ours, theirs] = if mover.is_white() { [0, 1] } else { [1, 0] };
        let clocks =
            if mover.is_white() { [&sides[0].clock, &sides[1].clock] } else { [&sides[1].clock, &sides[0].clock] };
        let limits = clocks[0].go_limits(clocks[1], mover);
        let reply = ask(client, &game, &limits, &sides[ours].clock, settings, interrupt);
        if settings.strict {
            let kind = FaultKind::BestMoveTooEarly;
            let too_early = unasked_moves(idle).into_iter();
            faults.extend(too_early.map(|detail| Fault { engine: engines[theirs], ply: moves.len(), kind, detail }));
        }
        match reply {
            Reply::Interrupted => return Played::Interrupted,
            Reply::Resigns => {
                break Ending { winner: Some(!mover), termination: Termination::Resignation, detail: String::new() };
            }
            Reply::Loses(termination, detail) => {
                // Whatever it did wrong, it begins its next game afresh.
                restart.push((engine, format!("{termination}: {detail}")));
                break Ending { winner: Some(!mover), termination, detail };
            }
            Reply::Move(mv, thinking, elapsed) => {
                let info = &thinking.exact;
                sides[ours].clock.moved(elapsed);
                count(&mut sides[ours].stats, info, elapsed);
                faults.extend(faults::check(&game, mv, &thinking.latest).into_iter().map(|(kind, detail)| Fault {
                    engine,
                    ply: moves.len(),
                    kind,
                    detail,
                }));
                let position = game.position();
                let irreversible = position.is_capture(mv)
                    || position.piece_at(mv.from()).is_some_and(|piece| piece.piece_type() == PieceType::Pawn);
                let number = u32::from(position.fullmove_number());
                moves.push(PgnMove { mv, comment: Some(comment(info, elapsed)) });
                if game.push(mv).is_err() {
                    unreachable!("the client resolved the move in this position");
                }
                let by_score = adjudicator.after_move(mover, number, centipawns(info), irreversible);
                // The rules go before the adjudicator, and who knows before who thinks.
                if over(&game).is_none() {
                    match tablebases.map_or(Ok(None), |judge| judge.verdict(game.position())) {
                        Ok(Some(verdict)) => break Ending { detail: "tablebase".to_owned(), ..adjudicated(verdict) },
                        Ok(None) => {}
                        Err(error) => return Played::Broken(error.into()),
                    }
                    if let Some(verdict) = by_score {
                        break adjudicated(verdict);
                    }
                }
            }
        }
    };
    for (client, engine) in [(white, engines[0]), (black, engines[1])] {
        let result = ending.winner.map_or(GameResult::Draw, GameResult::won_by);
        if restart.iter().all(|&(other, _)| other != engine)
            && let Err(error) = client.end_game(result, &ending.termination.to_string())
        {
            restart.push((engine, error.to_string()));
        }
    }
    finish(settings, fixture, opening, &game, moves, ending, sides.map(|side| side.stats), faults, restart)
}

fn blame(error: &ClientError) -> Termination {
    match error {
        ClientError::Timeout { .. } => Termination::Hang,
        _ => Termination::Crash,
    }
}

/// The end by the rules; draws that could be claimed are.
fn over(game: &Game) -> Option<Ending> {
    let ending = |winner, termination| Some(Ending { winner, termination, detail: String::new() });
    match game.outcome() {
        Some(Outcome::Checkmate(winner)) => ending(Some(winner), Termination::Checkmate),
        Some(Outcome::Draw(Draw::Stalemate)) => ending(None, Termination::Stalemate),
        Some(Outcome::Draw(Draw::InsufficientMaterial)) => ending(None, Termination::InsufficientMaterial),
        Some(Outcome::Draw(Draw::SeventyFiveMoves)) => ending(None, Termination::FiftyMoves),
        Some(Outcome::Draw(_)) => ending(None, Termination::Repetition),
        None => match game.claimable_draw() {
            Some(Draw::ThreefoldRepetition) => ending(None, Termination::Repetition),
            Some(_) => ending(None, Termination::FiftyMoves),
            None => None,
        },
    }
}

fn adjudicated(verdict: Verdict) -> Ending {
    let (winner, termination) = match verdict {
        Verdict::Win(winner) => (Some(winner), Termination::AdjudicatedWin),
        Verdict::Draw => (None, Termination::AdjudicatedDraw),
        Verdict::TooLong => (None, Termination::TooLong),
    };
    Ending { winner, termination, detail: String::new() }
}

/// Asks an engine for its move.
fn ask(
    client: &mut Client,
    game: &Game,
    limits: &bartizan_client::Limits,
    clock: &Clock,
    settings: &Settings,
    interrupt: &Interrupt,
) -> Reply {
    let lost = |error: ClientError| Reply::Loses(blame(&error), error.to_string());
    let start = Instant::now();
    if let Err(error) = client.start_search(game, limits) {
        return lost(error);
    }
    let patience = Duration::from_secs(settings.hang.max(1));
    // Beyond its time an engine is heard on for a while, to tell one that is late from one that hangs.
    let deadline =
        start + clock.allowance().map_or(patience, |allowance| allowance + patience.min(Duration::from_secs(5)));
    let mut stopped = false;
    let mut thinking = Box::<Thinking>::default();
    loop {
        let until = (Instant::now() + LOOK_UP).min(if stopped { deadline + STOP_GRACE } else { deadline });
        match client.next_event_within(until.saturating_duration_since(Instant::now())) {
            Ok(Event::Info(info)) => {
                if info.is_main_line() {
                    if info.bound.is_none() {
                        thinking.exact = info.clone();
                    }
                    thinking.latest = info;
                }
            }
            Ok(Event::BestMove(BestMove { text, mv, elapsed, .. })) => {
                return if stopped || clock.is_overdrawn(elapsed) {
                    let over = clock.allowance().map_or(Duration::ZERO, |allowance| elapsed.saturating_sub(allowance));
                    Reply::Loses(Termination::TimeForfeit, format!("late by {} ms", over.as_millis()))
                } else {
                    match mv {
                        Some(mv) => Reply::Move(mv, thinking, elapsed),
                        None => Reply::Loses(Termination::IllegalMove, text),
                    }
                };
            }
            Ok(Event::Resign) => return Reply::Resigns,
            // Games that are over by the rules never come here: the claim is false, or a resignation in other words.
            Ok(Event::ResultClaim(claim)) => return claimed(&claim, game.position().turn()),
            Ok(Event::Refused(line)) => {
                return Reply::Loses(Termination::IllegalMove, format!("refuses a legal move: {line}"));
            }
            Ok(_) => {}
            Err(ClientError::Timeout { .. }) => {
                if interrupt.is_set() {
                    return Reply::Interrupted;
                }
                let now = Instant::now();
                if now >= deadline && !stopped {
                    stopped = true;
                    if let Err(error) = client.stop() {
                        return lost(error);
                    }
                } else if stopped && now >= deadline + STOP_GRACE {
                    return Reply::Loses(
                        Termination::Hang,
                        format!("no move after {:.1} s", start.elapsed().as_secs_f64()),
                    );
                }
            }
            Err(error) => return lost(error),
        }
    }
}

/// An engine that claims its own loss resigns; any other claim is false.
fn claimed(claim: &ResultClaim, side: Color) -> Reply {
    if claim.result == GameResult::won_by(!side) {
        Reply::Resigns
    } else {
        Reply::Loses(Termination::FalseClaim, claim.reason.clone())
    }
}

/// Best moves of a UCI engine that nobody has asked.
fn unasked_moves(client: &mut Client) -> Vec<String> {
    let mut lines = Vec::new();
    while let Ok(event) = client.next_event_within(Duration::ZERO) {
        if let Event::Other(line) = event
            && line.starts_with("bestmove")
        {
            lines.push(line);
        }
    }
    lines
}

fn count(stats: &mut SideStats, info: &Info, elapsed: Duration) {
    let micros = elapsed.as_micros() as u64;
    stats.moves += 1;
    stats.time += micros;
    if let Some(depth) = info.depth {
        stats.depth += u64::from(depth);
        stats.moves_with_depth += 1;
    }
    if let Some(nodes) = info.nodes {
        stats.nodes += nodes;
        stats.node_time += micros;
    }
}

/// `score/depth time nodes`, the score in pawns for the mover, as GUIs write it.
fn comment(info: &Info, elapsed: Duration) -> String {
    let score = match (mate(info), centipawns(info)) {
        (Some(moves), _) if moves < 0 => format!("-M{}", -moves),
        (Some(moves), _) => format!("+M{moves}"),
        (None, Some(score)) => format!("{:+.2}", f64::from(score) / 100.0),
        (None, None) => "?".to_owned(),
    };
    let depth = info.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    let nodes = info.nodes.map(|nodes| format!(" n={nodes}")).unwrap_or_default();
    format!("{score}{depth} {:.3}s{nodes}", elapsed.as_secs_f64())
}

#[allow(clippy::too_many_arguments)] // Everything that a game leaves, once.
fn finish(
    settings: &Settings,
    fixture: Fixture,
    opening: &Game,
    game: &Game,
    moves: Vec<PgnMove>,
    ending: Ending,
    sides: [SideStats; 2],
    faults: Vec<Fault>,
    restart: Vec<(usize, String)>,
) -> Played {
    let result = ending.winner.map_or(GameResult::Draw, GameResult::won_by);
    let label = |engine: usize| settings.engines[engine].label();
    let limits = [fixture.white, fixture.black].map(|engine| settings.engines[engine].limits().to_string());
    let termination = if ending.detail.is_empty() {
        ending.termination.to_string()
    } else {
        format!("{}: {}", ending.termination, ending.detail)
    };
    let mut tags = vec![
        ("Event".to_owned(), settings.event.clone()),
        ("Round".to_owned(), format!("{}.{}", fixture.round + 1, fixture.id % 2 + 1)),
        ("White".to_owned(), label(fixture.white)),
        ("Black".to_owned(), label(fixture.black)),
        ("PlyCount".to_owned(), moves.len().to_string()),
        ("Termination".to_owned(), termination),
        ("GameNumber".to_owned(), (fixture.id + 1).to_string()),
    ];
    if limits[0] == limits[1] {
        tags.push(("TimeControl".to_owned(), limits[0].clone()));
    } else {
        tags.push(("WhiteTimeControl".to_owned(), limits[0].clone()));
        tags.push(("BlackTimeControl".to_owned(), limits[1].clone()));
    }
    let start = opening.start().clone();
    let pgn = PgnGame { tags, start, chess960: settings.chess960, comment: None, moves, result };
    let record = GameRecord {
        id: fixture.id,
        round: fixture.round,
        pair: fixture.pair,
        white: fixture.white,
        black: fixture.black,
        winner: ending.winner,
        termination: ending.termination,
        detail: ending.detail,
        plies: game.moves().len(),
        sides,
        faults,
        pgn: pgn.to_string(),
    };
    Played::Finished { record: Box::new(record), restart }
}
