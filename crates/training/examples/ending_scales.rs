//! Measures the scaling of endings that are hard to win, from self-play games:
//!
//!     cargo run --release -p bartizan-training --example ending_scales -- FILE...
//!
//! For each class of endings it compares the expected score of the side ahead with the observed one, and finds the
//! scale of the endgame half, in 64ths, that predicts the results best. A game counts once per class, however many of
//! its positions are in it. The interval is two standard errors, by the jackknife over 20 groups of games.
//!
//! The odds per centipawn come from positions with at least four pawns on that side and without opposite-coloured
//! bishops, by phase. Positions with a capture or promotion within two plies are left out, as are endings with
//! dedicated rules in `bartizan-eval`. Classes by halfmove clock show how much of a lead remains after many reversible
//! moves.

use bartizan_eval::weights::default_values;
use bartizan_eval::{EvalTracer, FULL_SCALE, Trace, value_of};
use bartizan_games::records::{GameRecord, Record, Records};
use bartizan_position::Position;
use bartizan_types::{Bitboard, Color, File, PieceType};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

/// Plies to skip at the start of a game.
const SKIP_PLIES: usize = 8;

/// Unscaled value in centipawns from which a position counts as decided.
const DECIDED: i32 = 1_200;

/// Score of a game's search in centipawns from which a position counts as decided.
const DECIDED_SCORE: i32 = 2_000;

/// The largest scale tried; above [`FULL_SCALE`], so that an undervalued class shows.
const LARGEST: usize = 96;

/// Groups of games for the jackknife.
const GROUPS: usize = 20;

/// Classes with fewer games are not printed.
const FEWEST_GAMES: usize = 40;

/// The least phase of each band. The odds per centipawn are fitted for each band.
const BANDS: [i32; 5] = [0, 2, 5, 9, 13];

/// The class that the odds per centipawn are fitted to.
const CONTROL: &str = "";

/// The least number of pawns in the control: positions that count in full.
const CONTROL_PAWNS: u32 = 4;

/// A position from the point of view of the side ahead in the endgame half.
struct Sample {
    game: u32,
    band: usize,
    /// The contributions of the middlegame and endgame halves to the value, in centipawns.
    parts: [f64; 2],
    /// The scale in use.
    scale: f64,
    /// 1 for a win, 0.5 for a draw.
    result: f64,
}

impl Sample {
    fn expected(&self, scale: f64, per_cp: f64) -> f64 {
        let [mg, eg] = self.parts;
        1.0 / (1.0 + (-per_cp * (mg + eg * scale / f64::from(FULL_SCALE))).exp())
    }
}

type Classes = BTreeMap<String, Vec<Sample>>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut classes = Classes::new();
    let mut tracing = EvalTracer::new();
    let mut games = 0;
    for file in std::env::args().skip(1) {
        for record in Records::open(Path::new(&file), None)? {
            if let Record::Game(game) = record? {
                add_game(&game, games, &mut tracing, &mut classes);
                games += 1;
            }
        }
    }
    let control = classes.remove(CONTROL).unwrap_or_default();
    let per_cp: Vec<f64> = (0..BANDS.len()).map(|band| odds_per_cp(&control, band)).collect();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{games} games; log odds per centipawn, by phase: {per_cp:.4?}\n")?;
    writeln!(
        out,
        "{:<42} {:>9} {:>5}  {:>5} {:>9} {:>6}  fitted",
        "class", "positions", "games", "scale", "expect", "real"
    )?;
    for (class, samples) in &classes {
        if let Some(line) = fit(samples, &per_cp) {
            writeln!(out, "{class:<42} {line}")?;
        }
    }
    Ok(())
}

fn add_game(game: &GameRecord, number: u32, tracing: &mut EvalTracer, all: &mut Classes) {
    let weights = default_values();
    let mut line = vec![game.start.clone()];
    for &(mv, _) in &game.moves {
        line.extend(line.last().map(|position| position.play_unchecked(mv)));
    }
    let tactical: Vec<bool> =
        line.iter().zip(&game.moves).map(|(position, &(mv, _))| position.is_tactical(mv)).collect();
    let mut trace = Trace::default();
    for (ply, (position, &(_, score))) in line.iter().zip(&game.moves).enumerate().skip(SKIP_PLIES) {
        let is_settled = !tactical[ply - 2..tactical.len().min(ply + 3)].contains(&true);
        let is_open = score.is_none_or(|score| score.abs() < DECIDED_SCORE);
        if position.in_check() || !is_settled || !is_open || !tracing.trace_into(position, &mut trace) {
            continue;
        }
        let scales = trace.scale;
        let mut white_value = |scale| {
            trace.scale = [scale; 2];
            let value = value_of(&trace, &weights).0;
            if position.turn().is_white() { value } else { -value }
        };
        let (mg, full) = (white_value(0), white_value(FULL_SCALE));
        if full == mg || full.abs() >= DECIDED {
            continue;
        }
        let (strong, sign) = if full > mg { (Color::White, 1) } else { (Color::Black, -1) };
        let result = game.winner.map_or(0.5, |winner| if winner == strong { 1.0 } else { 0.0 });
        for class in classes_of(position, strong) {
            all.entry(class).or_default().push(Sample {
                game: number,
                band: BANDS.iter().rposition(|&least| trace.phase >= least).unwrap_or(0),
                parts: [f64::from(sign * mg), f64::from(sign * (full - mg))],
                scale: f64::from(scales[strong.index()]),
                result,
            });
        }
    }
}

/// The pieces of a side without king and pawns, as letters, and their value in pawns.
fn pieces(position: &Position, color: Color) -> (String, i32) {
    let kinds = [
        (PieceType::Queen, "Q", 9),
        (PieceType::Rook, "R", 5),
        (PieceType::Bishop, "B", 3),
        (PieceType::Knight, "N", 3),
    ];
    kinds.iter().fold((String::new(), 0), |(letters, worth), &(kind, letter, each)| {
        let count = position.pieces(color, kind).count();
        (letters + &letter.repeat(count as usize), worth + each * count as i32)
    })
}

fn classes_of(position: &Position, strong: Color) -> Vec<String> {
    let pawns = |color| position.pieces(color, PieceType::Pawn);
    let [(ours, our_worth), (theirs, their_worth)] = [strong, !strong].map(|color| pieces(position, color));
    let (count, their_count) = (pawns(strong).count(), pawns(!strong).count());
    let wing = if is_one_wing(position.by_type(PieceType::Pawn)) { "one wing" } else { "both wings" };
    let lead = our_worth - their_worth;
    let mut classes = Vec::new();
    let tens = position.halfmove_clock() / 10 * 10;
    if tens > 0 {
        classes.push(format!("halfmove clock {tens} to {}", tens + 9));
    }
    if has_opposite_bishops(position) {
        let kind = match (ours.as_str(), theirs.as_str(), lead) {
            ("B", "B", _) => "alone",
            (_, _, 1..) => "and a lead",
            _ => "and other pieces",
        };
        classes.push(format!("opposite bishops {kind}"));
        classes.push(format!("opposite bishops {kind}, {wing}, {} pawns", count.min(6)));
        return classes;
    }
    if count >= CONTROL_PAWNS {
        classes.push(CONTROL.to_owned());
    }
    let has_rule = ours.chars().all(|piece| piece == 'B') || (ours.as_str(), theirs.as_str(), count) == ("N", "", 1);
    let is_rook_ending = (ours.as_str(), theirs.as_str()) == ("R", "R") && count <= 2 && count == their_count + 1;
    if ours.len() + theirs.len() <= 4 && count > 0 && !theirs.is_empty() && !has_rule && !is_rook_ending && lead <= 3 {
        let ahead = if lead > 0 { "minor piece up" } else { "few pieces" };
        classes.push(format!("{ahead}, {wing}, {} pawns", count.min(5)));
        if theirs.contains('Q') && lead > 0 {
            classes.push("minor piece up against a queen".to_owned());
        }
    }
    let (rams, levers) = rams_and_levers(pawns(Color::White), pawns(Color::Black));
    if rams >= 3 && levers < 3 {
        classes.push(format!("locked, {} or more blocked pairs, {levers} levers", rams.min(4)));
    }
    classes
}

fn has_opposite_bishops(position: &Position) -> bool {
    let bishops = position.by_type(PieceType::Bishop);
    let sets = [Bitboard::LIGHT, Bitboard::DARK, position.color(Color::White), position.color(Color::Black)];
    sets.into_iter().all(|set| (bishops & set).count() == 1)
}

/// Whether all pawns are on four adjacent files.
fn is_one_wing(pawns: Bitboard) -> bool {
    let files = || pawns.into_iter().map(|pawn| pawn.file().index());
    files().max().unwrap_or(0) - files().min().unwrap_or(0) < 4
}

/// The pairs of pawns that block each other, and the pawns that attack a pawn of the other side or can advance to do
/// so.
fn rams_and_levers(white: Bitboard, black: Bitboard) -> (u32, u32) {
    let levers = |own: Bitboard, other: Bitboard| {
        let can_attack = |pawn: Bitboard| {
            let mut here = pawn.0;
            while here != 0 {
                let beside = (Bitboard(here << 7) - File::H.bitboard()) | (Bitboard(here << 9) - File::A.bitboard());
                if beside.intersects(other) {
                    return true;
                }
                here = here << 8 & !(own.0 | other.0);
            }
            false
        };
        own.into_iter().filter(|pawn| can_attack(pawn.bitboard())).count() as u32
    };
    let rams = (white.0 << 8 & black.0).count_ones();
    (rams, levers(white, black) + levers(black.flip_ranks(), white.flip_ranks()))
}

/// The number of samples of each game.
fn per_game<'a>(samples: impl IntoIterator<Item = &'a Sample>) -> BTreeMap<u32, f64> {
    let mut of_game: BTreeMap<u32, f64> = BTreeMap::new();
    for sample in samples {
        *of_game.entry(sample.game).or_default() += 1.0;
    }
    of_game
}

/// How fast the logarithm of the odds grows with the value, in positions of a band of phases.
fn odds_per_cp(control: &[Sample], band: usize) -> f64 {
    let control: Vec<&Sample> = control.iter().filter(|sample| sample.band == band).collect();
    let of_game = per_game(control.iter().copied());
    let loss = |per_cp: f64| -> f64 {
        let error = |sample: &Sample| (sample.expected(f64::from(FULL_SCALE), per_cp) - sample.result).powi(2);
        control.iter().map(|sample| error(sample) / of_game[&sample.game]).sum()
    };
    let candidates = (20..400).map(|step| f64::from(step) * 5e-5).map(|per_cp| (loss(per_cp), per_cp));
    candidates.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |(_, per_cp)| per_cp)
}

/// The line of a class with enough games.
fn fit(samples: &[Sample], per_cp: &[f64]) -> Option<String> {
    let of_game = per_game(samples);
    let games = of_game.len() as f64;
    if of_game.len() < FEWEST_GAMES {
        return None;
    }
    let mut losses = vec![[0.0; LARGEST + 1]; GROUPS];
    let (mut expected, mut real, mut in_use, mut loss_in_use) = (0.0, 0.0, 0.0, 0.0);
    for sample in samples {
        let weight = 1.0 / of_game[&sample.game] / games;
        let chance = |scale: f64| sample.expected(scale, per_cp[sample.band]);
        for (scale, loss) in losses[sample.game as usize % GROUPS].iter_mut().enumerate() {
            *loss += weight * (chance(scale as f64) - sample.result).powi(2);
        }
        expected += weight * chance(sample.scale);
        real += weight * sample.result;
        in_use += weight * sample.scale;
        loss_in_use += weight * (chance(sample.scale) - sample.result).powi(2);
    }
    let total: Vec<f64> = (0..=LARGEST).map(|scale| losses.iter().map(|group| group[scale]).sum()).collect();
    let best = |loss: &dyn Fn(usize) -> f64| (0..=LARGEST).min_by(|&a, &b| loss(a).total_cmp(&loss(b))).unwrap_or(0);
    let fitted = best(&|scale| total[scale]);
    let without: Vec<f64> = losses.iter().map(|group| best(&|scale| total[scale] - group[scale]) as f64).collect();
    let mean = without.iter().sum::<f64>() / GROUPS as f64;
    let variance =
        without.iter().map(|scale| (scale - mean).powi(2)).sum::<f64>() * (GROUPS - 1) as f64 / GROUPS as f64;
    Some(format!(
        "{:>9} {:>5}  {in_use:>5.1} {:>7.1} % {:>4.1} %  {fitted:>3} ± {:>4.1}, loss {loss_in_use:.4} to {:.4}",
        samples.len(),
        of_game.len(),
        100.0 * expected,
        100.0 * real,
        2.0 * variance.sqrt(),
        total[fitted],
    ))
}
