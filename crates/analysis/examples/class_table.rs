//! How often the classes of moves agree with those by the evaluations in the games, for several numbers of nodes: the
//! table that the default of `bartizan-tools report` is chosen by.
//!
//! `cargo run --release -p bartizan-analysis --example class_table -- GAMES.pgn SCALE NODES…` takes this engine's
//! centipawns times SCALE, because the evaluations of the games may have another unit. A move counts if the positions
//! before and after it have evaluations.
#![allow(clippy::print_stdout)] // A command-line program prints its results.

use anyhow::{Context, Result, bail};
use bartizan_analysis::{Analyser, Limits};
use bartizan_notation::pgn::{Annotations, PgnGame, PgnReader, PgnScore};
use bartizan_parallel::{cores, map};
use bartizan_position::Game;
use bartizan_review::judgement::win_percent;
use bartizan_review::{Judgement, WhiteEval};
use bartizan_types::Move;
use std::fs::File;
use std::io::BufReader;

/// The size of the hash table, as that of reports, in MiB.
const HASH: usize = 16;

/// A game that has evaluations, with that after each move.
struct Evaluated {
    game: PgnGame,
    evals: Vec<Option<WhiteEval>>,
}

impl Evaluated {
    fn new(game: PgnGame) -> Option<Self> {
        let eval = |comment: &str| match Annotations::parse(comment).eval?.0 {
            PgnScore::Centipawns(centipawns) => Some(WhiteEval::Cp(centipawns)),
            PgnScore::Mate(moves) => Some(WhiteEval::Mate(moves)),
        };
        let evals: Vec<_> = game.moves.iter().map(|mv| mv.comment.as_deref().and_then(eval)).collect();
        evals.iter().any(Option::is_some).then_some(Self { game, evals })
    }
}

/// What two judges say of a move: the evaluations in the game, and a search.
type Pair = [Option<Judgement>; 2];

fn scaled(eval: WhiteEval, scale: f64) -> WhiteEval {
    match eval {
        WhiteEval::Cp(centipawns) => WhiteEval::Cp((f64::from(centipawns) * scale) as i32),
        mate @ WhiteEval::Mate(_) => mate,
    }
}

/// The evaluation of the last position, and the move that the search would play.
fn search(analyser: &mut Analyser, game: &Game, nodes: u64, scale: f64) -> Result<(WhiteEval, Option<Move>)> {
    let lines = analyser.best_lines(game, &Limits::nodes(nodes), 1)?;
    let Some(line) = lines.into_iter().next() else { bail!("no line in {}", game.position().to_fen()) };
    let eval = WhiteEval::new(line.score, game.position().turn());
    Ok((scaled(eval, scale), line.pv.first().copied()))
}

/// The judgements of the moves between positions that have evaluations.
fn judge(evaluated: &Evaluated, nodes: u64, scale: f64) -> Result<Vec<Pair>> {
    let mut analyser = Analyser::new(1, HASH)?;
    let mut game = Game::new(evaluated.game.start.clone());
    let mut pairs = Vec::new();
    let mut before: Option<(WhiteEval, WhiteEval, Option<Move>)> = None;
    for (mv, &eval) in evaluated.game.moves.iter().zip(&evaluated.evals) {
        let mover = game.position().turn();
        game.push(mv.mv)?;
        let after = match eval {
            Some(eval) if game.outcome().is_none() => {
                let (own, best) = search(&mut analyser, &game, nodes, scale)?;
                Some((eval, own, best))
            }
            _ => None,
        };
        if let (Some((theirs, ours, best)), Some((theirs_after, ours_after, _))) = (before, after) {
            let sign = if mover.is_white() { 1.0 } else { -1.0 };
            let loss = |before, after| sign * (win_percent(before) - win_percent(after));
            let own = if best == Some(mv.mv) { None } else { Judgement::of(loss(ours, ours_after)) };
            pairs.push([Judgement::of(loss(theirs, theirs_after)), own]);
        }
        before = after;
    }
    Ok(pairs)
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, scale, nodes @ ..] = &words[..] else { bail!("usage: class_table GAMES.pgn SCALE NODES...") };
    let scale: f64 = scale.parse().context("SCALE is no number")?;
    let nodes: Vec<u64> =
        nodes.iter().map(|text| text.parse()).collect::<Result<_, _>>().context("NODES are no numbers")?;
    let reader = PgnReader::new(BufReader::new(File::open(file).with_context(|| format!("cannot read {file}"))?));
    let games: Vec<PgnGame> = reader.collect::<Result<_, _>>()?;
    let games: Vec<Evaluated> = games.into_iter().filter_map(Evaluated::new).collect();
    println!("| nodes | moves | same class | mistakes and blunders found | of those named, right |");
    println!("|---|---|---|---|---|");
    for nodes in nodes {
        let judged = map(&games, cores().get(), |game| judge(game, nodes, scale));
        let pairs: Vec<Pair> = judged.into_iter().collect::<Result<Vec<_>>>()?.concat();
        let is_bad = |judgement: Option<Judgement>| judgement >= Some(Judgement::Mistake);
        let count = |wanted: &dyn Fn(&Pair) -> bool| pairs.iter().filter(|pair| wanted(pair)).count();
        let both = count(&|pair| is_bad(pair[0]) && is_bad(pair[1]));
        println!(
            "| {nodes} | {} | {:.1} % | {:.1} % | {:.1} % |",
            pairs.len(),
            percent(count(&|pair| pair[0] == pair[1]), pairs.len()),
            percent(both, count(&|pair| is_bad(pair[0]))),
            percent(both, count(&|pair| is_bad(pair[1]))),
        );
    }
    Ok(())
}
