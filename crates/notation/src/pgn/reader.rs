//! Reading games one at a time.

use super::game_builder::{GameBuilder, TextPool};
use super::{PgnError, PgnGame, PgnParser};
use crate::text::decode;
use std::borrow::Cow;
use std::io::Read;

/// Iterator over the games of a PGN file. Every move is checked. It keeps one game and a window of the input in memory,
/// and needs no buffered reader.
///
/// It reads the main line with its comments and glyphs, and skips variations and `%` lines; the module documentation
/// lists readers that keep variations. Tags and result may be missing. If the tag `Result` and the end of the movetext
/// disagree, the movetext takes precedence, unless it ends with `*`.
///
/// An invalid game yields an error that says what is wrong and where; the iterator then continues with the next game.
/// [`PgnReader::read_next`] also returns what precedes the error. After an I/O error, the iterator ends.
#[derive(Debug)]
pub struct PgnReader<R> {
    parser: PgnParser<R>,
    max_plies: usize,
    spare: TextPool,
}

impl<R: Read> PgnReader<R> {
    /// Creates a reader of games.
    pub fn new(reader: R) -> Self {
        Self::from(PgnParser::new(reader))
    }

    /// Keeps the first `plies` moves of each game. The remaining moves are not checked. The result is that of the whole
    /// game.
    #[must_use]
    pub fn max_plies(mut self, plies: usize) -> Self {
        self.max_plies = plies;
        self
    }

    /// Makes the text of invalid games available: see [`PgnReader::rest`].
    #[must_use]
    pub fn keep_rest(mut self, keep: bool) -> Self {
        self.parser = self.parser.keep_rest(keep);
        self
    }

    /// The text of the last game from its first error on, at most 16 MiB. Empty if the game has no error, or without
    /// [`PgnReader::keep_rest`].
    pub fn rest(&self) -> Cow<'_, str> {
        decode(self.parser.rest())
    }

    /// The number of games read so far, including invalid ones.
    pub fn games(&self) -> usize {
        self.parser.games()
    }

    /// Reads the next game into `game`, reusing its memory, which is faster than the iterator. `None` at the end of the
    /// input.
    ///
    /// If the game is invalid, `game` holds its tags, and its moves before the error.
    ///
    /// ```
    /// use bartizan_notation::pgn::{PgnGame, PgnReader};
    ///
    /// let text = "[White \"Anna\"]\n\n1. e4 e5 2. Ke3 Nf6 *\n1. d4 *";
    /// let mut reader = PgnReader::new(text.as_bytes()).keep_rest(true);
    /// let mut game = PgnGame::default();
    /// let error = reader.read_next(&mut game).unwrap().unwrap_err();
    /// assert_eq!(error.to_string(), "game 1, line 3, column 13: no legal move matches 'Ke3'");
    /// assert_eq!((game.tag("White"), game.moves.len()), (Some("Anna"), 2));
    /// assert_eq!(reader.rest(), "Ke3 Nf6 *");
    /// assert!(reader.read_next(&mut game).unwrap().is_ok());
    /// assert!(reader.read_next(&mut game).is_none());
    /// ```
    ///
    /// # Errors
    /// [`PgnError`] if the game is invalid or the input cannot be read.
    pub fn read_next(&mut self, game: &mut PgnGame) -> Option<Result<(), PgnError>> {
        let mut draft = GameBuilder::new(game, &mut self.spare, self.max_plies);
        let read = self.parser.read_game(&mut draft);
        draft.tidy();
        read.transpose().map(|read| read.flatten())
    }
}

impl<R: Read> From<PgnParser<R>> for PgnReader<R> {
    fn from(parser: PgnParser<R>) -> Self {
        Self { parser, max_plies: usize::MAX, spare: TextPool::default() }
    }
}

impl<R: Read> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut game = PgnGame::default();
        let read = self.read_next(&mut game)?;
        Some(read.map(|()| game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{GameResult, Nag};
    use std::io::{self, BufReader, Read};

    /// Each game as its moves and result, or as its error.
    fn read(text: &str) -> Vec<String> {
        PgnReader::new(text.as_bytes())
            .map(|game| game.map_or_else(|error| error.to_string(), |game| show(&game)))
            .collect()
    }

    fn show(game: &PgnGame) -> String {
        let moves = game.moves.iter().map(|played| match &played.comment {
            Some(comment) => format!("{} {{{comment}}} ", played.mv),
            None => format!("{} ", played.mv),
        });
        moves.chain([game.result.to_string()]).collect()
    }

    #[test]
    fn only_the_main_line_is_read() {
        let text =
            "{before} 1. e4 $1 {good} ; really\n%no\n (1. d4 {no} (1. c4) d5 1-0) 1... e5!? {b\nc} 2.Nf3(2. f4) 0-1";
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(show(&game), "e2e4 {good really} e7e5 {b c} g1f3 0-1");
        assert_eq!(game.comment.as_deref(), Some("before"));
        let nags: Vec<&[Nag]> = game.moves.iter().map(|played| &*played.nags).collect();
        assert_eq!(nags, [&[Nag::GOOD][..], &[Nag::INTERESTING], &[]]);
    }

    #[test]
    fn games_follow_each_other() {
        assert_eq!(read("1. e4 * 1. d4 1/2-1/2\n\n1.c4 1-0 {what a game}"), ["e2e4 *", "d2d4 1/2-1/2", "c2c4 1-0"]);
        assert_eq!(read(""), [""; 0]);
        assert_eq!(read("\n{nothing}\n\u{1a}"), [""; 0]);
        // Without results.
        assert_eq!(read("[White \"a\"]\n\n1. e4\n\n[White \"b\"]\n\n1. d4\n"), ["e2e4 *", "d2d4 *"]);
        // With a result only in the tag, and with a different one there.
        let tagged = |moves: &str| format!("[Event \"a\"]\n[Result \"1-0\"]\n\n{moves}\n");
        assert_eq!(read(&["1. e4 *", "1. e4", "1. e4 0-1"].map(tagged).concat()), ["e2e4 1-0", "e2e4 1-0", "e2e4 0-1"]);
        // Without moves.
        let text = "[Event \"a\"]\n[Result \"1-0\"]\n\n[Event \"b\"]\n[Result \"0-1\"]\n";
        assert_eq!(read(text), ["1-0", "0-1"]);
    }

    /// Concatenated files, with their byte order marks, and non-breaking spaces copied from a browser.
    #[test]
    fn blanks_of_several_bytes_are_no_games() {
        let file = "\u{feff}[White \"a\"]\n\n\u{a0}\n1. e4 *\n";
        assert_eq!(read(&format!("{file}\n{file}\u{a0}{file}")), ["e2e4 *"; 3]);
        assert_eq!(read("1. e4 *\n\u{feff}1. d4 *"), ["e2e4 *", "d2d4 *"]);
    }

    #[test]
    fn tags_say_where_a_game_begins() {
        let text = "{stray}[Event \"x\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
                    [FEN \"4k3/8/8/8/8/8/8/5KR1 w GQ - 0 1\"]\n[Result \"1-0\"]\n\n1. O-O\n";
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        assert!(game.chess960 && game.comment.is_none());
        assert_eq!(game.start.to_fen(), "4k3/8/8/8/8/8/8/5KR1 w K - 0 1");
        assert_eq!(show(&game), "f1g1 1-0");
        assert_eq!(game.tags, [("Event".to_owned(), "x".to_owned())]);
    }

    #[test]
    fn errors_cost_one_game_each() {
        let text = "[Event \"1\"]\n\n1. e4 e5\n2. Ké5 Nf6 {1-0} (1-0) 1-0\n\n\
                    [Event \"2\"]\n[FEN \"x w\"]\n\n1. e4 *\n\
                    [Event \"3\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\
                    [Event \"4\"]\n\n1. e4 (1. d4 1-0\n\n\
                    [Event \"5\"\n[Site x]\n\n1. e4 1-0\n\
                    [Event \"6\"]\n\n1. e4 {open\n1-0\n\n\
                    [Event \"7\"]\n\n1. e4 ) 1-0 1. e4 -- *\n\
                    [Event \"9\"]\n\n1. e4 1-0\n";
        let expected = [
            "game 1, line 4, column 4: invalid move 'Ké5'",
            "game 2, line 7, column 1: invalid FEN: unexpected 'x' in the board at column 1",
            "game 3, line 11, column 1: unsupported variant 'Atomic'",
            "game 4, line 18, column 1: unterminated variation",
            "game 5, line 19, column 1: invalid tag: expected a name and a quoted value, such as [Event \"?\"]",
            "game 6, line 24, column 7: unterminated comment",
            "game 7, line 29, column 7: unexpected ')'",
            "game 8, line 29, column 19: a null move cannot be played",
            "e2e4 1-0",
        ];
        assert_eq!(read(text), expected);
    }

    #[test]
    fn plies_can_be_limited() {
        let text = "1. e4 {a} e5 {b} 2. nonsense {c} 1-0 1. d4 *";
        let games: Vec<_> = PgnReader::new(text.as_bytes()).max_plies(2).map(|game| show(&game.unwrap())).collect();
        assert_eq!(games, ["e2e4 {a} e7e5 {b} 1-0", "d2d4 *"]);
        let none = PgnReader::new(text.as_bytes()).max_plies(0).next().unwrap().unwrap();
        assert_eq!((none.moves.len(), none.result), (0, GameResult::WhiteWins));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_read() {
        let game = PgnReader::new(&b"\xef\xbb\xbf[White \"R\xe9ti\"]\r\n\r\n1. Nf3 *\r\n"[..]).next().unwrap().unwrap();
        assert_eq!(game.tag("White"), Some("Réti"));
    }

    #[test]
    fn what_is_too_long_costs_one_game() {
        let long = "word ".repeat(20_000) + "\n";
        let text = format!("1. e4 {{{}1-0\n}} 1-0 1. d4 *", long.repeat(20));
        assert_eq!(read(&text), ["game 1, line 1, column 7: the comment or game is too long", "d2d4 *"]);
        let dance = "Nf3 Nf6 Ng1 Ng8\n".repeat(1 << 18);
        let found = read(&format!("{dance}1-0 1. d4 *"));
        assert!(found[0].ends_with("too long"));
        assert_eq!(found[1], "d2d4 *");
        let word = "x".repeat(10 << 20);
        let found = read(&format!("1. {word} 1-0\n1. e4 {word}! 1-0 1. d4 *"));
        assert!(found[0].starts_with("game 1, line 1, column 4: invalid move 'xxx") && found[0].len() < 100);
        assert!(found[1].starts_with("game 2, line 2, column 7: invalid move 'xxx") && found[1].len() < 100);
        assert_eq!(found[2], "d2d4 *");
        let tags = format!("[A \"{word}\"] 1. e4 *\n[B \"x\"]\n1. d4 *");
        let expected =
            "game 1, line 1, column 1: invalid tag: expected a name and a quoted value, such as [Event \"?\"]";
        assert_eq!(read(&tags), [expected]);
    }

    #[test]
    fn a_line_may_be_long() {
        let spaces = " ".repeat(10 << 20);
        assert_eq!(read(&format!("1. e4{spaces}e5 * {spaces}\n 1. d4 *")), ["e2e4 e7e5 *", "d2d4 *"]);
        let one_line = "[Event \"x\"][Round \"1\"] 1. e4 {a} (1. d4) e5 * ".repeat(200_000);
        let mut reader = PgnReader::new(one_line.as_bytes());
        assert_eq!(reader.by_ref().filter(Result::is_ok).count(), 200_000);
        let broken = "} ] ) \" ".repeat(1 << 20);
        assert_eq!(read(&broken), ["game 1, line 1, column 1: unexpected '}'"]);
    }

    #[test]
    fn variations_may_be_deep() {
        let deep = format!("1. e4 {} e5 * 1. d4 *", "(1. d4 ".repeat(500_000) + &")".repeat(500_000));
        assert_eq!(read(&deep), ["e2e4 e7e5 *", "d2d4 *"]);
        let open = format!("1. e4 {} *\n[Event \"x\"]\n1. d4 *", "(".repeat(1_000_000));
        assert_eq!(read(&open), ["game 1, line 2, column 1: unterminated variation", "d2d4 *"]);
    }

    /// The games are the same however the input is split into pieces.
    #[test]
    fn the_size_of_reads_does_not_matter() {
        struct Drops<'a>(&'a [u8], usize);
        impl Read for Drops<'_> {
            fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
                let length = self.1.min(self.0.len()).min(to.len());
                let (now, later) = self.0.split_at(length);
                to[..length].copy_from_slice(now);
                self.0 = later;
                Ok(length)
            }
        }
        let text = "\u{feff}%no\n[Event \"a \\\" b\"]\n[FEN \"4k3/4P3/8/8/8/8/8/4K3 b - - 0 1\"]\n\n1... Kxe7 {x\n\
                    [Even y} *\r\n[Event \"c\"\n\n1.e4 e5$1 2.\u{a0}Nf3!? ; rest\n%1-0\nNc6 \
                    (2... d6) 1/2-1/2 1. e4 {open\n\
                    [Event \"d\"]\n1. x 1-0\n[Event \"e\"]\n[FEN \"7k/4P3/8/8/8/8/8/4K3 w - - 0 1\"] e8(Q)+ (e8(R)) *";
        let whole = read(text);
        assert_eq!(whole.len(), 5, "{whole:?}");
        assert_eq!(whole[1], "e2e4 e7e5 g1f3 {rest} b8c6 1/2-1/2");
        for size in [1, 2, 3, 7, 64] {
            let games: Vec<String> = PgnReader::new(Drops(text.as_bytes(), size))
                .map(|game| game.map_or_else(|error| error.to_string(), |game| show(&game)))
                .collect();
            assert_eq!(games, whole, "{size}");
        }
    }

    #[test]
    fn what_precedes_a_fault_is_kept() {
        let text = "[White \"a\"]\n[Opening \"b\"]\n\n1. e4 {c} e5 2. Ke3 {d} Nf6\n(e) 0-1\n\n\
                    [White \"f\"]\n\n1. d4 *\n1. Q *";
        let mut reader = PgnReader::new(text.as_bytes()).keep_rest(true);
        let mut game = PgnGame::default();
        assert!(reader.read_next(&mut game).unwrap().is_err());
        assert_eq!(show(&game), "e2e4 {c} e7e5 0-1");
        assert_eq!((game.tags.len(), reader.rest()), (2, "Ke3 {d} Nf6\n(e) 0-1".into()));
        assert!(reader.read_next(&mut game).unwrap().is_ok());
        assert_eq!((show(&game), game.tags.len(), reader.rest()), ("d2d4 *".into(), 1, "".into()));
        assert!(reader.read_next(&mut game).unwrap().is_err());
        assert_eq!((show(&game), game.tags.len(), reader.rest()), ("*".into(), 0, "Q *".into()));
        assert!(reader.read_next(&mut game).is_none());
        assert_eq!(reader.games(), 3);
    }

    #[test]
    fn errors_of_the_input_are_final() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let mut reader = PgnReader::new(BufReader::new(b"1. e4 * 1. d4\n".chain(Broken)));
        assert!(reader.next().unwrap().is_ok());
        assert_eq!(reader.next().unwrap().unwrap_err().to_string(), "game 2, line 2, column 1: broken");
        assert!(reader.next().is_none());
    }
}
