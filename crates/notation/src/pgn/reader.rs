//! Reading games one at a time.

use super::draft::{Draft, Place};
use super::lexer::{Lexer, Token};
use super::{PgnError, PgnErrorKind, PgnGame};
use std::io::BufRead;

/// Iterator over the games of a PGN file. It keeps one game and one line in memory.
///
/// It reads the main line with its comments and skips variations, numeric annotation glyphs and `%` lines. Tags and
/// result may be missing. If the tag `Result` and the end of the movetext contradict each other, the movetext wins.
///
/// An invalid game yields an error that says what is wrong and where; the iterator then continues with the next game.
/// After an I/O error, it ends.
#[derive(Debug)]
pub struct PgnReader<R> {
    lexer: Lexer<R>,
    max_plies: usize,
    games: usize,
    /// The first tag of the next game, if it ended the previous game.
    next_tag: Option<((String, String), Place)>,
    ended: bool,
}

impl<R: BufRead> PgnReader<R> {
    /// Creates a reader of games.
    pub fn new(reader: R) -> Self {
        Self { lexer: Lexer::new(reader), max_plies: usize::MAX, games: 0, next_tag: None, ended: false }
    }

    /// Keeps the first `plies` moves of each game. The remaining moves are not checked. The result is that of the whole
    /// game.
    #[must_use]
    pub fn max_plies(mut self, plies: usize) -> Self {
        self.max_plies = plies;
        self
    }

    fn next_game(&mut self) -> Result<Option<PgnGame>, (PgnErrorKind, Place)> {
        let mut draft = Draft::new(self.max_plies);
        if let Some(((name, value), place)) = self.next_tag.take() {
            draft.tag(name, value, place);
        }
        loop {
            let token = self.lexer.next();
            let place = self.lexer.place();
            match token {
                Ok(Token::Tag(name, value)) => {
                    if draft.is_followed_by(&name) {
                        self.next_tag = Some(((name, value), place));
                        break;
                    }
                    draft.tag(name, value, place);
                }
                Ok(Token::Comment(text)) => draft.comment(&text, place),
                Ok(Token::Open) => draft.open(),
                Ok(Token::Close) => draft.close(place),
                Ok(Token::Word(range)) => {
                    if draft.word(self.lexer.word(range), place) {
                        break;
                    }
                }
                Ok(Token::End) => {
                    self.ended = true;
                    if draft.is_empty() {
                        return Ok(None);
                    }
                    break;
                }
                Err(kind @ PgnErrorKind::Io(_)) => {
                    self.ended = true;
                    return Err((kind, place));
                }
                Err(kind) => draft.fail(kind, place),
            }
        }
        draft.finish(self.lexer.place()).map(Some)
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        self.games += 1;
        let item = self.next_game().transpose()?;
        Some(item.map_err(|(kind, (line, column))| PgnError { game: self.games, line, column, kind }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::GameResult;
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
    }

    #[test]
    fn games_follow_each_other() {
        assert_eq!(read("1. e4 * 1. d4 1/2-1/2\n\n1.c4 1-0 {what a game}"), ["e2e4 *", "d2d4 1/2-1/2", "c2c4 1-0"]);
        assert_eq!(read(""), [""; 0]);
        assert_eq!(read("\n{nothing}\n\u{1a}"), [""; 0]);
        // Without results.
        assert_eq!(read("[White \"a\"]\n\n1. e4\n\n[White \"b\"]\n\n1. d4\n"), ["e2e4 *", "d2d4 *"]);
        // Without moves.
        let text = "[Event \"a\"]\n[Result \"1-0\"]\n\n[Event \"b\"]\n[Result \"0-1\"]\n";
        assert_eq!(read(text), ["1-0", "0-1"]);
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
        assert_eq!(read(&text), ["game 1, line 1, column 7: the line or game is too long", "d2d4 *"]);
        let line = " ".repeat(2 << 20);
        assert_eq!(
            read(&format!("1. e4\n{line}\n* 1. d4 *")),
            ["game 1, line 2, column 1: the line or game is too long", "d2d4 *"]
        );
        let dance = "Nf3 Nf6 Ng1 Ng8\n".repeat(1 << 18);
        let found = read(&format!("{dance}1-0 1. d4 *"));
        assert!(found[0].ends_with("too long"));
        assert_eq!(found[1], "d2d4 *");
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
        assert_eq!(reader.next().unwrap().unwrap_err().to_string(), "game 2, line 1, column 12: broken");
        assert!(reader.next().is_none());
    }
}
