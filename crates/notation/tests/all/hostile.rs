//! Inputs made to be slow: millions of one thing, or megabytes without an end. The readers take each byte of them once
//! and a bounded number of steps for it. With a quadratic number these tests would take hours.

use bartizan_notation::pgn::{
    Chunks, Comment, GameTree, MoveText, PgnErrorKind, PgnParser, PgnReader, RawGames, TreeReader, Visitor,
};
use std::io::{self, Read};

/// The number of pieces, and of bytes where there is one long piece.
const MANY: usize = 1_000_000;
const LONG: usize = 10 << 20;
/// Those of the other inputs, to save time.
const FEWER: usize = MANY / 10;
const SHORTER: usize = LONG / 10;

/// Counts what is read.
struct Counted<'a>(&'a [u8], &'a mut usize);

impl Read for Counted<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(to)?;
        *self.1 += length;
        Ok(length)
    }
}

/// Counts games, moves and comments.
#[derive(Default)]
struct Count {
    moves: usize,
    comments: usize,
}

impl Visitor for Count {
    type Output = ();

    fn san(&mut self, _: MoveText<'_>) -> Result<(), PgnErrorKind> {
        self.moves += 1;
        Ok(())
    }

    fn comment(&mut self, _: Comment<'_>) -> Result<(), PgnErrorKind> {
        self.comments += 1;
        Ok(())
    }

    fn end_game(&mut self) {}
}

/// Every reader reads a hostile game between two others, each byte once, and finds the others.
fn survives(name: &str, hostile: &str) {
    let text = format!("[Event \"a\"]\n\n1. e4 *\n\n[Event \"x\"]\n{hostile}\n\n[Event \"b\"]\n\n1. d4 1-0\n");
    let text = text.as_bytes();
    let mut read = 0;
    let mut parser = PgnParser::new(Counted(text, &mut read));
    let mut count = Count::default();
    while parser.read_game(&mut count).expect("memory can be read").is_some() {}
    let games = parser.games();
    drop(parser);
    assert_eq!(read, text.len(), "{name}");
    assert!((2..=4).contains(&games) && count.moves <= MANY + 4 && count.comments <= MANY, "{name}: {games} games");

    read = 0;
    let last = PgnReader::new(Counted(text, &mut read)).last().and_then(Result::ok);
    let event = last.as_ref().and_then(|game| game.tag("Event"));
    assert_eq!((event, read), (Some("b"), text.len()), "{name}");

    read = 0;
    let mut reader = TreeReader::new(Counted(text, &mut read));
    let mut tree = GameTree::default();
    let (mut trees, mut last) = (0, 0);
    while reader.read_next(&mut tree).is_some() {
        trees += 1;
        last = tree.main_line().count();
    }
    drop(reader);
    assert_eq!((trees, read, last), (games, text.len(), 1), "{name}");

    read = 0;
    let raw: Vec<_> = RawGames::new(Counted(text, &mut read)).flatten().collect();
    assert_eq!(raw.iter().filter(|game| game.is_game).count(), games, "{name}");
    let joined = raw.iter().map(|game| game.bytes.as_slice()).collect::<Vec<_>>().concat();
    assert!(joined == text && read == text.len(), "{name}");
    for game in &raw {
        let mut copy = Vec::new();
        game.write_with_tags(&mut copy, &[("ECO", Some("A00")), ("Event", None)]).expect("memory does not fail");
        assert!(copy.len() <= game.bytes.len() + 20, "{name}");
    }

    read = 0;
    let chunks = Chunks::new(Counted(text, &mut read)).sizes(1 << 14, 1 << 20).flatten();
    assert_eq!(chunks.map(|chunk| chunk.as_bytes().len()).sum::<usize>(), text.len(), "{name}");
    assert_eq!(read, text.len(), "{name}");
}

#[test]
fn long_pieces_are_read_once() {
    survives("a tag", &format!("[White \"{}\"]\n\n1. e4 *", "x".repeat(LONG)));
    survives("a tag without end", &format!("[White \"{}\n\n1. e4 *", "x".repeat(SHORTER)));
    survives("the name of a tag", &format!("[{}\n\n1. e4 *", "x".repeat(SHORTER)));
    survives("backslashes", &format!("[White \"{}\n\n1. e4 *", "\\".repeat(SHORTER)));
    survives("a comment", &format!("\n1. e4 {{{}}} *", "word ".repeat(LONG / 5)));
    survives("a comment without end", &format!("\n1. e4 {{{}", "word\n".repeat(SHORTER / 5)));
    survives("a line comment", &format!("\n1. e4 ;{}\n*", "word ".repeat(SHORTER / 5)));
    survives("a word", &format!("\n1. {} *", "x".repeat(SHORTER)));
    survives("a number", &format!("\n{}. e4 *", "1".repeat(SHORTER)));
    survives("stops", &format!("\n1{} e4 *", ".".repeat(SHORTER)));
    survives("blanks in one line", &format!("\n1. e4{}e5 *", " ".repeat(LONG)));
    survives("foreign blanks", &format!("\n1. e4 {}e5 *", "\u{a0}".repeat(SHORTER / 2)));
}

#[test]
fn many_pieces_are_read_once() {
    survives("open variations", &format!("\n1. e4 {} *", "(".repeat(MANY)));
    survives("closed variations", &format!("\n1. e4 {} *", "(1. d4) ".repeat(MANY)));
    survives("nested variations", &format!("\n1. e4 {}{} *", "(1. d4 ".repeat(FEWER), ")".repeat(FEWER)));
    survives("empty variations", &format!("\n1. e4 {} *", "()".repeat(FEWER)));
    survives("comments", &format!("\n1. e4 {} *", "{a}".repeat(MANY)));
    survives("line comments", &format!("\n1. e4 {}*", ";a\n".repeat(FEWER)));
    survives("hidden lines", &format!("\n1. e4 {}*", "\n%".repeat(FEWER)));
    survives("glyphs", &format!("\n1. e4 {} *", "$1 ".repeat(FEWER)));
    survives("tags", &format!("{}\n1. e4 *", "[A \"b\"]\n".repeat(FEWER)));
    survives("tags in one line", &format!("{}\n1. e4 *", "[A \"b\"]".repeat(FEWER)));
    survives("brackets", &format!("{}\n1. e4 *", "[".repeat(FEWER)));
    survives("quotation marks", &format!("[A {}\n1. e4 *", "\"".repeat(FEWER)));
    survives("braces", &format!("\n1. e4 {} *", "}{".repeat(FEWER)));
    survives("words behind a result", &format!("\n1. e4 * {}", "(x \u{a0} {a} ".repeat(FEWER)));
    survives("bytes without a meaning", &format!("\n1. e4 {} *", "]\")".repeat(FEWER)));
}
