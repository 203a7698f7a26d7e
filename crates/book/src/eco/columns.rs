//! The table of openings as columns: the codes, the names, and the moves without those that a line shares with the line
//! before it, and without numbers.

/// The characters for the numbers of shared moves.
const COUNTS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Packs the table. It must have no other line than a code, a name and moves, separated by tabs.
#[allow(dead_code, clippy::expect_used, reason = "for the build script")]
pub(crate) fn pack(text: &str) -> String {
    let mut columns = [String::new(), String::new(), String::new()];
    let mut before: Vec<&str> = Vec::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [code, name, moves] = fields[..] else { continue };
        let moves: Vec<&str> = moves.split(' ').filter(|word| !word.ends_with('.')).collect();
        let shared = before.iter().zip(&moves).take_while(|(a, b)| a == b).count();
        let count = COUNTS.as_bytes().get(shared).expect("the lines of openings are short");
        let rest = format!("{}{}", char::from(*count), moves[shared..].join(" "));
        for (column, field) in columns.iter_mut().zip([code, name, &rest]) {
            column.push_str(field);
            column.push('\n');
        }
        before = moves;
    }
    columns.join("\t")
}

/// The inverse of [`pack`]: a code, a name and moves, separated by tabs.
pub(crate) fn unpack(columns: &str) -> String {
    let mut columns = columns.split('\t').map(str::lines);
    let mut next = || columns.next().into_iter().flatten();
    let ((codes, names), tails) = ((next(), next()), next());
    let mut text = String::new();
    let mut moves: Vec<&str> = Vec::new();
    for ((code, name), tail) in codes.zip(names).zip(tails) {
        let (count, tail) = tail.split_at_checked(1).unwrap_or_default();
        moves.truncate(COUNTS.find(count).unwrap_or(0));
        moves.extend(tail.split_whitespace());
        text.extend([code, "\t", name, "\t"]);
        for (index, mv) in moves.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            let number = if index % 2 == 0 { format!("{}. ", index / 2 + 1) } else { String::new() };
            text.extend([space, &number, mv]);
        }
        text.push('\n');
    }
    text
}
