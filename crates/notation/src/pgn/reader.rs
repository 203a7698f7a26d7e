//! Reading games one at a time.

use super::game_builder::{GameBuilder, Settings, TextPool};
use super::{PgnError, PgnGame, PgnParser, Strictness};
use bartizan_position::Position;
use std::io::Read;

/// Iterator over the games of a PGN file. Every move is checked. It keeps one game and a window of the input in memory,
/// and needs no buffered reader.
///
/// It reads the main line with its comments and glyphs, and skips variations and `%` lines; the module documentation
/// lists readers that keep variations. Tags and result may be missing. If the tag `Result` and the end of the movetext
/// disagree, the movetext takes precedence, unless it ends with `*`.
///
/// The reader is lenient: what is wrong in the text of a game is told in [`PgnGame::problems`], with what the reader
/// made of it. After a move that cannot be understood or played, the rest of its line is kept as a comment.
/// [`PgnReader::strictness`] can make it an error. A game that cannot be read at all, such as one of another variant,
/// is always one; the iterator then continues with the next game. After an I/O error, the iterator ends.
#[derive(Debug)]
pub struct PgnReader<R> {
    parser: PgnParser<R>,
    settings: Settings,
    spare: TextPool,
    last: Position,
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
        self.settings.max_plies = plies;
        self
    }

    /// Sets which problems are errors, each of which costs its game. By default none is.
    #[must_use]
    pub fn strictness(mut self, strictness: Strictness) -> Self {
        self.settings.strictness = strictness;
        self
    }

    /// Checks the moves of variations, too. A game does not contain them, but their problems are told. Variations
    /// nested more than 100 deep are not checked.
    #[must_use]
    pub fn check_variations(mut self, check: bool) -> Self {
        self.settings.checks_variations = check;
        self
    }

    /// The number of games read so far, including invalid ones.
    pub fn games(&self) -> usize {
        self.parser.games()
    }

    /// The position after the last move of the game that was read last. It saves playing the moves again.
    ///
    /// ```
    /// use bartizan_notation::pgn::PgnReader;
    ///
    /// let mut reader = PgnReader::new("1. f3 e5 2. g4 Qh4# 0-1".as_bytes());
    /// assert!(reader.next().is_some_and(|game| game.is_ok()));
    /// assert!(reader.last_position().is_checkmate());
    /// ```
    pub fn last_position(&self) -> &Position {
        &self.last
    }

    /// Reads the next game into `game`, reusing its memory, which is faster than the iterator. `None` at the end of the
    /// input.
    ///
    /// If the game is invalid, `game` holds its tags, and the moves before the error.
    ///
    /// ```
    /// use bartizan_notation::pgn::{PgnGame, PgnReader};
    ///
    /// let text = "[White \"Anna\"]\n\n1. e4 e5 2. Ke3 Nf6 *\n1. d4 *";
    /// let mut reader = PgnReader::new(text.as_bytes());
    /// let mut game = PgnGame::default();
    /// assert!(reader.read_next(&mut game).unwrap().is_ok());
    /// assert_eq!((game.tag("White"), game.moves.len()), (Some("Anna"), 2));
    /// assert_eq!(
    ///     game.problems[0].to_string(),
    ///     "line 3, column 13: no legal move matches 'Ke3'; the rest of the line is kept as a comment"
    /// );
    /// assert_eq!(game.moves[1].comment.as_deref(), Some("Ke3 Nf6"));
    /// assert!(reader.read_next(&mut game).unwrap().is_ok());
    /// assert!(game.problems.is_empty() && reader.read_next(&mut game).is_none());
    /// ```
    ///
    /// # Errors
    /// [`PgnError`] if the game is invalid or the input cannot be read.
    pub fn read_next(&mut self, game: &mut PgnGame) -> Option<Result<(), PgnError>> {
        let mut draft = GameBuilder::new(game, &mut self.spare, self.settings);
        let read = self.parser.read_game(&mut draft);
        self.last = draft.finish();
        read.transpose().map(|read| read.flatten())
    }
}

impl<R: Read> From<PgnParser<R>> for PgnReader<R> {
    fn from(parser: PgnParser<R>) -> Self {
        Self { parser, settings: Settings::default(), spare: TextPool::default(), last: Position::startpos() }
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
    use crate::pgn::{GameResult, Nag, PgnProblem, TreeReader};
    use std::io::{self, BufReader, Read};

    /// Each game as its moves, result and problems, or as its error.
    fn read(text: &str) -> Vec<String> {
        PgnReader::new(text.as_bytes()).map(show_all).collect()
    }

    fn show_all(game: Result<PgnGame, PgnError>) -> String {
        match game {
            Ok(game) => {
                let problem = |problem: &PgnProblem| format!(" | {}:{} {}", problem.line, problem.column, problem.kind);
                show(&game) + &game.problems.iter().map(problem).collect::<String>()
            }
            Err(error) => error.to_string(),
        }
    }

    fn show(game: &PgnGame) -> String {
        let moves = game.moves.iter().map(|played| match &played.comment {
            Some(comment) => format!("{} {{{comment}}} ", played.mv),
            None => format!("{} ", played.mv),
        });
        let comment = game.comment.as_ref().map(|comment| format!("{{{comment}}} "));
        comment.into_iter().chain(moves).chain([game.result.to_string()]).collect()
    }

    #[test]
    fn only_the_main_line_is_read() {
        let text =
            "{before} 1. e4 $1 {good} ; really\n%no\n (1. d4 {no} (1. c4) d5 1-0) 1... e5!? {b\nc} 2.Nf3(2. f4) 0-1";
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(show(&game), "{before} e2e4 {good really} e7e5 {b c} g1f3 0-1");
        let nags: Vec<&[Nag]> = game.moves.iter().map(|played| &*played.nags).collect();
        assert_eq!(nags, [&[Nag::GOOD][..], &[Nag::INTERESTING], &[]]);
    }

    #[test]
    fn games_follow_each_other() {
        assert_eq!(
            read("1. e4 * 1. d4 1/2-1/2\n\n1.c4 1-0 {what a game}"),
            ["e2e4 *", "d2d4 1/2-1/2", "c2c4 {what a game} 1-0"]
        );
        assert_eq!(read(""), [""; 0]);
        assert_eq!(read("\n{nothing}\n\u{1a}"), [""; 0]);
        // Without results.
        let without = ["e2e4 * | 5:1 the game ends without a result", "d2d4 * | 8:1 the game ends without a result"];
        assert_eq!(read("[White \"a\"]\n\n1. e4\n\n[White \"b\"]\n\n1. d4\n"), without);
        // With a result only in the tag, and with a different one there.
        let tagged = |moves: &str| format!("[Event \"a\"]\n[Result \"1-0\"]\n\n{moves}\n");
        let results: Vec<GameResult> = ["1. e4 *", "1. e4", "1. e4 0-1"]
            .map(|moves| PgnReader::new(tagged(moves).as_bytes()).next().unwrap().unwrap().result)
            .to_vec();
        assert_eq!(results, [GameResult::WhiteWins, GameResult::WhiteWins, GameResult::BlackWins]);
        // Without moves.
        let text = "[Event \"a\"]\n[Result \"1-0\"]\n\n[Event \"b\"]\n[Result \"0-1\"]\n";
        assert_eq!(PgnReader::new(text.as_bytes()).count(), 2);
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

    /// What cannot be read costs a game; anything else the rest of its line, at most.
    #[test]
    fn problems_are_told() {
        let text = "[Event \"1\"]\n\n1. e4 e5\n2. Ké5 Nf6 {[%clk 1:00] 1-0} (1-0) 1-0\n\n\
                    [Event \"2\"]\n[FEN \"x w\"]\n\n1. e4 *\n\
                    [Event \"3\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\
                    [Event \"4\"]\n\n1. e4 (1. d4 1-0\n\n\
                    [Event \"5\"\n[Site x]\n\n1. e4 1-0\n\
                    [Event \"6\"]\n\n1. e4 {open\n1-0\n\n\
                    [Event \"7\"]\n\n1. e4 ) e5 1-0\n1. e4 -- 2. d4 *\n\
                    [Event \"9\"]\n\n1. e4 1-0\n";
        let expected = [
            "e2e4 e7e5 {Ké5 Nf6 ((%clk 1:00) 1-0) (1-0)} 1-0 | 4:4 invalid move 'Ké5'",
            "game 2, line 7, column 1: invalid FEN: unexpected 'x' in the board at column 1",
            "game 3, line 11, column 1: unsupported variant 'Atomic'",
            "e2e4 * | 18:1 unterminated variation | 18:1 the game ends without a result",
            "e2e4 1-0 | 19:1 invalid tag: expected a name and a quoted value, such as [Event \"?\"]",
            "e2e4 {open 1-0} * | 24:7 unterminated comment | 27:1 the game ends without a result",
            "e2e4 e7e5 1-0 | 29:7 unexpected ')'",
            "e2e4 {-- 2. d4} * | 30:7 a null move cannot be played",
            "e2e4 1-0",
        ];
        assert_eq!(read(text), expected);
        let strict: Vec<bool> =
            PgnReader::new(text.as_bytes()).strictness(Strictness::Strict).map(|game| game.is_ok()).collect();
        assert_eq!(strict, [false, false, false, false, false, false, false, false, true]);
    }

    /// Each row is the movetext of a game, and how it is read.
    #[track_caller]
    fn are_read(rows: &[(&str, &str)]) {
        for (moves, expected) in rows {
            assert_eq!(read(moves), [*expected], "{moves}");
        }
    }

    #[test]
    fn periods_are_tokens() {
        are_read(&[
            ("1.e4.e5.2.Nf3 *", "e2e4 e7e5 g1f3 *"),
            ("1. e4 ...e5 2 . Nf3. 2. ... Nc6. *", "e2e4 e7e5 g1f3 b8c6 *"),
            ("1. e4 e5 2. *", "e2e4 e7e5 *"),
            ("1\u{2026}e4 \u{2026}e5 *", "e2e4 e7e5 *"),
            ("1. e4 d5 2. e5 f5 3. exf6 e.p.+ *", "e2e4 d7d5 e4e5 f7f5 e5f6 *"),
            ("1. e4 d5 2. e5 f5 3. exf6e.p. *", "e2e4 d7d5 e4e5 f7f5 e5f6 *"),
            ("1. e4 e5 2. Bb5 c6 3. Bxc6 dis.ch. dxc6 dbl. *", "e2e4 e7e5 f1b5 c7c6 b5c6 d7c6 *"),
        ]);
    }

    #[test]
    fn results_are_written_in_many_ways() {
        for draw in ["1/2-1/2", "1/2", "1/2 - 1/2", "0.5-0.5", "0,5-0,5", "\u{bd}-\u{bd}", "1/2\u{2212}1/2", "\u{bd}"] {
            are_read(&[(&format!("1. e4 e5 {draw}"), "e2e4 e7e5 1/2-1/2")]);
            assert_eq!(read(&format!("[Result \"{draw}\"]\n\n1. e4 e5 {draw}")).len(), 1);
        }
        for dash in ["-", "\u{2010}", "\u{2011}", "\u{2013}", "\u{2014}", "\u{2212}"] {
            let castling = format!("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O{dash}O Nf6 0{dash}1");
            are_read(&[(&castling, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 0-1")]);
        }
    }

    #[test]
    fn letters_that_look_like_latin_ones_are_read_where_that_is_safe() {
        are_read(&[
            ("1. \u{435}4 \u{441}5 2. Nf3 d6 3. d4 \u{441}\u{445}d4 *", "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 *"),
            // It may be a knight.
            ("1. \u{41a}f3 d5 *", "{\u{41a}f3 d5} * | 1:4 invalid move '\u{41a}f3'"),
            ("1. e4\u{203c} e5 \u{2049} *", "e2e4 e7e5 *"),
        ]);
    }

    /// A letter that stands for a glyph belongs to a move before it.
    #[test]
    fn a_piece_that_stands_alone_is_no_glyph() {
        are_read(&[
            ("1. e4 e5 2. N f3 N c6 *", "e2e4 e7e5 {N f3 N c6} * | 1:13 invalid move 'N'"),
            ("N f3 *", "{N f3} * | 1:1 invalid move 'N'"),
            ("1. e4 N e5 2. Nf3 N *", "e2e4 e7e5 g1f3 *"),
            ("1. ch e4 *", "{ch e4} * | 1:4 invalid move 'ch'"),
        ]);
    }

    #[test]
    fn null_moves_end_a_line() {
        for null in ["--", "--+", "Z0", "Z0#", "<>", "@@@@", "null", "0000"] {
            let expected = format!("e2e4 {{{null} 2. d4}} 1-0 | 1:7 a null move cannot be played");
            are_read(&[(&format!("1. e4 {null} 2. d4 1-0"), &expected)]);
        }
    }

    #[test]
    fn other_characters_are_never_dropped() {
        are_read(&[
            ("1. e4 <x 1> e5 *", "e2e4 e7e5 * | 1:7 '<' is reserved for extensions of PGN"),
            ("1. <e4 e5 *", "e2e4 e7e5 * | 1:4 '<' is reserved for extensions of PGN"),
            ("1. e4 [e5 2. Nf3 *", "e2e4 {(e5 2. Nf3} * | 1:7 unexpected '['"),
            ("1. e4 e5] 2. Nf3 *", "e2e4 e7e5 {) 2. Nf3} * | 1:9 unexpected ']'"),
            ("1. e4 e5\" 2. Nf3 *", "e2e4 e7e5 {\" 2. Nf3} * | 1:9 unexpected '\"'"),
            ("1. e4 *e5 2. Nf3 1-0", "e2e4 {*e5 2. Nf3} 1-0 | 1:7 unexpected '*'"),
            ("1. e4 5 2. Nf3 Nc6 *", "e2e4 {5 2. Nf3 Nc6} * | 1:7 invalid move '5'"),
            ("1. e4 e5 2. Nf3 d6 ch *", "e2e4 e7e5 g1f3 d7d6 {ch} * | 1:20 invalid move 'ch'"),
            ("1. e4 e5 2. Nf3 3 *", "e2e4 e7e5 g1f3 * | 1:19 invalid move '3'"),
            ("1. e4 d5 2. Nf3 N$5 *", "e2e4 d7d5 g1f3 {N$5} * | 1:17 invalid move 'N'"),
            ("1. e4 (1. d4 (1. x 2) d5 (y)) e5 *", "e2e4 e7e5 *"),
        ]);
    }

    /// What holds no move does not end a line.
    #[test]
    fn stray_braces_and_unknown_glyphs_are_skipped() {
        are_read(&[
            ("1. b3 } b6 *", "b2b3 b7b6 * | 1:7 unexpected '}'"),
            (
                "1. b3 {solid {if slow}} b6 *",
                "b2b3 {solid {if slow} b7b6 * | 1:7 '{' in a comment | 1:23 unexpected '}'",
            ),
            (
                "1. b3 $300 b6 $ *",
                "b2b3 b7b6 * | 1:7 no glyph has this number: '$300' | 1:15 no glyph has this number: '$'",
            ),
            ("1. b3 $b6 2. g3 *", "b2b3 {$b6 2. g3} * | 1:7 invalid move '$b6'"),
        ]);
    }

    /// A blank line does not end a game, so games without results and tags are read as one.
    #[test]
    fn move_numbers_that_go_back_are_told() {
        are_read(&[
            (
                "1. b3 b6\n\n1. g3 g6 *",
                "b2b3 b7b6 g2g3 g7g6 * | 3:1 move number 1 behind 1: perhaps a result is missing before it",
            ),
            (
                "1. b3 b6 2. g3 g6\n\n1. a3 *",
                "b2b3 b7b6 g2g3 g7g6 a2a3 * | 3:1 move number 1 behind 2: perhaps a result is missing before it",
            ),
            (
                "1. b3 {quiet}\n\n1... b6 (1... d5 2. Bb2 Nf6) 2. g3 2... g6 3. a3 *",
                "b2b3 {quiet} b7b6 g2g3 g7g6 a2a3 *",
            ),
            ("1. b3 1. b6 7. g3 *", "b2b3 b7b6 g2g3 *"),
        ]);
    }

    #[test]
    fn a_mark_ends_a_word() {
        are_read(&[
            ("1.d4!d5?!2.c4?!e6!!3.Nc3!0-1", "d2d4 d7d5 c2c4 e7e6 b1c3 0-1"),
            ("1. d4 !d5 ??*", "d2d4 d7d5 *"),
            ("1. d4!=d5 *", "{d4!=d5} * | 1:4 invalid move 'd4!=d5'"),
        ]);
        let tree = TreeReader::new("1. d4!d5?!1/2".as_bytes()).next().unwrap().unwrap();
        let nags: Vec<&[Nag]> = tree.main_line().map(|node| tree.nags(node)).collect();
        assert_eq!(nags, [[Nag::GOOD], [Nag::DUBIOUS]]);
    }

    #[test]
    fn the_result_of_the_moves_counts() {
        let game = |tag: &str, moves: &str| read(&format!("[Result \"{tag}\"]\n\n{moves}")).join(" ");
        assert_eq!(game("1-0", "1. e4 1-0"), "e2e4 1-0");
        assert_eq!(game("1-0", "1. e4 0-1"), "e2e4 0-1 | 3:7 the tag Result says 1-0, the movetext 0-1");
        assert_eq!(game("1-0", "1. e4 *"), "e2e4 1-0 | 3:7 the tag Result says 1-0, the movetext *");
        assert_eq!(game("*", "1. e4 0-1"), "e2e4 0-1 | 3:7 the tag Result says *, the movetext 0-1");
        let without = "3:6 the game ends without a result";
        assert_eq!(game("1-0", "1. e4"), format!("e2e4 1-0 | {without}, where the tag Result says 1-0"));
        assert_eq!(game("*", "1. e4"), format!("e2e4 * | {without}"));
    }

    /// A file that was cut off tells it, wherever the cut is.
    #[test]
    fn a_game_that_is_cut_off_is_told() {
        let text = "[Event \"a\"]\n[Result \"*\"]\n\n1. e4 {b c} (1. d4 d5) e5 $1 2. Nf3 Nc6 *";
        for end in 1..text.len() {
            let game = PgnReader::new(&text.as_bytes()[..end]).next().unwrap().unwrap();
            let last = game.problems.last().map(|problem| problem.to_string()).unwrap();
            assert!(last.ends_with(": the game ends without a result; it may have been cut off"), "{end}: {last}");
            let mut strict = PgnReader::new(&text.as_bytes()[..end]).strictness(Strictness::Strict);
            assert!(strict.next().unwrap().is_err(), "{end}");
        }
        assert_eq!(read(text), ["e2e4 {b c} e7e5 g1f3 b8c6 *"]);
        assert_eq!(
            ["1. e4 e5", "1. e4 {b", "1. e4 (1. d4", "[A \"a\"]\n[B \"b"].map(|text| read(text).concat()),
            [
                "e2e4 e7e5 * | 1:9 the game ends without a result",
                "e2e4 {b} * | 1:7 unterminated comment | 1:9 the game ends without a result",
                "e2e4 * | 1:13 unterminated variation | 1:13 the game ends without a result",
                "* | 2:1 invalid tag: expected a name and a quoted value, such as [Event \"?\"] \
                 | 2:6 the game ends without a result",
            ]
        );
    }

    #[test]
    fn comments_behind_the_result_are_kept() {
        assert_eq!(read("1. e4 * {a} ; b\n{c}\n\n{d} 1. d4 *\n"), ["e2e4 {a b c} *", "{d} d2d4 *"]);
        assert_eq!(read("[A \"1\"]\n\n* {a}\n[A \"2\"]\n\n{b}*").len(), 2);
        let text = "1. e4 1-0 White wins (34) {34} 1-0\n\n1. d4 1-0 0-1 1-0\n1. c4 1-0 2. Nf3 1-0\n1. c4 *";
        let expected = [
            "e2e4 {34} 1-0 | 1:11 unexpected text after the result: 'White'",
            "d2d4 1-0 | 3:11 unexpected text after the result: '0-1'",
            "c2c4 1-0 | 4:11 unexpected text after the result: '2'",
            "c2c4 *",
        ];
        assert_eq!(read(text), expected);
    }

    #[test]
    fn malformed_tags_cost_themselves() {
        let tags = "[Event \"a\"]\n[White ACPL \"2\"]\n[]\nBlack \"b\"]\n[Site \"c\"]\n[Event \"d\"]\n\n1. e4 *\n\n";
        let mut reader = PgnReader::new(tags.as_bytes());
        let game = reader.next().unwrap().unwrap();
        assert_eq!((show(&game).as_str(), game.tag("Event"), game.tag("Site")), ("e2e4 *", Some("a"), Some("c")));
        let lines: Vec<usize> = game.problems.iter().map(|problem| problem.line).collect();
        assert_eq!((lines, reader.next().is_none()), (vec![2, 3, 4, 6], true));
    }

    /// A backslash before the last quotation mark of a line is a part of the value.
    #[test]
    fn a_value_may_end_with_a_backslash() {
        let text = "[Source \"D:\\books\\\"]\n[Site \"a \\\"b\\\"\" ]\n[Round \"\\\"]  \n[Black \"c\\\\\"]\n\n1. g3 *";
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let tags: Vec<&str> = ["Source", "Site", "Round", "Black"].iter().filter_map(|name| game.tag(name)).collect();
        assert_eq!(tags, ["D:\\books\\", "a \"b\"", "\\", "c\\"]);
        assert_eq!(game.problems, []);
    }

    /// Tags behind a blank line begin a game only if one of their names is there already.
    #[test]
    fn repeated_tags_begin_a_game_behind_a_blank_line() {
        let section = |n: usize| format!("[Event \"{n}\"]\n[FEN \"8/8/8/8/8/{n}k{}/8/4K3 w - - 0 1\"]\n", 7 - n);
        assert_eq!(read(&format!("{}\n{}\r\n{}", section(1), section(2), section(5))).len(), 3);
        assert_eq!(read("[Event \"a\"]\n\n[Site \"b\"]\n\n1. e4 *\n"), ["e2e4 *"]);
        let twice = read("[White \"a\"]\n[White \"b\"]\n\n1. e4 *");
        assert_eq!(twice, ["e2e4 * | 2:1 repeated tag 'White'"]);
    }

    /// A comment may contain a game. Only where its brace is missing, the next game is found.
    #[test]
    fn comments_end_at_their_brace() {
        let inner = "[Event \"x\"]\n[Site \"y\"]\n\n1. d4 d5 1-0";
        let text = format!("[Event \"a\"]\n\n1. e4 {{see\n\n{inner}}} e5 *\n\n[Event \"b\"]\n\n1. c4 *\n");
        let games: Vec<PgnGame> = PgnReader::new(text.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(games.len(), 2);
        assert!(games[0].moves.len() == 2 && games[0].problems.is_empty());
        let open = format!("[Event \"a\"]\n\n1. e4 {{see\n\n{inner}\n\n[Event \"b\"]\n\n1. c4 {{x}} *\n");
        let expected = [
            "e2e4 {see} * | 3:7 unterminated comment | 5:1 the game ends without a result",
            "d2d4 d7d5 1-0",
            "c2c4 {x} *",
        ];
        assert_eq!(read(&open), expected);
        assert_eq!(
            read("1. {e4 {best} e5 *"),
            ["{e4 {best e5} * | 1:4 '{' in a comment | 1:15 no legal move matches 'e5'"]
        );
    }

    #[test]
    fn captures_are_not_written_as_advances() {
        are_read(&[("1. e4 d5 2. d5 Qxd5 *", "e2e4 d7d5 e4d5 d8d5 * | 1:13 'd5' is a capture in this position")]);
        let strict = |moves: &str| PgnReader::new(moves.as_bytes()).strictness(Strictness::Strict).next().unwrap();
        assert!(strict("1. e4 d5 2. exd5 Qxd5 *").is_ok());
        for moves in ["1. e4 d5 2. d5 *", "1. e4 d5 2. ed5 *", "1. Ng1f3 *", "1. f3 e5 2. g4 Qh4 *"] {
            let error = strict(moves).unwrap_err().to_string();
            assert!(error.contains("is not standard notation"), "{error}");
        }
    }

    /// Only the tag `Variant` makes a game one of Chess960.
    #[test]
    fn castling_rights_of_chess960_need_the_tag() {
        let text = |tag: &str| format!("[FEN \"4k3/8/8/8/8/8/8/5KR1 w G - 0 1\"]\n{tag}\n1. O-O *\n");
        assert_eq!(read(&text("[Variant \"Chess960\"]\n")), ["f1g1 *"]);
        let dropped = "castling rights G exist only in Chess960, which no tag Variant names";
        assert_eq!(read(&text("")), [format!("{{O-O}} * | 3:1 {dropped} | 3:4 illegal move 'O-O'")]);
        let tree = TreeReader::new(text("").as_bytes()).next().unwrap().unwrap();
        assert_eq!((tree.problems().len(), tree.start().to_fen().as_str()), (2, "4k3/8/8/8/8/8/8/5KR1 w - - 0 1"));
    }

    #[test]
    fn variations_are_checked_on_request() {
        let text = "1. e4 e5 (1... c5 2. Ke3 Nf6) (1... d5 2. exd5 (2. e5 (2. d4)) Qxd5) 2. Nf3 *";
        let check = |check| PgnReader::new(text.as_bytes()).check_variations(check).next().unwrap();
        assert_eq!(show_all(check(false)), "e2e4 e7e5 g1f3 *");
        assert_eq!(show_all(check(true)), "e2e4 e7e5 g1f3 * | 1:22 no legal move matches 'Ke3'");
    }

    #[test]
    fn variations_begin_before_any_move() {
        let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7";
        let text: String = moves.split(' ').map(|mv| format!("{mv} ({mv} ({mv})) ")).chain(["*".into()]).collect();
        let mut reader = PgnReader::new(text.as_bytes()).check_variations(true);
        let game = reader.next().unwrap().unwrap();
        assert_eq!((game.moves.len(), game.problems.len()), (20, 0));
        assert_eq!(reader.last_position(), game.to_game().unwrap().position());
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
        assert_eq!(read(&text), ["game 1, line 1, column 7: too long: a comment of more than 1 MiB", "d2d4 *"]);
        let dance = "Nf3 Nf6 Ng1 Ng8\n".repeat(1 << 18);
        let found = read(&format!("{dance}1-0 1. d4 *"));
        assert!(found[0].ends_with("too long: a game of more than 16 MiB"));
        assert_eq!(found[1], "d2d4 *");
        let word = "x".repeat(10 << 20);
        let text = format!("1. {word} 1-0\n1. e4 {word}! 1-0 1. d4 *");
        let games: Vec<PgnGame> = PgnReader::new(text.as_bytes()).map(Result::unwrap).collect();
        let problems: Vec<String> =
            games.iter().flat_map(|game| &game.problems).map(|problem| problem.to_string()).collect();
        assert_eq!((games.len(), problems.len()), (3, 2));
        assert!(problems[0].starts_with("line 1, column 4: invalid move 'xxx") && problems[0].len() < 150);
        assert!(problems[1].starts_with("line 2, column 7: invalid move 'xxx") && problems[1].len() < 150);
        let tags = format!("[A \"{word}\"] 1. e4 *\n[B \"x\"]\n1. d4 *");
        assert_eq!(read(&tags), ["d2d4 * | 1:1 the tag is longer than 128 KiB"]);
        let open = read(&format!("1. e4 {{{word}"));
        let end = 8 + word.len();
        let problems = format!("1:7 unterminated comment | 1:{end} the game ends without a result");
        assert_eq!(open, [format!("e2e4 * | {problems}")]);
    }

    #[test]
    fn a_line_may_be_long() {
        let spaces = " ".repeat(10 << 20);
        assert_eq!(read(&format!("1. e4{spaces}e5 * {spaces}\n 1. d4 *")), ["e2e4 e7e5 *", "d2d4 *"]);
        let one_line = "[Event \"x\"][Round \"1\"] 1. e4 {a} (1. d4) e5 * ".repeat(200_000);
        let mut reader = PgnReader::new(one_line.as_bytes());
        assert_eq!(reader.by_ref().filter(Result::is_ok).count(), 200_000);
        let broken = "} ] ) \" ".repeat(1 << 20) + "*";
        let game = PgnReader::new(broken.as_bytes()).next().unwrap().unwrap();
        assert_eq!(game.problems.len(), 2);
    }

    #[test]
    fn variations_may_be_deep() {
        let deep = format!("1. e4 {} e5 * 1. d4 *", "(1. d4 ".repeat(500_000) + &")".repeat(500_000));
        assert_eq!(read(&deep), ["e2e4 e7e5 *", "d2d4 *"]);
        let open = format!("1. e4 {} *\n[Event \"x\"]\n1. d4 *", "(".repeat(1_000_000));
        assert_eq!(read(&open), ["e2e4 * | 2:1 unterminated variation | 2:1 the game ends without a result", "d2d4 *"]);
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
            let games: Vec<String> = PgnReader::new(Drops(text.as_bytes(), size)).map(show_all).collect();
            assert_eq!(games, whole, "{size}");
        }
    }

    #[test]
    fn what_precedes_an_error_is_kept() {
        let text = "[White \"a\"]\n[Opening \"b\"]\n\n1. e4 {c} e5 2. Ke3 {d} Nf6\n(e) 0-1\n\n\
                    [White \"f\"]\n\n1. d4 *\n1. Q *";
        let mut reader = PgnReader::new(text.as_bytes()).strictness(Strictness::Strict);
        let mut game = PgnGame::default();
        assert!(reader.read_next(&mut game).unwrap().is_err());
        assert_eq!((show(&game).as_str(), game.tags.len()), ("e2e4 {c} e7e5 0-1", 2));
        assert!(reader.read_next(&mut game).unwrap().is_ok());
        assert_eq!((show(&game).as_str(), game.tags.len()), ("d2d4 *", 1));
        assert!(reader.read_next(&mut game).unwrap().is_err());
        assert_eq!((show(&game).as_str(), game.tags.len()), ("*", 0));
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
