//! The table of openings as columns: the codes, the names, and the moves without those that a line shares with the line
//! before it, and without numbers.

/// The characters for the numbers of shared moves.
pub(crate) const COUNTS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The lines of the table: a code, a name and moves, separated by tabs.
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
