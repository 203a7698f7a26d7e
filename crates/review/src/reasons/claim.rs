//! Facts about a mistake, each of which a program can check.
//!
//! # What a checker tests
//! Scores are centipawns for the side named, a mate counts as ±1,500 and scores are cut there. `start` is the position
//! before the mistake for [`Chance::Missed`], the position after it for [`Chance::Allowed`]. The *winner* is the side
//! to move at `start`: the player who missed something, or the opponent to whom something was allowed.
//!
//! **A line is sound** if all its moves are legal from `start`, and the winner's score at its end differs from that at
//! `start` by at most `SLACK + |score at start| / 4` ([`SLACK`]): so neither side threw anything away on the way.
//!
//! **A position is quiet** if the side to move is not in check and, unless it is the winner, has no capture and no
//! promotion that gains a pawn or more by static exchange evaluation (`Position::see_ge(mv, 100)`). It is *quiet for
//! both* if that holds for the winner, too.
//!
//! **The mistake is one** if the score of the player falls by at least [`LEAST_LOSS`] from the position before the move
//! to the position after it. Every claim asserts this too.

use crate::WhiteEval;
use bartizan_position::Position;
use bartizan_types::{Color, Move, PieceType, Square};
use serde::Serialize;

/// How far the scores at the two ends of a sound line may be apart, in centipawns, besides a quarter of the score.
pub const SLACK: i32 = 120;

/// The least loss of a mistake in centipawns.
pub const LEAST_LOSS: i32 = 50;

/// A mistake, with what an engine thinks of it.
#[derive(Clone, Copy, Debug)]
pub struct MistakeContext<'a> {
    /// The position before the mistake.
    pub before: &'a Position,
    /// The opponent's move before it, and the position in which it was played.
    pub previous: Option<(&'a Position, Move)>,
    /// The mistake: a legal move of `before`.
    pub played: Move,
    /// The engine's best line from `before`. It may be empty.
    pub better: &'a [Move],
    /// The engine's best line from the position after `played`. It may be empty.
    pub refutation: &'a [Move],
    /// The evaluation of `before`.
    pub eval_before: WhiteEval,
    /// The evaluation of the position after `played`.
    pub eval_after: WhiteEval,
}

impl MistakeContext<'_> {
    /// The side that made the mistake.
    pub fn player(&self) -> Color {
        self.before.turn()
    }

    /// The position after the mistake.
    pub fn after(&self) -> Position {
        self.before.play_unchecked(self.played)
    }

    /// The position in which the line of a claim starts.
    pub fn start(&self, chance: Chance) -> Position {
        match chance {
            Chance::Allowed => self.after(),
            Chance::Missed => self.before.clone(),
        }
    }
}

/// Whose line a claim is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Chance {
    /// The opponent's, after the mistake: the line starts there.
    Allowed,
    /// The player's, instead of the mistake: the line starts before it.
    Missed,
}

/// A fact about a mistake. [Above](self) is what every claim asserts about its lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "claim")]
pub enum Claim {
    /// The winner forces mate in at most `moves` moves: `line` has `2 * moves - 1` moves and ends in checkmate, and a
    /// search of its start finds a mate in at most `moves` moves for the winner. (If `moves` is over 5, any mate.)
    Mate {
        /// Whose mate it is.
        chance: Chance,
        /// The moves to the mate.
        line: Vec<Move>,
        /// The number of moves of the winner.
        moves: u32,
        /// How; the fact holds for `line`.
        motif: Option<Motif>,
    },
    /// The winner gains material. `line` is sound and ends in a quiet position, in which the winner has `gain` points
    /// more, compared with the other side, than in the position before the mistake; `won` and `given` are the
    /// difference in pieces, of the other side and of the winner, after equal ones are cancelled. In the position at
    /// the end of `instead`, which is sound and quiet for both, the winner is at least one point worse off than at
    /// the end of `line`; `instead` begins before the mistake for `Allowed`, after it for `Missed`. The mistake costs
    /// at least 25 centipawns for each point of this difference, or 300.
    ///
    /// Points are 1, 3, 3, 5, 9.
    Material {
        /// Who gains it.
        chance: Chance,
        /// The moves that gain it, to a quiet position.
        line: Vec<Move>,
        /// What happens otherwise, to a quiet position. (Empty: that position itself is quiet.)
        instead: Vec<Move>,
        /// Points gained by `line` since before the mistake: at least 1.
        gain: i32,
        /// The pieces won, the most valuable first. A pawn that promoted counts as the new piece for a pawn.
        won: Vec<PieceType>,
        /// The pieces given for them.
        given: Vec<PieceType>,
        /// How; the fact holds for `line`.
        motif: Option<Motif>,
    },
    /// The winner, who stood worse, gets a draw. `line` is sound and reaches the draw at its end; the score at its
    /// start is between −60 and 60, and the mistake costs at least 150 centipawns.
    Draw {
        /// Who gets it: the opponent of a player who was winning, or the player who is losing now.
        chance: Chance,
        /// The moves to the draw.
        line: Vec<Move>,
        /// Why the end of the line is drawn.
        draw: DrawKind,
    },
    /// A passed pawn of the winner cannot be stopped. `line` is sound; at its end the other side has only king and
    /// pawns, the squares in front of the pawn are empty, by the square rule the other king cannot catch the pawn (a
    /// double step from the second rank and the side to move taken into account), and no pawn of the other side is as
    /// near to its promotion. The score of the winner at its start is at least 300.
    UnstoppablePawn {
        /// Whose pawn it is.
        chance: Chance,
        /// The moves after which it runs.
        line: Vec<Move>,
        /// Its square at the end of the line.
        pawn: Square,
    },
    /// The result of an ending changes. Both positions, before and after the mistake, have at most 5 men besides pawns
    /// and kings, and the player's verdict is `from` before it and `to` after it. By search: a score of at least 200 is
    /// won, of at most −200 lost, between −60 and 60 drawn; by tables: the result itself.
    Ending {
        /// The kind of ending after the mistake.
        kind: EndingKind,
        /// The player's result before the mistake.
        from: Verdict,
        /// The player's result after the mistake.
        to: Verdict,
        /// Who says so.
        source: Source,
    },
    /// A feature of the evaluation. Both lines are sound and end in quiet positions not in check, `better` from before
    /// the mistake, `refutation` from after it. In `bartizan_eval::explain` of the end of `refutation` minus that of
    /// the end of `better`, the feature counts at least `centipawns` (of `Explanation::tapered`, internal centipawns)
    /// against the player.
    Positional {
        /// The line from before the mistake, to a quiet position.
        better: Vec<Move>,
        /// The line from after the mistake, to a quiet position.
        refutation: Vec<Move>,
        /// What changes.
        feature: Feature,
        /// How much, in internal centipawns.
        centipawns: i32,
    },
    /// What the better move does about the piece on `square` that the mistake leaves to be taken: a fact by the rules
    /// alone, about the first move of the better line. Said only beside a `Material` claim with [`Motif::Hanging`].
    Remedy {
        /// The better move, from before the mistake.
        mv: Move,
        /// The square where the piece stands before the mistake.
        square: Square,
        /// What the move does.
        remedy: Remedy,
    },
}

/// How a line wins. Indices count the moves of the line from 0; moves of the winner have even indices. The position
/// *at* an index is that before the move; *after* it, that after the move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "motif")]
pub enum Motif {
    /// The move `line[index]` captures the man on `square` and gains at least a pawn by static exchange evaluation.
    Hanging {
        /// The index of the capture.
        index: usize,
        /// Where it is captured.
        square: Square,
        /// What is captured.
        piece: PieceType,
        /// Why it hangs.
        exposure: Exposure,
    },
    /// After `line[index]` the piece moved there attacks all `targets` at once, at least two, and each is a king, or
    /// worth more than the attacker, or not protected. A later move of the winner in the line captures one of them.
    Fork {
        /// The index of the move that forks.
        index: usize,
        /// The forking piece.
        piece: PieceType,
        /// The squares and kinds of the forked men, the most valuable first (a king before a queen).
        targets: Vec<Target>,
    },
    /// After `line[index]` the winner's slider on `pinner` pins `pinned` to `behind`: the two stand on a line in this
    /// order with nothing else between, and `behind` is a king or worth more than `pinned`. A later move of the winner
    /// captures the pinned man; or (`holds` not null) the pinned man attacks the square `holds`, where the winner's
    /// move `line[index]` or a later one lands with a piece and is not captured by it.
    Pin {
        /// The index of the move after which the pin is there.
        index: usize,
        /// The pinning piece.
        pinner: Target,
        /// The pinned man.
        pinned: Target,
        /// What stands behind it.
        behind: Target,
        /// The square that the pinned man cannot capture on.
        holds: Option<Square>,
    },
    /// After `line[index]` the winner's slider attacks `front`, and `behind` stands on the same line behind it with
    /// nothing between; `front` is a king or worth at least as much as `behind`. A later move of that slider captures
    /// `behind` on its square.
    Skewer {
        /// The index of the move that skewers.
        index: usize,
        /// The attacking piece, after the move.
        slider: Target,
        /// What must move.
        front: Target,
        /// What is lost.
        behind: Target,
    },
    /// The move `line[index]` opens the line of the winner's slider on `slider`, which attacks `target` after it and
    /// did not before. The target is a king, or a later move of the winner captures it or the slider's line decides:
    /// a man captured by the piece that moved away, at once or later.
    DiscoveredAttack {
        /// The index of the move that discovers.
        index: usize,
        /// The slider behind it.
        slider: Target,
        /// What the slider attacks.
        target: Target,
    },
    /// After `line[index]`, which is not check, the winner threatens mate: if the other side passed (`play_null`),
    /// `mate` would be checkmate.
    MateThreat {
        /// The index of the move that threatens.
        index: usize,
        /// The threatened mate.
        mate: Move,
    },
    /// The move `line[index]` gives check by two pieces.
    DoubleCheck {
        /// The index of the check.
        index: usize,
    },
    /// After `line[index]` a rook or queen of the winner checks the king along its own first rank, and the king cannot
    /// leave the rank because its own men occupy at least one of the squares in front of it and the others are
    /// attacked.
    BackRank {
        /// The index of the check (or mate).
        index: usize,
        /// The king.
        king: Square,
    },
    /// The mate at the end is given by a knight to a king that has only own men beside it.
    SmotheredMate,
    /// The man on `defender` protected `first` and `second` at `index` (in the sense of attacking these squares). The
    /// move `line[index]` captures on `first`, the defender recaptures, and the winner's next move lands on `second`,
    /// capturing there or mating.
    Overloaded {
        /// The index of the first capture.
        index: usize,
        /// The defender before it captures.
        defender: Target,
        /// Where it captures.
        first: Square,
        /// What it no longer protects.
        second: Square,
    },
    /// The move `line[index]` captures the man on `defender`, which protected `target`; a later move of the winner
    /// captures on `target`.
    RemovedDefender {
        /// The index of the capture of the defender.
        index: usize,
        /// The defender.
        defender: Target,
        /// What it protected.
        target: Target,
    },
    /// The move `line[index]` attacks `defender` or checks the king; `defender` (perhaps the king) moves with the next
    /// move and no longer protects `target`, which it protected; the winner's next move captures on `target`.
    Deflection {
        /// The index of the move that drives the defender away.
        index: usize,
        /// The defender before it moves.
        defender: Target,
        /// What it protected.
        target: Target,
    },
    /// After `line[index]` the piece `target` of the other side is attacked and every legal move of it (were its side
    /// to move) loses it or material by static exchange evaluation; a later move of the winner captures it.
    Trapped {
        /// The index of the move after which it is trapped.
        index: usize,
        /// The trapped piece.
        target: Target,
    },
    /// The move `line[index]` promotes a pawn, and the new piece is not captured by the next move of the line.
    Promotion {
        /// The index of the promotion.
        index: usize,
        /// The new piece.
        piece: PieceType,
        /// Where the pawn stands at the start of the line.
        pawn: Square,
    },
    /// After the quiet move `line[index]` (not a capture) the winner attacks two or more men of the other side that it
    /// did not attack before, each a king or capturable with a gain of a pawn or more by static exchange evaluation
    /// (were it the winner's move); a later move of the winner captures one of them.
    DoubleAttack {
        /// The index of the move.
        index: usize,
        /// What is attacked.
        targets: Vec<Target>,
    },
    /// The winner does not recapture at once but plays `line[index]` first, a check or capture elsewhere; its next move
    /// captures on `square`, where the other side captured with the move before `line[index]` (or with the mistake).
    Zwischenzug {
        /// The index of the move in between.
        index: usize,
        /// Where the capture follows.
        square: Square,
    },
    /// The quiet move `line[index]` is made by or attacks with a pawn or piece `attacker`, which then attacks
    /// `target`, a man worth more than the attacker or without protection; a later move of the winner captures the
    /// target there, or the target moves and the winner captures something that it protected.
    Threat {
        /// The index of the move.
        index: usize,
        /// The attacker, after the move.
        attacker: Target,
        /// What is attacked.
        target: Target,
    },
}

/// A man and its square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Target {
    /// The kind.
    pub piece: PieceType,
    /// The square.
    pub square: Square,
}

/// Why a man hangs: facts by the rules. With [`Chance::Missed`] only `Recapture` and `Other` occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case", tag = "exposure")]
pub enum Exposure {
    /// It is the piece that moved with the mistake.
    Moved,
    /// Before the mistake, too, the capture (had it been the opponent's move: `play_null`) was legal and gained a
    /// pawn or more.
    Left,
    /// The piece that moved protected it from the square `from`, and no longer does.
    Unguarded {
        /// Where the piece stood.
        from: Square,
        /// The piece.
        piece: PieceType,
    },
    /// The piece that moved left the line between the capturing piece and the man: it stood on `from`, between them.
    Uncovered {
        /// Where the piece stood.
        from: Square,
    },
    /// The move before the line captured on this square: with [`Chance::Missed`] the opponent's move before the mistake
    /// (`MistakeContext::previous`), with [`Chance::Allowed`] the mistake itself.
    Recapture,
    /// None of these.
    Other,
}

/// A draw at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawKind {
    /// The end of the line is stalemate.
    Stalemate,
    /// The last position of the line has occurred before in it, and all moves of the winner since were checks.
    Perpetual,
    /// The last position of the line has occurred before in it.
    Repetition,
    /// Neither side can give mate (`Position::is_insufficient_material`).
    Insufficient,
    /// `bartizan_eval::known_value` of the end is 0: a drawn ending by rule, such as king and pawn against king.
    Known,
}

/// A kind of ending, by the men other than kings and pawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EndingKind {
    /// Kings and pawns only.
    Pawns,
    /// Knights only.
    Knights,
    /// Bishops only.
    Bishops,
    /// Bishops and knights.
    Minors,
    /// Rooks only.
    Rooks,
    /// Queens only.
    Queens,
    /// Other pieces.
    Mixed,
}

/// The result of a position for the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The player wins.
    Won,
    /// Neither side wins.
    Drawn,
    /// The opponent wins.
    Lost,
}

/// The source of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Endgame tables.
    Table,
    /// A search.
    Search,
}

/// What the evaluation counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "feature")]
pub enum Feature {
    /// One of `Explanation::reasons`, by its text. A text that is missing counts 0.
    Reason {
        /// The text, as of one of the two positions.
        text: String,
        /// Whether the text is of the end of the refutation (it counts against the player there), or of the end of the
        /// better line (it counts for the player there).
        of_refutation: bool,
    },
    /// A group of terms, by `TermGroup::name`.
    Group {
        /// Its name.
        name: String,
    },
}

/// What a better move does about a man that hangs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Remedy {
    /// It moves the man from `square` without capturing, and the man cannot be captured with a gain of a pawn or more
    /// by static exchange evaluation after it.
    MovesAway,
    /// It is a capture with the man on `square`, after which it cannot be captured with a gain.
    Captures,
    /// It captures the piece that captures the man in the refutation.
    CapturesAttacker,
    /// The piece moved attacks `square` after it (so it protects the man there), and did not before it.
    Protects,
    /// It steps between the man and the piece that captures it in the refutation.
    Blocks,
}

impl Claim {
    /// Whose line it is about, if it has one.
    pub fn chance(&self) -> Option<Chance> {
        match self {
            Self::Mate { chance, .. }
            | Self::Material { chance, .. }
            | Self::Draw { chance, .. }
            | Self::UnstoppablePawn { chance, .. } => Some(*chance),
            Self::Ending { .. } | Self::Positional { .. } | Self::Remedy { .. } => None,
        }
    }

    /// The line that proves it, if it has one.
    pub fn line(&self) -> &[Move] {
        match self {
            Self::Mate { line, .. }
            | Self::Material { line, .. }
            | Self::Draw { line, .. }
            | Self::UnstoppablePawn { line, .. } => line,
            Self::Positional { refutation, .. } => refutation,
            Self::Ending { .. } | Self::Remedy { .. } => &[],
        }
    }

    /// How its line wins, if that has a name.
    pub fn motif(&self) -> Option<&Motif> {
        match self {
            Self::Mate { motif, .. } | Self::Material { motif, .. } => motif.as_ref(),
            _ => None,
        }
    }

    /// Whether it names a concrete event (mate, material, a draw, a pawn, a result) and not features of the evaluation.
    pub fn is_concrete(&self) -> bool {
        !matches!(self, Self::Positional { .. } | Self::Remedy { .. })
    }
}
