//! Numeric annotation glyphs.

use std::fmt;
use std::ops::Deref;

/// A numeric annotation glyph, such as `$1` for a good move, `!`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Nag(
    /// The number.
    pub u8,
);

/// The glyphs that may replace a number, with the number. The first one for each number is written.
const GLYPHS: [(&str, u8); 24] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("\u{25a1}", 7),
    ("=", 10),
    ("\u{221e}", 13),
    ("\u{2a72}", 14),
    ("+=", 14),
    ("+/=", 14),
    ("\u{2a71}", 15),
    ("=+", 15),
    ("=/+", 15),
    ("\u{b1}", 16),
    ("+/-", 16),
    ("\u{2213}", 17),
    ("-/+", 17),
    ("+-", 18),
    ("+\u{2212}", 18),
    ("-+", 19),
    ("\u{2212}+", 19),
    ("\u{2a00}", 22),
];

/// The letters that Scid writes in place of a number: various moves, an editorial comment, a novelty, a diagram. They
/// are distinct from all moves.
const LETTERS: [(&str, u8); 4] = [("R", 144), ("RR", 145), ("N", 146), ("D", 201)];

impl Nag {
    /// `!`
    pub const GOOD: Self = Self(1);
    /// `?`
    pub const MISTAKE: Self = Self(2);
    /// `!!`
    pub const BRILLIANT: Self = Self(3);
    /// `??`
    pub const BLUNDER: Self = Self(4);
    /// `!?`
    pub const INTERESTING: Self = Self(5);
    /// `?!`
    pub const DUBIOUS: Self = Self(6);

    /// The symbol of the number, if it has a usual one: `!`, `?`, `!!`, `??`, `!?`, `?!`, `=`, `±` and so on.
    pub fn glyph(self) -> Option<&'static str> {
        GLYPHS.iter().find(|&&(_, number)| number == self.0).map(|&(glyph, _)| glyph)
    }

    /// The number of a glyph such as `!?` or `+-`, or of the letters `N` (a novelty), `D`, `R` and `RR`.
    pub fn from_glyph(glyph: &str) -> Option<Self> {
        GLYPHS.iter().chain(&LETTERS).find(|&&(known, _)| known == glyph).map(|&(_, number)| Self(number))
    }

    /// Splits off the longest glyph at the end of a text, if any.
    pub(super) fn split_glyph(text: &[u8]) -> Option<(&[u8], Self)> {
        let ends = GLYPHS.iter().filter_map(|&(glyph, number)| Some((text.strip_suffix(glyph.as_bytes())?, number)));
        let (text, number) = ends.filter(|(text, _)| !text.is_empty()).min_by_key(|(text, _)| text.len())?;
        Some((text, Self(number)))
    }

    /// Whether the glyph judges the move rather than the position: `!`, `?`, `!!`, `??`, `!?`, `?!`.
    pub const fn is_of_move(self) -> bool {
        matches!(self.0, 1..=6)
    }
}

/// The glyphs of a [`PgnMove`](super::PgnMove): at most five, stored inline without an allocation. Further ones are
/// dropped; a [`GameTree`](super::GameTree) keeps any number.
///
/// ```
/// use bartizan_notation::pgn::{Nag, Nags};
///
/// let mut nags = Nags::from_iter([Nag::GOOD]);
/// nags.push(Nag(14));
/// assert_eq!(*nags, [Nag::GOOD, Nag(14)]);
/// assert_eq!(*Nags::from_iter([Nag::GOOD; 9]), [Nag::GOOD; 5]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Nags {
    /// Those beyond the length are zero.
    glyphs: [Nag; Self::MAX],
    len: u8,
}

impl Nags {
    /// The maximum number of glyphs.
    pub const MAX: usize = 5;

    /// Appends a glyph, unless there are [`Nags::MAX`].
    pub fn push(&mut self, nag: Nag) {
        if let Some(place) = self.glyphs.get_mut(usize::from(self.len)) {
            *place = nag;
            self.len += 1;
        }
    }
}

impl Default for Nags {
    /// No glyph.
    #[inline]
    fn default() -> Self {
        Self { glyphs: [Nag(0); Self::MAX], len: 0 }
    }
}

impl Deref for Nags {
    type Target = [Nag];
    fn deref(&self) -> &[Nag] {
        &self.glyphs[..usize::from(self.len)]
    }
}

impl FromIterator<Nag> for Nags {
    fn from_iter<I: IntoIterator<Item = Nag>>(nags: I) -> Self {
        let mut all = Self::default();
        nags.into_iter().take(Self::MAX).for_each(|nag| all.push(nag));
        all
    }
}

impl fmt::Debug for Nags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The PGN form: `$1`.
impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}
