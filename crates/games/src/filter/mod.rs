//! Conditions on games.
//!
//! Conditions on tags only look at the text; the moves are read if a condition needs them.
//!
//! ```
//! use bartizan_games::filter::{Condition, Filter};
//! use bartizan_notation::pgn::{PgnReader, RawGames};
//!
//! let text = "[White \"Tal, M\"]\n\n1. e4 c5 *\n\n[White \"Tal, M\"]\n\n1. d4 *\n\n[White \"Fine\"]\n\n1. e4 *\n";
//! let player = Condition::Player { color: None, name: "tal".parse()? };
//! let filter = Filter::new(vec![player, Condition::moves("1. e4")?]);
//! let mut found = Vec::new();
//! for raw in RawGames::new(text.as_bytes()) {
//!     let raw = raw?;
//!     found.push(match filter.by_tags(&raw) {
//!         Some(found) => found,
//!         None => PgnReader::new(raw.bytes.as_slice()).flatten().any(|game| filter.by_moves(&raw, &game)),
//!     });
//! }
//! assert_eq!(found, [true, false, false]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod date;
mod eco;
mod ending;
mod material;
mod pattern;
mod time_control;

pub use board::{BoardPattern, BoardPatternError};
pub(crate) use date::days;
pub use date::{DateError, DateRange};
pub use eco::{EcoError, EcoRanges};
pub use ending::{Ending, EndingError};
#[cfg(feature = "parquet")]
pub(crate) use material::counts as material_counts;
pub use material::{MaterialPattern, MaterialPatternError};
pub use pattern::{Pattern, PatternError};
pub use time_control::{Speed, TimeControlRange, TimeControlRangeError, TimeControlTag};

use crate::identity::is_usual_start;
use crate::tags;
use bartizan_book::eco::{Classifier, Opening};
use bartizan_notation::pgn::{MatchComment, PgnGame, RawGame};
use bartizan_notation::san::{SanError, parse_san, split_moves};
use bartizan_position::Position;
use bartizan_types::{Color, GameResult, Move, Variant};
use std::fmt;
use std::ops::{ControlFlow, RangeInclusive};

/// Which player's rating counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Players {
    /// Both players'.
    Both,
    /// Either player's.
    Either,
    /// This player's.
    One(Color),
}

/// What the comments of a game must contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Annotated {
    /// Clock times, `[%clk …]`, or times per move, `[%emt …]`.
    Clocks,
    /// Evaluations, `[%eval …]`.
    Evals,
    /// Any comment.
    Comments,
}

/// A condition on a game.
#[non_exhaustive]
pub enum Condition {
    /// A player's name matches.
    Player {
        /// The colour of the player; `None` for either.
        color: Option<Color>,
        /// The name.
        name: Pattern,
    },
    /// The result is one of these. The tag decides, or the moves if the tag is missing or unknown.
    Result(Vec<GameResult>),
    /// The number of plies of the main line.
    Plies(RangeInclusive<usize>),
    /// Ratings, by the tags `WhiteElo` and `BlackElo`. An unknown rating is never in range.
    Rating(Players, RangeInclusive<u32>),
    /// The ECO code: from the tag, or from the last known position of the game.
    Eco {
        /// The codes.
        codes: EcoRanges,
        /// Whether to use the positions instead of the tag.
        by_position: bool,
    },
    /// The name of the opening: from the tags `Opening` and `Variation`, or from the last known position.
    Opening {
        /// The name; opening and variation are separated by `: `.
        name: Pattern,
        /// Whether to use the positions instead of the tags.
        by_position: bool,
    },
    /// The tag `TimeControl`.
    TimeControl(TimeControlRange),
    /// The tag `Date`, or `UTCDate`.
    Date(DateRange),
    /// A tag has a matching value. A game without the tag does not match.
    Tag(String, Pattern),
    /// The game reaches such a position, including the start position.
    Position(BoardPattern),
    /// The game starts from the initial position of chess with these moves.
    Moves(Vec<Move>),
    /// This many consecutive positions have the material.
    Material(MaterialPattern, usize),
    /// The last position has the material.
    FinalMaterial(MaterialPattern),
    /// The game ends in one of these ways.
    Ending(Vec<Ending>),
    /// The variant, by the tag `Variant`.
    Variant(Variant),
    /// The contents of the comments.
    Annotated(Annotated),
    /// A custom condition on the checked moves.
    Custom(Box<dyn Fn(&PgnGame) -> bool + Send + Sync>),
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Condition").finish_non_exhaustive()
    }
}

impl Condition {
    /// A condition that a game begins with these moves, in SAN or coordinates, with or without move numbers.
    ///
    /// # Errors
    /// [`SanError`] if a move is not legal.
    pub fn moves(text: &str) -> Result<Self, SanError> {
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        for san in split_moves(text) {
            let mv = parse_san(&position, san)?;
            position.make_unchecked(mv);
            moves.push(mv);
        }
        Ok(Self::Moves(moves))
    }

    /// Whether a game's text fulfils the condition; `None` if its moves must be read.
    fn by_tags(&self, raw: &RawGame) -> Option<bool> {
        let matches =
            |name: &str, pattern: &Pattern| tags::value(raw, name).is_some_and(|value| pattern.matches(&value));
        Some(match self {
            Self::Player { color: Some(Color::White), name } => matches("White", name),
            Self::Player { color: Some(Color::Black), name } => matches("Black", name),
            Self::Player { color: None, name } => matches("White", name) || matches("Black", name),
            Self::Result(results) => results.contains(&raw.result()),
            Self::Rating(players, range) => {
                let has = |name| tags::rating(raw, name).is_some_and(|rating| range.contains(&rating));
                match players {
                    Players::Both => has("WhiteElo") && has("BlackElo"),
                    Players::Either => has("WhiteElo") || has("BlackElo"),
                    Players::One(Color::White) => has("WhiteElo"),
                    Players::One(Color::Black) => has("BlackElo"),
                }
            }
            Self::Eco { codes, by_position: false } => {
                tags::value(raw, "ECO").is_some_and(|code| codes.contains(&code))
            }
            Self::Opening { name, by_position: false } => {
                let opening = tags::value(raw, "Opening").unwrap_or_default();
                match tags::known(raw, "Variation") {
                    Some(variation) => name.matches(&format!("{opening}: {variation}")),
                    None => name.matches(&opening),
                }
            }
            Self::TimeControl(wanted) => {
                let control = tags::value(raw, "TimeControl").and_then(|value| TimeControlTag::parse(&value));
                control.is_some_and(|control| wanted.contains(&control))
            }
            Self::Date(range) => tags::date(raw).is_some_and(|date| range.contains(&date)),
            Self::Tag(name, pattern) => matches(name, pattern),
            Self::Variant(variant) => tags::variant(raw) == Some(*variant),
            Self::Annotated(what) => what.is_in(raw.movetext()),
            Self::Eco { by_position: true, .. }
            | Self::Opening { by_position: true, .. }
            | Self::Plies(_)
            | Self::Position(_)
            | Self::Moves(_)
            | Self::Material(..)
            | Self::FinalMaterial(_)
            | Self::Ending(_)
            | Self::Custom(_) => return None,
        })
    }

    /// Whether a game fulfils the condition.
    fn by_moves(&self, game: &PgnGame) -> bool {
        match self {
            Self::Result(results) => results.contains(&game.result),
            Self::Plies(range) => range.contains(&game.moves.len()),
            Self::Eco { codes, .. } => opening(game).is_some_and(|opening| codes.contains(opening.code())),
            Self::Opening { name, .. } => opening(game).is_some_and(|opening| name.matches(opening.name())),
            Self::Position(pattern) => walk(game, |position| {
                if pattern.matches(position) {
                    ControlFlow::Break(true)
                } else if pattern.is_possible_after(position) {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(false)
                }
            })
            .unwrap_or(false),
            Self::Moves(moves) => {
                is_usual_start(&game.start)
                    && moves.len() <= game.moves.len()
                    && moves.iter().zip(&game.moves).all(|(mv, played)| *mv == played.mv)
            }
            Self::Material(material, plies) => {
                let mut row = 0;
                walk(game, |position| {
                    row = if material.matches(position) { row + 1 } else { 0 };
                    if row >= (*plies).max(1) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
                .is_some()
            }
            Self::FinalMaterial(material) => material.matches(&last_position(game)),
            Self::Ending(endings) => endings.contains(&Ending::of(game)),
            Self::Custom(condition) => condition(game),
            // The text decides these: `by_tags` always returns an answer.
            Self::Player { .. }
            | Self::Rating(..)
            | Self::TimeControl(_)
            | Self::Date(_)
            | Self::Tag(..)
            | Self::Variant(_)
            | Self::Annotated(_) => true,
        }
    }
}

/// The maximum length of such a program's comment, in bytes: those of TCEC include a line of moves.
const MATCH_COMMENT: usize = 2_000;

impl Annotated {
    fn is_in(self, text: &[u8]) -> bool {
        // A line may end after the command name.
        let has = |name: &[u8]| {
            let is_blank = |at: usize| text.get(at + name.len()).is_some_and(u8::is_ascii_whitespace);
            memchr::memmem::find_iter(text, name).any(is_blank)
        };
        match self {
            Self::Clocks => {
                has(b"[%clk") || has(b"[%emt") || match_comments(text).any(|comment| comment.elapsed.is_some())
            }
            Self::Evals => has(b"[%eval") || match_comments(text).next().is_some(),
            Self::Comments => memchr::memchr2(b'{', b';', text).is_some(),
        }
    }
}

/// The comments of a program for engine matches, whichever move they belong to. Each byte is visited once.
fn match_comments(mut text: &[u8]) -> impl Iterator<Item = MatchComment> {
    let comments = std::iter::from_fn(move || {
        let at = memchr::memchr2(b'{', b';', text)?;
        let end = if text[at] == b'{' { b'}' } else { b'\n' };
        let rest = &text[at + 1..];
        let most = &rest[..rest.len().min(MATCH_COMMENT)];
        let comment = &most[..memchr::memchr(end, most).unwrap_or(most.len())];
        text = &rest[comment.len()..];
        Some(comment)
    });
    comments.filter_map(|comment| MatchComment::parse(&String::from_utf8_lossy(comment), Color::White))
}

/// Passes the positions of a game to a function, from the start position on.
fn walk<T>(game: &PgnGame, mut see: impl FnMut(&Position) -> ControlFlow<T>) -> Option<T> {
    let mut position = game.start.clone();
    for played in &game.moves {
        if let ControlFlow::Break(found) = see(&position) {
            return Some(found);
        }
        position.make_unchecked(played.mv);
    }
    see(&position).break_value()
}

/// The position after the last move.
pub(crate) fn last_position(game: &PgnGame) -> Position {
    let mut position = game.start.clone();
    game.moves.iter().for_each(|played| position.make_unchecked(played.mv));
    position
}

/// The opening of a game according to its positions.
pub fn opening(game: &PgnGame) -> Option<&'static Opening> {
    let mut classifier = Classifier::new();
    walk(game, |position| if classifier.see(position) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) });
    classifier.opening()
}

/// Conditions of which a game must fulfil all, or must not fulfil all.
#[derive(Debug, Default)]
pub struct Filter {
    conditions: Vec<Condition>,
    is_inverted: bool,
}

impl Filter {
    /// Creates a filter for games that fulfil all conditions.
    pub fn new(conditions: Vec<Condition>) -> Self {
        Self { conditions, is_inverted: false }
    }

    /// With `is_inverted`, selects the games that do not fulfil all conditions.
    #[must_use]
    pub fn inverted(mut self, is_inverted: bool) -> Self {
        self.is_inverted = is_inverted;
        self
    }

    /// Whether the game matches, judging by its text; `None` if its moves must be read.
    pub fn by_tags(&self, raw: &RawGame) -> Option<bool> {
        let mut is_decided = true;
        for condition in &self.conditions {
            match condition.by_tags(raw) {
                Some(true) => {}
                Some(false) => return Some(self.is_inverted),
                None => is_decided = false,
            }
        }
        is_decided.then_some(!self.is_inverted)
    }

    /// Whether the game matches. The moves must be legal, as they are in games that a reader has checked.
    pub fn by_moves(&self, raw: &RawGame, game: &PgnGame) -> bool {
        let fulfils = |condition: &Condition| condition.by_tags(raw).unwrap_or_else(|| condition.by_moves(game));
        self.conditions.iter().all(fulfils) != self.is_inverted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::pgn::{PgnReader, RawGames};
    use proptest::prelude::*;

    const GAME: &str = "[Event \"Club\"]\n[Site \"Riga\"]\n[Date \"1960.05.07\"]\n[White \"Tal, Mikhail\"]\n\
                        [Black \"Fine\"]\n[Result \"0-1\"]\n[WhiteElo \"2700\"]\n[BlackElo \"2500\"]\n[ECO \"B20\"]\n\
                        [Opening \"Sicilian\"]\n[Variation \"Closed\"]\n[TimeControl \"180+2\"]\n\n\
                        1. Nf3 {[%clk 0:03:00]} c5 2. e4 d6 3. Ng1 Nc6 0-1\n";

    fn holds(text: &str, condition: Condition) -> bool {
        let raw = RawGames::new(text.as_bytes()).next().unwrap().unwrap();
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let filter = Filter::new(vec![condition]);
        let by_tags = filter.by_tags(&raw);
        let found = filter.by_moves(&raw, &game);
        assert!(by_tags.is_none_or(|by_tags| by_tags == found));
        let inverted = filter.inverted(true);
        assert_eq!(inverted.by_tags(&raw), by_tags.map(|found| !found));
        assert_ne!(inverted.by_moves(&raw, &game), found);
        found
    }

    fn pattern(text: &str) -> Pattern {
        text.parse().unwrap()
    }

    #[test]
    fn conditions_on_tags() {
        let player = |color, name| Condition::Player { color, name: pattern(name) };
        assert!(holds(GAME, player(None, "fine")) && holds(GAME, player(Some(Color::White), "tal")));
        assert!(!holds(GAME, player(Some(Color::Black), "tal")) && !holds("*", player(None, "")));
        assert!(holds(GAME, Condition::Result(vec![GameResult::Draw, GameResult::BlackWins])));
        assert!(!holds(GAME, Condition::Result(vec![GameResult::WhiteWins])));
        assert!(holds("1. e4 1-0", Condition::Result(vec![GameResult::WhiteWins])));
        assert!(holds("[Result \"?\"]\n1. e4 1-0", Condition::Result(vec![GameResult::WhiteWins])));
        assert!(holds("[Result \"*\"]\n1. e4 1-0", Condition::Result(vec![GameResult::WhiteWins])));
        assert!(!holds("[Result \"*\"]\n1. e4 1-0", Condition::Result(vec![GameResult::Unknown])));
        assert!(holds("[Result \"*\"]\n1. e4 *", Condition::Result(vec![GameResult::Unknown])));
        for (players, fewest, expected) in [
            (Players::Both, 2500, true),
            (Players::Both, 2501, false),
            (Players::Either, 2501, true),
            (Players::Either, 2701, false),
            (Players::One(Color::White), 2700, true),
            (Players::One(Color::Black), 2501, false),
        ] {
            assert_eq!(holds(GAME, Condition::Rating(players, fewest..=9999)), expected, "{players:?} {fewest}");
        }
        assert!(!holds("[WhiteElo \"?\"]\n*", Condition::Rating(Players::Either, 0..=9999)));
        let eco = |codes: &str, by_position| Condition::Eco { codes: codes.parse().unwrap(), by_position };
        assert!(holds(GAME, eco("B2", false)) && !holds(GAME, eco("C", false)) && !holds("*", eco("A-E", false)));
        assert!(!holds("*", eco("A-E", true)) && holds(GAME, eco("B20-B50", true)) && !holds(GAME, eco("A", true)));
        let opening = |name, by_position| Condition::Opening { name: pattern(name), by_position };
        assert!(holds(GAME, opening("sicilian: closed", false)) && !holds(GAME, opening("modern", false)));
        assert!(holds(GAME, opening("sicilian defence", true)) && !holds(GAME, opening("french", true)));
        assert!(holds(GAME, Condition::TimeControl("blitz".parse().unwrap())));
        assert!(!holds("*", Condition::TimeControl("blitz".parse().unwrap())));
        assert!(holds(GAME, Condition::Date("1960..1961".parse().unwrap())));
        assert!(holds("[Date \"?\"]\n[UTCDate \"1960.01.01\"]\n*", Condition::Date("1960".parse().unwrap())));
        assert!(holds("[Date \"????.??.??\"]\n[UTCDate \"1960.01.01\"]\n*", Condition::Date("1960".parse().unwrap())));
        assert!(!holds(GAME, Condition::Date("1961..".parse().unwrap())));
        assert!(holds(GAME, Condition::Tag("site".into(), pattern("/^Riga$/"))));
        assert!(!holds(GAME, Condition::Tag("Annotator".into(), pattern(""))));
        assert!(holds(GAME, Condition::Variant(Variant::Standard)));
        assert!(holds("[Variant \"Chess960\"]\n*", Condition::Variant(Variant::Chess960)));
        assert!(holds(GAME, Condition::Annotated(Annotated::Clocks)));
        assert!(holds(GAME, Condition::Annotated(Annotated::Comments)));
        assert!(!holds(GAME, Condition::Annotated(Annotated::Evals)));
        assert!(holds("1. e4 {[%eval\n0.25]} *", Condition::Annotated(Annotated::Evals)));
        assert!(holds("1. e4 {x} e5 {-0.25/9} *", Condition::Annotated(Annotated::Evals)));
        assert!(!holds("1. e4 {1/2-1/2 offered} *", Condition::Annotated(Annotated::Evals)));
        for comment in ["{ +0.35/12 1.2s }", "{[%x 1] -M5/20 2s}", "{+0.57 17/28 583 3}", ";d=9, mt=5, wv=M3\n"] {
            for what in [Annotated::Evals, Annotated::Clocks] {
                assert!(holds(&format!("1. e4 {comment} *"), Condition::Annotated(what)), "{comment}");
            }
        }
        let in_tags = "[Event \"A; B {x} [%eval 1]\"]\n\n1. e4 *";
        assert!(!holds(in_tags, Condition::Annotated(Annotated::Comments)));
        assert!(!holds(in_tags, Condition::Annotated(Annotated::Evals)));
    }

    #[test]
    fn conditions_on_moves() {
        assert!(holds(GAME, Condition::Plies(6..=6)) && !holds(GAME, Condition::Plies(7..=9)));
        let position = |fen: &str| Condition::Position(fen.parse().unwrap());
        // By transposition.
        assert!(holds(GAME, position("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2")));
        assert!(holds(GAME, position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")));
        assert!(holds(GAME, position("*/*/??np*/*/*/*/*/*")));
        assert!(!holds(GAME, position("*/*/*/*/*/*/*/?A??4")));
        assert!(holds(GAME, Condition::moves("1. Nf3 c5 2.e4").unwrap()));
        assert!(holds(GAME, Condition::moves("").unwrap()));
        let start =
            |clocks: &str| format!("[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w {clocks}\"]\n\n2. Nf3 *");
        assert!(holds(&start("KQkq - 0 2"), Condition::moves("Nf3").unwrap()));
        assert!(!holds(&start("KQk - 0 1"), Condition::moves("Nf3").unwrap()));
        assert!(!holds(GAME, Condition::moves("e4 c5").unwrap()));
        assert!(!holds(GAME, Condition::moves("Nf3 c5 e4 d6 Ng1 Nc6 Nf3").unwrap()));
        assert!(Condition::moves("e4 Ke4").is_err());
        let castled = Condition::moves("e4 e5 Nf3 Nc6 Bc4 Bc5 0-0").unwrap();
        assert!(holds("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *", castled));
        assert!(holds(GAME, Condition::Ending(vec![Ending::Checkmate, Ending::Open])));
        assert!(holds(GAME, Condition::Custom(Box::new(|game| game.moves.len() == 6))));
    }

    #[test]
    fn material_must_last() {
        let game = "[FEN \"4k3/8/8/8/8/8/r6R/4K3 w - - 0 1\"]\n\n1. Kd1 Kd8 2. Rxa2 Kc8 *";
        let material = |text: &str, plies| Condition::Material(text.parse().unwrap(), plies);
        assert!(holds(game, material("KRvKR", 3)) && !holds(game, material("KRvKR", 4)));
        assert!(holds(game, material("KvKR", 2)) && !holds(game, material("KQvKR", 1)));
        let last = |text: &str| Condition::FinalMaterial(text.parse().unwrap());
        assert!(holds(game, last("KvKR")) && !holds(game, last("KRvKR")));
    }

    #[test]
    fn all_conditions_must_hold() {
        let raw = RawGames::new(GAME.as_bytes()).next().unwrap().unwrap();
        let conditions = || vec![Condition::Plies(6..=6), Condition::Tag("Site".into(), pattern("riga"))];
        assert_eq!(Filter::new(conditions()).by_tags(&raw), None);
        let mut more = conditions();
        more.push(Condition::Tag("Event".into(), pattern("other")));
        assert_eq!(Filter::new(more).by_tags(&raw), Some(false));
        assert_eq!(Filter::default().by_tags(&raw), Some(true));
    }

    proptest! {
        /// Arbitrary conditions and games are either read or rejected.
        #[test]
        fn no_text_is_too_strange(
            text in "[KQRBNPkvV+*?!Aa/0-9.: =wbACE\\-,é(\\[]{0,24}|\\PC{0,16}",
            tags in prop::collection::vec(("Date|WhiteElo|ECO|TimeControl|Round|Variant", "[0-9?.+:/é -]{0,12}"), 0..4),
        ) {
            let mut conditions: Vec<Condition> = Vec::new();
            conditions.extend(text.parse().map(Condition::Date));
            conditions.extend(text.parse().map(Condition::TimeControl));
            conditions.extend(text.parse().map(Condition::Position));
            conditions.extend(text.parse().map(|material| Condition::Material(material, 1)));
            conditions.extend(text.parse().map(|codes| Condition::Eco { codes, by_position: false }));
            conditions.extend(text.parse().map(|name| Condition::Player { color: None, name }));
            conditions.extend(text.parse().map(|ending| Condition::Ending(vec![ending])));
            conditions.extend(Condition::moves(&text));
            let tags: String = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
            for game in [format!("{tags}\n1. e4 e5 *"), format!("{tags}[White \"{text}\"]\n\n{text} 1. e4")] {
                for raw in RawGames::new(game.as_bytes()).map(Result::unwrap) {
                    let pgn = raw.games().flatten().next().unwrap_or_default();
                    for condition in &conditions {
                        let _ = condition.by_tags(&raw).unwrap_or_else(|| condition.by_moves(&pgn));
                    }
                    let mut statistics = crate::CollectionStatistics::default();
                    statistics.add(&pgn, true);
                    let mut key = Vec::new();
                    for by in ["date", "rating", "round", "eco", "plies", "result", "white"] {
                        by.parse::<crate::SortKey>().unwrap().append(&raw, Some(&pgn), &mut key);
                    }
                }
            }
        }
    }
}
