//! The graph of the chances to win.

use crate::judgement::{JudgedGame, win_percent};
use std::fmt::Write;

/// The number of rows.
const ROWS: usize = 8;

/// The maximum number of columns.
const COLUMNS: usize = 72;

/// The steps between labels, in moves.
const STEPS: [usize; 6] = [1, 2, 5, 10, 20, 50];

/// Blocks that fill a cell from below, in eighths.
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// White's chances as a filled area, one or more columns for each position: the line of underscores is 50 %. `None` if
/// fewer than two evaluations are known.
pub(super) fn draw(judged: &JudgedGame, blocks: bool) -> Option<String> {
    let wins = wins(judged);
    if wins.iter().flatten().count() < 2 {
        return None;
    }
    let each = (COLUMNS / wins.len()).clamp(1, 3);
    let columns = (wins.len() * each).min(COLUMNS);
    // The position that a column shows.
    let at = |column: usize| column * wins.len() / columns;
    let mut text = String::new();
    for row in (0..ROWS).rev() {
        let label = match row {
            _ if row == ROWS - 1 => "100",
            _ if row == ROWS / 2 => "50",
            0 => "0",
            _ => "",
        };
        let cells = (0..columns).map(|column| cell(wins[at(column)], row, blocks));
        let line = format!("{label:>4} |{}", cells.collect::<String>());
        text += line.trim_end();
        text.push('\n');
    }
    Some(text + &labels(judged, columns, &at))
}

/// White's chance in each position, in per cent.
fn wins(judged: &JudgedGame) -> Vec<Option<f64>> {
    let first = judged.moves.first().and_then(|mv| mv.before);
    let after = judged.moves.iter().map(|mv| mv.after);
    std::iter::once(first).chain(after).map(|eval| eval.map(win_percent)).collect()
}

/// What a cell shows of a column.
fn cell(win: Option<f64>, row: usize, blocks: bool) -> char {
    let eighths = win.map_or(0.0, |win| win / 100.0 * (8 * ROWS) as f64 - (8 * row) as f64).round().clamp(0.0, 8.0);
    let is_half = row == ROWS / 2;
    if eighths == 0.0 {
        return if is_half { '_' } else { ' ' };
    }
    if blocks {
        // From 1 to 8.
        BLOCKS[eighths as usize]
    } else if eighths >= 4.0 {
        '#'
    } else if is_half {
        '_'
    } else {
        ' '
    }
}

/// The line with the numbers of moves below the first column of their positions.
fn labels(judged: &JudgedGame, columns: usize, at: &impl Fn(usize) -> usize) -> String {
    let number = |column: usize| {
        let position = &judged.positions[at(column)];
        let is_first = column == 0 || at(column) != at(column - 1);
        Some(usize::from(position.fullmove_number())).filter(|_| is_first && position.turn().is_white())
    };
    let is_wide = |step: &usize| {
        let mut last = None;
        (0..columns).filter(|&column| number(column).is_some_and(|number| number % step == 0)).all(|column| {
            let is_apart = last.is_none_or(|last| column - last >= 5);
            last = Some(column);
            is_apart
        })
    };
    let step = STEPS.into_iter().find(|step| is_wide(step)).unwrap_or(100);
    let mut text = " ".repeat(6);
    for column in 0..columns {
        if let Some(number) = number(column)
            && number.is_multiple_of(step)
        {
            let _ = write!(text, "{:>width$}{number}", "", width = (6 + column).saturating_sub(text.len()));
        }
    }
    let end = text.trim_end().len();
    text.truncate(end);
    text + "\n"
}
