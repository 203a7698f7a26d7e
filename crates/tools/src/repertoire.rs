//! `repertoire`: finds where games left a repertoire, and what happened then.

use crate::analyser::{self, EngineTimeouts, SearchBudget, parse_engine};
use crate::games::Input;
use crate::interrupt::Interrupt;
use crate::output::say;
use crate::puzzles::Players;
use anyhow::{Context, ensure};
use bartizan_analysis::{Analyser, AnalyserSearcher, Limits};
use bartizan_book::Book;
use bartizan_book::eco::lookup;
use bartizan_games::{Departure, DepartureReason, Repertoire};
use bartizan_notation::pgn::{GameTree, NodeId, PgnScore};
use bartizan_notation::san::{San, numbered};
use bartizan_position::Position;
use bartizan_review::WhiteEval;
use bartizan_review::judgement::win_percent;
use bartizan_types::{Color, Escaped, GameResult, Move};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

/// How long after the departure the position is looked at again: five moves of each side.
const LATER: usize = 10;

const EXAMPLE: &str = "\
A repertoire is a Polyglot book, or games in PGN whose variations count, too.
Every game of the player is followed until the player or the opponent plays a
move that the repertoire lacks; a transposition back into it does not count.
The table has the lines that were left, with the player's score and chance to
win, in per cent, after the move and five moves later: by the evaluations in
the games, or by searches with --st, --depth or --nodes.

Examples:
  bartizan-tools repertoire games.pgn --player mill --pgn white.pgn
  bartizan-tools repertoire games.pgn --player mill --book mine.bin \\
      --nodes 100000 --json";

/// The arguments of `repertoire`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
#[command(group(clap::ArgGroup::new("repertoire").args(["book", "pgn"])))]
pub(crate) struct Args {
    #[command(flatten)]
    input: Input,
    /// Player: a part of the name, or /a regular expression/; may be repeated
    #[arg(long, value_name = "NAME", required = true)]
    player: Vec<String>,
    /// Repertoire as a Polyglot book
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Repertoire as games in PGN, also as .gz, .bz2 or .zst; may be repeated
    #[arg(long, value_name = "FILE")]
    pgn: Vec<PathBuf>,
    /// Only games in which the player has this colour
    #[arg(long, value_name = "COLOUR", value_parser = ["white", "black"])]
    color: Option<String>,
    /// Engine, as 'cmd=PATH proto=uci|xboard option.NAME=VALUE' [default: the built-in engine]
    #[arg(long, value_name = "SPEC")]
    engine: Option<String>,
    #[command(flatten)]
    budget: SearchBudget,
    #[command(flatten)]
    timeouts: EngineTimeouts,
    /// Print all games as JSON
    #[arg(long)]
    json: bool,
}

/// A game that left the repertoire, or reached its end.
#[derive(Debug, Serialize)]
struct Row {
    game: u64,
    white: String,
    black: String,
    date: String,
    result: &'static str,
    color: &'static str,
    /// The player's points; `None` without a result.
    points: Option<f64>,
    reason: &'static str,
    /// The number of plies within the repertoire.
    plies: usize,
    opening: Option<String>,
    /// The moves up to the one that left the repertoire.
    line: String,
    /// The position in which the repertoire was left.
    fen: String,
    played: Option<String>,
    repertoire: Vec<String>,
    /// The player's chance to win after the move, and five moves later.
    win: [Option<f64>; 2],
}

/// The games of a line.
#[derive(Default)]
struct Group {
    games: usize,
    reason: &'static str,
    repertoire: String,
    points: Mean,
    win: [Mean; 2],
}

/// A mean of the known values.
#[derive(Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn add(&mut self, value: Option<f64>) {
        self.sum += value.unwrap_or_default();
        self.count += u32::from(value.is_some());
    }

    fn text(&self, factor: f64) -> String {
        if self.count == 0 { "–".to_owned() } else { format!("{:.1}%", factor * self.sum / f64::from(self.count)) }
    }
}

/// Evaluates positions of games: by a search, or by what their comments say.
struct Judge {
    analyser: Option<Analyser>,
    limits: Limits,
}

impl Judge {
    /// The chance of a side after the move of a node, in per cent.
    fn win(&mut self, tree: &GameTree, node: NodeId, color: Color) -> anyhow::Result<Option<f64>> {
        let eval = match &mut self.analyser {
            Some(analyser) => {
                let position = tree.position(node)?;
                Some(AnalyserSearcher::new(analyser).eval(&position, &self.limits)?)
            }
            None => tree.annotations(node).eval.map(|(score, _)| match score {
                PgnScore::Centipawns(centipawns) => WhiteEval::Cp(centipawns),
                PgnScore::Mate(moves) => WhiteEval::Mate(moves),
            }),
        };
        let win = eval.map(win_percent);
        Ok(win.map(|win| if color.is_white() { win } else { 100.0 - win }))
    }
}

/// Runs the command.
///
/// # Errors
/// Names the file or the argument, and the problem.
pub(crate) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let players = Players::parse(&args.player)?;
    let repertoire = repertoire(args, interrupt)?;
    let has_budget = args.budget != SearchBudget::default();
    let engine = args.engine.as_deref().map(parse_engine).transpose()?;
    let mut judge = Judge { analyser: None, limits: args.budget.limits() };
    if has_budget || engine.is_some() {
        args.budget.check()?;
        judge.analyser = Some(analyser::start(engine.as_ref(), &[], args.timeouts, interrupt)?);
    }
    let mut rows = Vec::new();
    let mut number = 0;
    let work = |game: &crate::games::GameText<'_>| {
        let tree = if game.raw.is_game { game.tree() } else { None };
        let found = tree.map(|tree| {
            let sides = players.sides(&tree);
            let wants =
                |color: Color| sides[color] && args.color.as_deref().is_none_or(|wanted| wanted == name_of(color));
            let color = Color::ALL.into_iter().find(|&color| wants(color))?;
            Some((repertoire.departure(&tree, color).map(|left| (tree, left)), color))
        });
        (game.raw.is_game, found.flatten())
    };
    args.input.each(interrupt, work, |_, (is_game, found)| {
        number += u64::from(is_game);
        if let Some((found, color)) = found {
            let (tree, departure) = found.context("cannot read the book")?;
            rows.push(row(number, &tree, color, departure, &mut judge)?);
        }
        Ok(())
    })?;
    if args.json {
        say!("{}", serde_json::to_string(&rows)?)?;
    } else {
        print(&rows)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The name of a colour on the command line.
fn name_of(color: Color) -> &'static str {
    if color.is_white() { "white" } else { "black" }
}

fn repertoire(args: &Args, interrupt: &Interrupt) -> anyhow::Result<Repertoire> {
    if let Some(path) = &args.book {
        let book = Book::open(path).with_context(|| format!("cannot read book '{}'", Escaped(path.display())))?;
        return Ok(Repertoire::of_book(book));
    }
    ensure!(!args.pgn.is_empty(), "no repertoire; give --book or --pgn");
    let mut repertoire = Repertoire::default();
    Input::of(&args.pgn, false)?.each(
        interrupt,
        |game| game.tree(),
        |_, tree| {
            tree.iter().for_each(|tree| repertoire.add(tree));
            Ok(())
        },
    )?;
    ensure!(!repertoire.is_empty(), "the repertoire has no moves");
    Ok(repertoire)
}

fn row(
    game: u64,
    tree: &GameTree,
    color: Color,
    Departure { ply, reason, expected }: Departure,
    judge: &mut Judge,
) -> anyhow::Result<Row> {
    let nodes: Vec<NodeId> = tree.main_line().take_while(|&node| tree.mv(node).is_some()).collect();
    let moves: Vec<Move> = nodes.iter().filter_map(|&node| tree.mv(node)).collect();
    let has_left = matches!(reason, DepartureReason::Player | DepartureReason::Opponent);
    let length = if has_left { ply + 1 } else { ply };
    let mut position = tree.start().clone();
    let mut opening = lookup(&position);
    for &mv in &moves[..ply] {
        position = position.play_unchecked(mv);
        opening = lookup(&position).or(opening);
    }
    let win = match length.checked_sub(1) {
        Some(then) if !nodes.is_empty() => {
            let later = (then + LATER).min(nodes.len() - 1);
            [judge.win(tree, nodes[then], color)?, judge.win(tree, nodes[later], color)?]
        }
        _ => [None; 2],
    };
    let tag = |name| tree.tag(name).unwrap_or("?").to_owned();
    let points = match tree.result.winner() {
        Some(winner) => Some(if winner == color { 1.0 } else { 0.0 }),
        None => (tree.result == GameResult::Draw).then_some(0.5),
    };
    Ok(Row {
        game,
        white: tag("White"),
        black: tag("Black"),
        date: tag("Date"),
        result: tree.result.as_str(),
        color: name_of(color),
        points,
        reason: reason.name(),
        plies: ply,
        opening: opening.map(|opening| format!("{} {}", opening.code(), opening.name())),
        line: numbered(tree.start(), &moves[..length])?,
        played: moves.get(ply).filter(|_| has_left).map(|&mv| San::new(&position, mv).to_string()),
        repertoire: names(&position, &expected),
        fen: position.to_fen(),
        win: win.map(|win| win.map(|win| (win * 10.0).round() / 10.0)),
    })
}

fn names(position: &Position, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&mv| San::new(position, mv).to_string()).collect()
}

/// Prints the counts, and a table of the lines that were left, the most frequent first.
fn print(rows: &[Row]) -> anyhow::Result<()> {
    let count = |reason: DepartureReason| rows.iter().filter(|row| row.reason == reason.name()).count();
    let [player, opponent, end, game_end] = {
        use DepartureReason::{End, GameEnd, Opponent, Player};
        [Player, Opponent, End, GameEnd].map(count)
    };
    say!(
        "{} games: {player} left by the player, {opponent} by the opponent, {end} followed to the end of the \
         repertoire, {game_end} ended within it",
        rows.len()
    )?;
    let mut groups: BTreeMap<&str, Group> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.played.is_some()) {
        let group = groups.entry(&row.line).or_default();
        group.games += 1;
        group.reason = row.reason;
        group.repertoire = row.repertoire.join(", ");
        group.points.add(row.points);
        group.win.iter_mut().zip(row.win).for_each(|(mean, win)| mean.add(win));
    }
    let mut groups: Vec<(&str, Group)> = groups.into_iter().collect();
    groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.games));
    if !groups.is_empty() {
        say!("\n   games   score    then   later  left by   line [repertoire]")?;
    }
    for (line, group) in groups {
        let Group { games, reason, repertoire, points, win: [then, later] } = group;
        let (points, then, later) = (points.text(100.0), then.text(1.0), later.text(1.0));
        say!("{games:>8}{points:>8}{then:>8}{later:>8}  {reason:<8}  {line} [{repertoire}]")?;
    }
    Ok(())
}
