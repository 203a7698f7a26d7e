//! `genfens` and `spsa`: the commands that the OpenBench framework uses.

use super::{ConsoleError, parse, parse_in};
use crate::FrontEnd;
use crate::words::words;
use bartizan_engine::genfens::{GenfensSettings, OpeningGenerator, OpeningSource};
use bartizan_types::Excerpt;
use std::path::Path;

pub(super) const GENFENS_ARGUMENTS: &str = "N seed S [book FILE] [plies P] [balance CP]";

/// The maximum number of openings: their keys are kept, so that none comes twice.
const MOST_OPENINGS: usize = 1_000_000;
/// The maximum number of random plies.
const MOST_PLIES: u32 = 100;
/// The maximum score of a balanced opening, in centipawns.
const LARGEST_BALANCE: i32 = 100_000;

/// Prints a line for each opening as soon as it is found: OpenBench waits 15 seconds for each.
pub(super) fn genfens<F: FrontEnd>(front: &mut F, arguments: &str) -> Result<(), ConsoleError> {
    const COMMAND: &str = "genfens";
    let missing = |expected| ConsoleError::Missing { command: COMMAND, expected };
    let mut words = words(arguments);
    let count = parse_in(COMMAND, words.next(), &(1..=MOST_OPENINGS), "a number of openings from 1 to 1000000")?;
    let count = count.ok_or(missing("the number of openings"))?;
    let (mut seed, mut book, mut plies, mut balance) = (None, None, None, None);
    while let Some(word) = words.next() {
        match word {
            "seed" => seed = parse(COMMAND, Some(words.next().ok_or(missing("the seed"))?), "a seed")?,
            "book" => book = Some(words.next().ok_or(missing("the file after 'book'"))?),
            "plies" => {
                let word = words.next().ok_or(missing("the number after 'plies'"))?;
                plies = parse_in(COMMAND, Some(word), &(0..=MOST_PLIES), "a number of plies from 0 to 100")?;
            }
            "balance" => {
                let word = words.next().ok_or(missing("the number after 'balance'"))?;
                let range = 0..=LARGEST_BALANCE;
                balance = parse_in(COMMAND, Some(word), &range, "a number of centipawns from 0 to 100000")?;
            }
            word => {
                let (word, expected) = (Excerpt::new(word).to_string(), "one of seed, book, plies, balance");
                return Err(ConsoleError::Argument { command: COMMAND, word, expected });
            }
        }
    }
    let seed = seed.ok_or(missing("'seed' and a number"))?;
    let book = match book {
        None => OpeningSource::Startpos,
        Some(name) if name.eq_ignore_ascii_case("none") => OpeningSource::Startpos,
        Some(name) => OpeningSource::open(Path::new(name)).map_err(|source| ConsoleError::Genfens(source.into()))?,
    };
    let mut settings = GenfensSettings::new(seed, &book);
    settings.plies = plies.unwrap_or(settings.plies);
    settings.balance = balance.unwrap_or(settings.balance);
    let mut generator = OpeningGenerator::new(settings, book)?;
    for _ in 0..count {
        let fen = generator.next_opening()?.to_fen();
        let output = &mut front.session().output;
        output.line(format_args!("info string genfens {fen}"));
        if output.is_closed() {
            break;
        }
    }
    Ok(())
}

/// Prints the search parameters that begin with one of the arguments, or all, in OpenBench's format:
/// `name, int, value, least, greatest, c_end, r_end`.
#[cfg(feature = "tuning")]
pub(super) fn spsa<F: FrontEnd>(front: &mut F, arguments: &str) -> Result<(), ConsoleError> {
    use bartizan_engine::tuning::params;

    let prefixes: Vec<&str> = arguments.split_whitespace().collect();
    let is_name = |prefix: &&str| params::ALL.iter().any(|param| param.name.starts_with(prefix));
    if let Some(prefix) = prefixes.iter().find(|prefix| !is_name(prefix)) {
        let (word, expected) = (Excerpt::new(prefix).to_string(), "the beginning of a parameter's name");
        return Err(ConsoleError::Argument { command: "spsa", word, expected });
    }
    let session = front.session();
    let values = session.config().engine.tuning.params.clone();
    for (param, value) in params::ALL.iter().zip(values) {
        if prefixes.is_empty() || prefixes.iter().any(|prefix| param.name.starts_with(prefix)) {
            session.output.line(spsa_line(param, value));
        }
    }
    Ok(())
}

/// A parameter in OpenBench's format. The last games try values a twentieth of the range away, but at least 1/2, the
/// minimum that OpenBench allows for integers. The rate is the default of `bartizan-tools spsa`.
#[cfg(feature = "tuning")]
fn spsa_line(param: &bartizan_engine::tuning::ParamSpec, value: i32) -> String {
    let step = (f64::from(param.max - param.min) / 20.0).max(0.5);
    format!("{}, int, {value}, {}, {}, {step}, 0.002", param.name, param.min, param.max)
}

#[cfg(not(feature = "tuning"))]
pub(super) fn spsa<F: FrontEnd>(_: &mut F, _: &str) -> Result<(), ConsoleError> {
    Err(ConsoleError::NotTunable)
}
