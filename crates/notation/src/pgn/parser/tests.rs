//! What visitors are told.

use super::*;
use crate::pgn::{GameResult, MoveText, Nag, TagValue};

/// Records the values of tags, moves and results, and skips the movetext of some games.
#[derive(Default)]
struct Notes {
    text: String,
    skips: bool,
}

impl Visitor for Notes {
    type Output = String;

    fn begin_game(&mut self) {
        self.text.clear();
    }

    fn tag(&mut self, name: &str, value: TagValue<'_>) -> Result<(), PgnErrorKind> {
        self.text += &format!("{name}={} ", value.decode());
        Ok(())
    }

    fn begin_moves(&mut self) -> Result<Interest, PgnErrorKind> {
        Ok(if self.skips { Interest::Skip } else { Interest::Read })
    }

    fn san(&mut self, text: MoveText<'_>) -> Result<(), PgnErrorKind> {
        self.text += &format!("{} ", text.decode());
        Ok(())
    }

    fn begin_variation(&mut self) -> Interest {
        self.text.push('(');
        Interest::Read
    }

    fn end_variation(&mut self) {
        self.text.push(')');
    }

    fn result(&mut self, result: GameResult) -> Result<(), PgnErrorKind> {
        if !self.skips {
            self.text += result.as_str();
        }
        Ok(())
    }

    fn end_game(&mut self) -> String {
        self.text.clone()
    }
}

struct Drops<'a>(&'a [u8], usize);

impl Read for Drops<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let length = self.1.min(to.len());
        self.0.take(length as u64).read(to).inspect(|&length| self.0 = &self.0[length..])
    }
}

fn games(text: &str, size: usize, skips: bool) -> Vec<String> {
    let mut parser = PgnParser::new(Drops(text.as_bytes(), size));
    let mut notes = Notes { skips, ..Notes::default() };
    std::iter::from_fn(|| parser.read_game(&mut notes).unwrap()).collect()
}

const TEXT: &str = "[A \"x\"]\n[B_1 \"a\\\\b\"]\n\n1. e4 O-O (1. d4 {1-0 [C \"x\"]} (c4 1-0)) 0-0-0 \
                    e8(Q) $3 !? -- 1-0\n\
                    [A \"1\"]1.d4{a}d5;1-0\n*\n%[A \"x\"]\n1. e4 1/2 1. c4 \u{bd}-\u{bd}\n\
                    [A \"2\"]\n\n1. e4 {open\n[Event \"3\"]\n[A  \"4\" ]\n\n1. f4 Nf6 2. \
                    xxxxxxxxxxxxxxxxxxxxxxxxx 0-1\n\
                    [A \"5\"]\n[A 6]\n\n1. g3 (1. g4 [A \"7\"]\n\n* [A \"8\"]";

#[test]
fn a_visitor_is_told_everything() {
    let expected = [
        "A=x B_1=a\\b e4 O-O (d4 (c4 ))0-0-0 e8(Q) -- 1-0",
        "A=1 d4 d5 *",
        "e4 1/2-1/2",
        "c4 1/2-1/2",
        "A=2 e4 ",
        "Event=3 A=4 f4 Nf6 xxxxxxxxxxxxxxxxxxxxxxxxx 0-1",
        "A=5 g3 (g4 )",
        "A=7 *",
        "A=8 ",
    ];
    assert_eq!(games(TEXT, 1 << 20, false), expected);
}

#[test]
fn results_that_are_not_in_the_standard_end_a_game() {
    let text = "1. e4 1/2 - 1/2 1. d4 1/2-0 1. c4 0-\u{bd} 1. f4 1/2  - 1. g4 1/2 -\n1/2 * ";
    let expected = ["e4 1/2-1/2", "d4 *", "c4 *", "f4 1/2-1/2", "g4 1/2-1/2"];
    // Castling is written like that, too.
    let lost = "[Result \"0-0\"]\n\n1. e4 0-0 (0-0) 2. Nf3 0-0\n\n[Result \"*\"]\n\n1. d4 0-0";
    let by_both = ["Result=0-0 e4 0-0 (0-0 )Nf3 *", "Result=* d4 0-0 "];
    for size in [1, 3, 1 << 20] {
        assert_eq!(games(text, size, false), expected, "{size}");
        assert_eq!(games(lost, size, false), by_both, "{size}");
        assert_eq!(games(lost, size, true), ["Result=0-0 ", "Result=* "], "{size}");
    }
}

#[test]
fn what_follows_a_result_up_to_a_blank_line_is_no_game() {
    let text = "[A \"1\"]\n\n1. e4 1-0\n1-0\n\n[A \"2\"]\n1. d4 1-0 White wins, 34 moves (1. x {)} [B \"x\"]\n\
                1. c4 1/2 (1. c4 {agreed)} ; )\n1-0) \u{bd}-\u{bd} $1 \" -- Ke2 Nf6\n% 1. d4\n*\r\n\r\n\
                1. Nf3 0-1 Black\u{a0}won 1...x *!\u{a0}b3 * 0-1 2 a4 0-1 )\n\
                {b} White wins 1-0 \n\nx \n\n * 1-0\n\u{feff}[A \"3\"]\n* ({";
    let expected = ["A=1 e4 1-0", "A=2 d4 1-0", "B=x c4 1/2-1/2", "Nf3 0-1", "x *", "x *", "A=3 *"];
    for size in [1, 3, 1 << 20] {
        assert_eq!(games(text, size, false), expected, "{size}");
    }
}

#[test]
fn a_result_behind_a_comment_is_no_game() {
    let text = "1. e4 1-0 {Black resigns} 1-0\n\n1. d4 0-1 ; White resigns\n0-1 1-0 {b}\n1. c4 * {c}\n\n1-0 \
                1. f4 * {d}1/2-1/2 {e}*\n\n\
                1. e3 1-0 {a} {b\n\n} ; 0-1\n% *\n1-0\n\n\
                1. d3 * {a} {b} 1. c3 * {a}\n{b}\n\n1-0";
    let expected = ["e4 1-0", "d4 0-1", "c4 *", "1-0", "f4 *", "e3 1-0", "d3 *", "c3 *", "1-0"];
    for size in [1, 3, 1 << 20] {
        assert_eq!(games(text, size, false), expected, "{size}");
    }
}

#[test]
fn a_faulty_comment_belongs_to_the_game_in_front_of_it_up_to_a_blank_line() {
    #[derive(Default)]
    struct Faults(Vec<String>);
    impl Visitor for Faults {
        type Output = ();
        fn san(&mut self, _: MoveText<'_>) -> Result<(), PgnErrorKind> {
            Ok(())
        }
        fn fault(&mut self, error: PgnError) {
            self.0.push(error.to_string());
        }
        fn end_game(&mut self) {}
    }
    let long = "c4 ".repeat(700_000);
    for (text, fault) in [
        (format!("1. e4 1-0\n{{{long}\n\n1. d4 *"), "unterminated comment"),
        (format!("1. e4 1-0\n{{{long}}} 1-0"), "too long: a comment of more than 1 MiB"),
        ("1. e4 1-0\n{c4\n\n[Event \"?\"] 1. d4 *".to_owned(), "unterminated comment"),
    ] {
        for (text, game) in [(text.clone(), 1), (text.replacen('\n', "\n\n", 1), 2)] {
            let mut parser = PgnParser::new(text.as_bytes());
            let mut visitor = Faults::default();
            while parser.read_game(&mut visitor).unwrap().is_some() {}
            assert_eq!(visitor.0[0], format!("game {game}, line {}, column 1: {fault}", game + 1));
        }
    }
}

#[test]
fn a_first_move_behind_a_result_begins_a_game() {
    let text = "e2e4 1-0\nd2-d4 1-0\n1 Ng1-f3 0-1\nNg1f3 *\nNb1a3! * Nc3\nNg1-e2 *\ne2 *\ne2e5 *\nNc3 *";
    let expected = ["e2e4 1-0", "d2-d4 1-0", "Ng1-f3 0-1", "Ng1f3 *", "Nb1a3 *", "Nc3 *"];
    for size in [1, 3, 1 << 20] {
        assert_eq!(games(text, size, false), expected, "{size}");
    }
}

#[test]
fn glyphs_are_attached_to_moves() {
    #[derive(Default)]
    struct Glyphs(String);
    impl Visitor for Glyphs {
        type Output = String;
        fn san(&mut self, text: MoveText<'_>) -> Result<(), PgnErrorKind> {
            self.0 += &format!("{} ", text.decode());
            Ok(())
        }
        fn nag(&mut self, nag: Nag) {
            self.0 += &format!("{nag} ");
        }
        fn end_game(&mut self) -> String {
            std::mem::take(&mut self.0)
        }
    }
    let text = "1. e4+- e5-+ 2. Nf3!? Qh4+ 3. Qxf7+!\u{b1} O-O= 4. e8=Q+/- exd1=N+=/+ \
                5. O-O-O!!! 6. Ra1#+- 0-0+\u{2212} 7. d4\u{221e} e8(Q)+= *";
    let expected = "e4 $18 e5 $19 Nf3 $5 Qh4+ Qxf7+ $1 $16 O-O $10 e8=Q $16 exd1=N+ $15 O-O-O $3 \
                    Ra1# $18 0-0 $18 d4 $13 e8(Q) $14 ";
    let letters = "1. e4 N (1. d4 N) e5 D 2. Nf3 RR Nc6 ! R 3. e8R e1=R! *";
    let numbers = "e4 $146 e5 $201 Nf3 $145 Nc6 $1 $144 e8R e1=R $1 ";
    for size in [1, 3, 1 << 20] {
        for (text, expected) in [(text, expected), (letters, numbers)] {
            let mut parser = PgnParser::new(Drops(text.as_bytes(), size));
            assert_eq!(parser.read_game(&mut Glyphs::default()).unwrap().as_deref(), Some(expected), "{size}");
        }
    }
}

#[test]
fn a_carriage_return_ends_a_comment_of_a_line() {
    let text = "[A \"1\"]\r\r1. e4 ;best\re5 *\r\r[A \"2\"]\r\r1. d4 ;1-0\r*\r";
    for size in [1, 7, 1 << 20] {
        assert_eq!(games(text, size, false), ["A=1 e4 e5 *", "A=2 d4 *"], "{size}");
        assert_eq!(games(text, size, true), ["A=1 ", "A=2 "], "{size}");
    }
}

#[test]
fn the_case_of_names_with_a_meaning_does_not_matter() {
    assert_eq!(games("[Fen \"x\"][SETUP \"1\"][white \"a\"] *", 9, false), ["FEN=x SetUp=1 white=a *"]);
}

#[test]
fn skipped_games_end_where_others_do() {
    let tags = |game: &String| -> String { game.split_inclusive(' ').filter(|word| word.contains('=')).collect() };
    for text in [TEXT.to_owned(), format!("1. {} * {TEXT}", "x".repeat(5_000))] {
        let expected: Vec<String> = games(&text, 1 << 20, false).iter().map(tags).collect();
        for size in [1, 2, 5, 16, 33, 1 << 20] {
            assert_eq!(games(&text, size, true), expected, "{size}");
        }
    }
}

#[test]
fn a_skipped_movetext_may_begin_with_an_open_comment() {
    let mut notes = Notes { skips: true, ..Notes::default() };
    let mut parser = PgnParser::new("{open\n[Event \"x\"]\n\n1. e4 *".as_bytes());
    let games: Vec<String> = std::iter::from_fn(|| parser.read_game(&mut notes).unwrap()).collect();
    assert_eq!(games, ["", "Event=x "]);
}

#[test]
fn a_tag_behind_an_invalid_one_is_read() {
    let mut parser = PgnParser::new("[Event a] [Site \"b\"]\n\n1. e4 *".as_bytes());
    assert_eq!(parser.read_game(&mut Notes::default()).unwrap().as_deref(), Some("Site=b e4 *"));
}
