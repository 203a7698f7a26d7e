//! Every way of splitting a PGN file finds the same games, for any text.

use bartizan_notation::pgn::{
    Chunk, ChunkKind, Chunks, Interest, MoveText, PgnError, PgnErrorKind, PgnGame, PgnParser, PgnReader, RawGame,
    RawGames, TagValue, Visitor,
};
use proptest::prelude::*;

/// Fragments of games, valid and invalid.
const PIECES: [&str; 50] = [
    "[Event \"a\"]\n",
    "[Event \"b\"]\n",
    "\n[Event \"",
    "[Site \"c\"]\n",
    "[Result \"1-0\"]\n",
    "[FEN \"8/8/8/8/8/8/8/8 w\"]\n",
    "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\r\n",
    " [Even",
    "[Eve \"a \\\" b\" ]",
    "[",
    "]",
    "\"",
    "\n\n",
    "\n",
    "\r\n",
    " ",
    "1.",
    "1. e4 ",
    "e4",
    "e5 ",
    "2...Nf6",
    "Ke2 ",
    "O-O",
    "0-0 ",
    "e8(Q)",
    "x",
    "White ",
    "(agreed) ",
    "{",
    "}",
    "{a} ",
    "{b\nc}",
    "(",
    ")",
    " (1. d4 d5) ",
    ";",
    "; d\n",
    "%",
    "\n%e\n",
    "$3 ",
    "!",
    "*",
    "* ",
    " 1-0\n",
    " 0-1 ",
    "1/2",
    "\u{bd}-\u{bd} ",
    "\u{feff}",
    "\u{a0}",
    "\u{1}\n",
];

fn text() -> impl Strategy<Value = Vec<u8>> {
    let pieces = proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..60);
    let text = pieces.prop_map(|pieces| pieces.concat().into_bytes());
    // A byte of Windows-1252 anywhere.
    (text, any::<proptest::sample::Index>(), any::<bool>()).prop_map(|(mut text, at, latin)| {
        if latin && !text.is_empty() {
            let at = at.index(text.len());
            text[at] = 0xe9;
        }
        text
    })
}

/// A game with its problems, or its fault with the place. A comment in front of the game is left out: it belongs to the
/// game before if the text is cut.
fn show(read: Result<PgnGame, PgnError>) -> String {
    match read {
        Ok(mut game) => {
            game.comment = None;
            let problems = game.problems.iter().map(|problem| format!("{problem}\n")).collect::<String>();
            problems + &game.to_string()
        }
        Err(error) => format!("line {}, column {}: {}", error.line, error.column, error.kind),
    }
}

/// Records the places of the tags and skips the movetext.
#[derive(Default)]
struct Tags(Vec<usize>);

impl Visitor for Tags {
    type Output = Vec<usize>;

    fn begin_game(&mut self) {
        self.0.clear();
    }

    fn tag(&mut self, _: &str, value: TagValue<'_>) -> Result<(), PgnErrorKind> {
        self.0.push(value.range().start);
        Ok(())
    }

    fn begin_moves(&mut self) -> Result<Interest, PgnErrorKind> {
        Ok(Interest::Skip)
    }

    fn san(&mut self, _: MoveText<'_>) -> Result<(), PgnErrorKind> {
        Ok(())
    }

    fn end_game(&mut self) -> Vec<usize> {
        self.0.clone()
    }
}

fn check_raw(text: &[u8], whole: &[String], raw: &[RawGame]) -> Result<(), TestCaseError> {
    let joined: Vec<u8> = raw.iter().flat_map(|game| game.bytes.clone()).collect();
    prop_assert!(joined == text);
    let each: Vec<String> = raw.iter().flat_map(|game| game.games().map(show).collect::<Vec<_>>()).collect();
    prop_assert_eq!(&each, whole);
    for game in raw {
        prop_assert_eq!(game.games().count(), usize::from(game.is_game));
        for tag in &game.tags {
            prop_assert!(game.bytes[tag.clone()].starts_with(b"["));
            prop_assert!(!game.tag_name(tag).is_empty());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4 * ProptestConfig::default().cases, ..ProptestConfig::default() })]

    #[test]
    fn all_readers_find_the_same_games(text in text(), size in 1usize..200) {
        let whole: Vec<String> = PgnReader::new(&text[..]).map(show).collect();
        let raw: Vec<RawGame> = RawGames::new(&text[..]).map(Result::unwrap).collect();
        check_raw(&text, &whole, &raw)?;

        let chunks: Vec<Chunk> = Chunks::new(&text[..]).sizes(size, 1 << 20).map(Result::unwrap).collect();
        prop_assert!(chunks.iter().all(|chunk| chunk.kind == ChunkKind::Games));
        let games: Vec<String> = chunks.iter().flat_map(|chunk| chunk.games().map(show)).collect();
        prop_assert_eq!(&games, &whole);
        let cut: Vec<RawGame> = chunks.iter().flat_map(Chunk::raw_games).collect();
        prop_assert_eq!(&cut, &raw);

        // A visitor that skips the movetext finds the same games and the same tags.
        let mut parser = PgnParser::new(&text[..]);
        let mut tags = Tags::default();
        let skipped: Vec<_> = std::iter::from_fn(|| parser.read_game(&mut tags).unwrap()).collect();
        prop_assert_eq!(skipped.len(), whole.len());
        let mut from = 0;
        let cut = raw.iter().filter(|game| game.is_game).map(|game| {
            let tags = game.tags.iter().map(|tag| from + tag.start).collect();
            from += game.bytes.len();
            tags
        });
        prop_assert_eq!(skipped, cut.collect::<Vec<Vec<usize>>>());
    }

    /// A limit cuts long games. Nothing is lost, and reading always ends.
    #[test]
    fn long_games_are_cut(text in text(), size in 1usize..50, limit in 1usize..100) {
        let chunks: Vec<Chunk> = Chunks::new(&text[..]).sizes(size, limit).map(Result::unwrap).collect();
        let raw: Vec<RawGame> = chunks.iter().flat_map(Chunk::raw_games).collect();
        let joined: Vec<u8> = raw.iter().flat_map(|game| game.bytes.clone()).collect();
        prop_assert!(joined == text);
        for chunk in &chunks {
            let (games, raw) = (chunk.games().count(), chunk.raw_games().filter(|game| game.is_game).count());
            match chunk.kind {
                ChunkKind::Games => prop_assert_eq!(games, raw),
                ChunkKind::Beginning => prop_assert_eq!(raw, 1),
                _ => prop_assert_eq!((games, raw), (0, 0)),
            }
        }
    }
}

/// How text after a result is read depends on what follows that text: a part that ends in between must be read in the
/// same way.
#[test]
fn comments_behind_a_result_are_cut_alike() {
    for text in [
        "1. e4 1-0\nKe2 {a} $3 \n%e\n*",
        "*{a} {\n[Event \"[Site \"c\"]\n}; d\n*[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\r\n",
        "1. e4 1-0 {a}\n{b\n} ; c\n%d\n 1-0 1. d4 * {e}\n; f\n1. c4 *",
    ] {
        let whole: Vec<String> = PgnReader::new(text.as_bytes()).map(show).collect();
        for size in 1..=text.len() {
            let chunks = Chunks::new(text.as_bytes()).sizes(size, 1 << 20).map(Result::unwrap);
            let games: Vec<String> = chunks.flat_map(|chunk| chunk.games().map(show).collect::<Vec<_>>()).collect();
            assert_eq!(games, whole, "{size}: {text}");
        }
    }
}
