//! The input positions of a command.

use crate::files::shown;
use crate::input::{self, InterruptibleStdin};
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::OutputError;
use anyhow::{Context, bail};
use bartizan_notation::epd::Epd;
use bartizan_notation::list;
use bartizan_position::{Position, Tolerance};
use std::io::{self, BufReader};

/// Calls `work` with each position of the command line or, if there is none, with each one from standard input as soon
/// as its line is read. Ends with the first error, which names the line, or when the user interrupts the program.
pub(super) fn for_each(
    fens: &[String],
    interrupt: &Interrupt,
    mut work: impl FnMut(&Position) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut positions = 0;
    let mut answer = |fen: &str| {
        if interrupt.is_set() {
            bail!(Interrupted(format!("after {positions} positions")));
        }
        let position = match Position::from_fen_with(fen, Tolerance::ALL) {
            Ok(position) => position,
            // An EPD also contains a position.
            Err(error) => match Epd::parse(fen) {
                Ok(epd) => epd.position,
                Err(_) => return Err(error).with_context(|| format!("'{}'", shown(fen))),
            },
        };
        positions += 1;
        work(&position)
    };
    if !fens.is_empty() {
        return fens.iter().try_for_each(|fen| answer(fen));
    }
    let mut input = BufReader::new(InterruptibleStdin::for_standard_input(interrupt)?);
    let mut line = Vec::new();
    for number in 1.. {
        let place = || format!("standard input, line {number}");
        let text = input::read_line(&mut input, &mut line).and_then(|is_read| {
            if number == 1 {
                list::refuse_utf16(&line)?;
            }
            let text = std::str::from_utf8(&line).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
            Ok(is_read.then_some(text))
        });
        match text {
            Ok(None) => break,
            Ok(Some(line)) => {
                let line = if number == 1 { line.strip_prefix('\u{feff}').unwrap_or(line) } else { line };
                let Some(record) = list::record(line) else { continue };
                answer(record).map_err(|error| {
                    let is_of_line = !error.is::<OutputError>() && !error.is::<Interrupted>();
                    if is_of_line { error.context(place()) } else { error }
                })?;
            }
            Err(_) if interrupt.is_set() => bail!(Interrupted("while reading standard input".to_owned())),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", place())),
        }
    }
    Ok(())
}
