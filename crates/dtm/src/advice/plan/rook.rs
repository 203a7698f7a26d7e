//! A rook against a pawn or a piece, and rook and pawn against rook.

use super::Plan;
use super::view::{View, color_of, corners, count, is_rook_file, list};
use crate::advice::TheoreticalResult;
use bartizan_types::{PieceType, Rank, Square};

pub(super) fn against_pawn(view: &View<'_>) -> Plan {
    let plan = Plan::new("Rook against pawn");
    let Some(pawn) = view.piece(view.weak(), PieceType::Pawn) else { return plan };
    let (strong, weak) = (view.strong_name(), view.weak_name());
    let promotion = View::promotion(view.weak(), pawn);
    let plan = plan.mark(promotion.bitboard());
    if let Some(text) = view.capture_by_weak() {
        return plan.say(text);
    }
    let ahead = |square: Square| View::rank_for(view.weak(), square) > View::rank_for(view.weak(), pawn);
    if view.king().file().distance(pawn.file()) <= 1 && ahead(view.king()) {
        // In check from the pawn, or from a king that also attacks the rook, the king may lose its place.
        let usually = if view.is_won() || view.position.checkers().is_empty() { "" } else { "usually " };
        return plan.say(if view.is_drawn() {
            view.exception()
        } else {
            format!("{strong}'s king stands before the pawn and blocks it; the rook attacks it, and it {usually}falls.")
        });
    }
    let king_rank = View::rank_for(view.weak(), view.weak_king());
    let pawn_rank = View::rank_for(view.weak(), pawn);
    let is_behind = king_rank <= Rank::Fourth;
    // The side to move gains a rank.
    let is_cut_off = if view.is_strong_to_move() {
        king_rank <= Rank::Third && pawn_rank <= Rank::Sixth
    } else {
        king_rank <= Rank::Second && pawn_rank <= Rank::Fifth
    };
    if view.is_drawn() && is_behind {
        return plan.say(view.exception());
    }
    let king = view.king().distance(promotion);
    let pawn_moves = 7 - View::rank_for(view.weak(), pawn) as u8;
    let plan = plan.say(format!(
        "The pawn needs {} to promote on {promotion}, and {strong}'s king is {} away from there. Rook and king must \
         attack the square together when the pawn arrives.",
        count(u32::from(pawn_moves), "move"),
        count(u32::from(king), "move")
    ));
    if is_cut_off {
        plan.say(format!(
            "{weak}'s king is still behind: the rook can cut it off on the rank before it, so that the pawn goes on \
             alone and is lost."
        ))
    } else if is_behind && pawn_rank == Rank::Seventh && !view.is_strong_to_move() {
        plan.say("The pawn can promote at once, and is lost only if a check or a double attack wins the new queen.")
    } else if is_behind {
        plan.say(format!(
            "{weak}'s king is still behind. If the rook has the time to cut it off on the rank before it, the pawn \
             usually goes on alone and is lost."
        ))
    } else {
        plan.say(format!(
            "{weak}'s king goes with the pawn and keeps the other king away with its shoulder. Promotion to a knight \
             with check may save the game."
        ))
    }
}

pub(super) fn against_bishop(view: &View<'_>) -> Plan {
    let plan = Plan::new("Rook against bishop");
    let Some(bishop) = view.piece(view.weak(), PieceType::Bishop) else { return plan };
    if let Some(text) = view.capture_by_mover() {
        return plan.say(text);
    }
    let safe = corners(!bishop.is_light());
    let squares = safe[0].bitboard() | safe[1].bitboard();
    let usually =
        if view.is_won() { "As a rule, this is a draw, but this position is won." } else { "Usually a draw." };
    plan.mark(squares).say(format!(
        "{usually} {}'s bishop runs on {} squares, and the king is safe in a corner of the other colour: {}. \
         There the bishop stands beside it, and taking its last move is stalemate. In the other corners the king is \
         mated.",
        view.weak_name(),
        color_of(bishop.is_light()),
        list(squares)
    ))
}

pub(super) fn against_knight(view: &View<'_>) -> Plan {
    let plan = Plan::new("Rook against knight");
    let Some(knight) = view.piece(view.weak(), PieceType::Knight) else { return plan };
    if let Some(text) = view.capture_by_mover() {
        return plan.say(text);
    }
    let apart = view.weak_king().distance(knight);
    let usually = match view.outcome {
        Some(TheoreticalResult::Win) => "This position is won, but as a rule it is a draw",
        None if apart > 2 => "It is a draw only",
        _ => "Usually a draw",
    };
    plan.say(format!(
        "{usually} while the knight stays beside its king and out of the corner. {} tries to part them: then the \
         rook wins the knight by taking its squares.",
        view.strong_name()
    ))
    .say(format!(
        "{}'s king on {} and the knight on {knight} are {} apart.",
        view.weak_name(),
        view.weak_king(),
        count(u32::from(apart), "move")
    ))
}

/// The pieces of an ending of rook and pawn against rook, seen from the side with the pawn.
struct RookEnding {
    pawn: Square,
    promotion: Square,
    king: Square,
    rook: Square,
    weak_king: Square,
    weak_rook: Square,
    is_strong_to_move: bool,
    /// The side to move is in check.
    is_check: bool,
}

impl RookEnding {
    fn new(view: &View<'_>) -> Option<Self> {
        let seen = |square: Square| square.relative_to(view.strong);
        let pawn = seen(view.piece(view.strong, PieceType::Pawn)?);
        Some(Self {
            pawn,
            promotion: Square::new(pawn.file(), Rank::Eighth),
            king: seen(view.king()),
            rook: seen(view.piece(view.strong, PieceType::Rook)?),
            weak_king: seen(view.weak_king()),
            weak_rook: seen(view.piece(view.weak(), PieceType::Rook)?),
            is_strong_to_move: view.is_strong_to_move(),
            is_check: !view.position.checkers().is_empty(),
        })
    }

    /// The pawn is one step from promotion with its king in front of it, and the rook cuts off the other king by at
    /// least one file.
    fn has_lucena_shape(&self) -> bool {
        self.pawn.rank() == Rank::Seventh
            && !is_rook_file(self.pawn.file())
            && self.king == self.promotion
            && self.weak_king.file().distance(self.pawn.file()) >= 2
            && self.is_between_kings(self.rook)
    }

    /// Neither a check, nor the other rook's checks from the long side, nor its pin on the last rank hold the king
    /// back.
    fn is_lucena_won(&self) -> bool {
        if self.is_strong_to_move {
            return !self.is_check;
        }
        let is_far = self.weak_rook.file().distance(self.pawn.file()) >= 2;
        let is_beyond = (self.weak_rook.file() < self.pawn.file()) != (self.weak_king.file() < self.pawn.file());
        self.weak_rook.rank() != Rank::Eighth && !(is_far && is_beyond)
    }

    /// A square is on a file between the pawn and the other king.
    fn is_between_kings(&self, square: Square) -> bool {
        let (a, b) = (self.pawn.file().min(self.weak_king.file()), self.pawn.file().max(self.weak_king.file()));
        (a..=b).contains(&square.file()) && square.file() != self.pawn.file() && square.file() != self.weak_king.file()
    }

    /// The other king stands before the pawn.
    fn is_king_in_front(&self) -> bool {
        self.weak_king.file().distance(self.pawn.file()) <= 1 && self.weak_king.rank() >= Rank::Seventh
    }

    /// The first part of the defence: the pawn and its king have not reached the sixth rank, and the rook holds it.
    fn has_philidor_shape(&self) -> bool {
        self.is_king_in_front()
            && self.pawn.rank() <= Rank::Fifth
            && self.king.rank() <= Rank::Fifth
            && self.weak_rook.rank() == Rank::Sixth
    }

    /// The second part of the defence: the pawn has reached the sixth rank, and the rook is far behind it.
    fn has_late_philidor_shape(&self) -> bool {
        self.pawn.rank() == Rank::Sixth
            && self.weak_king.file() == self.pawn.file()
            && self.weak_king.rank() >= Rank::Seventh
            && self.king.distance(self.pawn) == 1
            && self.king.rank() <= Rank::Sixth
            && self.weak_rook.rank() <= Rank::Second
            && (self.king.rank() < Rank::Sixth || !self.is_strong_to_move)
    }

    /// No rook is lost to a check: the defending rook is not pinned on its king's file or next to the other king, and
    /// the other rook is not on a line with its king.
    fn is_philidor_drawn(&self) -> bool {
        let is_skewer = self.king.file() == self.rook.file() || self.king.rank() == self.rook.rank();
        let is_pin = self.weak_king.file() == self.weak_rook.file() || self.king.distance(self.weak_rook) <= 1;
        !self.is_check && if self.is_strong_to_move { !is_pin } else { !is_skewer }
    }

    /// The rook attacks a rook's pawn on the sixth rank from the side, the other rook is shut in front of it, and the
    /// kings are far from the pawn.
    fn has_vancura_shape(&self) -> bool {
        is_rook_file(self.pawn.file())
            && self.pawn.rank() == Rank::Sixth
            && self.rook == self.promotion
            && self.weak_rook.rank() == Rank::Sixth
            && self.weak_rook.file().distance(self.pawn.file()) >= 3
            && self.weak_king.file().distance(self.pawn.file()) >= 6
            && self.weak_king.rank() == Rank::Seventh
            && self.king.rank() <= Rank::Fourth
    }

    /// The king does not arrive in time to protect the pawn and gain a move against the rook.
    fn is_vancura_drawn(&self) -> bool {
        let is_best = matches!(self.weak_rook.file().distance(self.pawn.file()), 4 | 5);
        !(self.is_check && self.is_strong_to_move) && (is_best || self.king.rank() <= Rank::Third)
    }
}

pub(super) fn with_pawn(view: &View<'_>) -> Plan {
    let general = "Rook and pawn against rook";
    let Some(ending) = RookEnding::new(view) else { return Plan::new(general) };
    let (strong, weak) = (view.strong_name(), view.weak_name());
    let real = |square: Square| square.relative_to(view.strong);
    let fourth = view.strong.relative_rank(Rank::Fourth);
    let sixth = view.strong.relative_rank(Rank::Sixth);
    // The names apply to positions where nothing hangs. The result tells whether the method works; without it,
    // positions in which a check or a pin may spoil it get no name.
    let is_quiet = view.capture().is_none();
    let is_won = view.outcome.map_or_else(|| ending.is_lucena_won(), |_| view.is_won());
    if ending.has_lucena_shape() && is_quiet && is_won {
        return Plan::new("Lucena position").mark(real(Square::new(ending.rook.file(), Rank::Fourth)).bitboard()).say(
            format!(
                "{strong}'s king stands before its pawn and wants to come out. It builds a bridge: the rook goes to \
                 rank {fourth}, the king leaves {}, and when the checks from behind come, the king walks towards the \
                 rook, which steps between at the end. Then the pawn promotes.",
                real(ending.king)
            ),
        );
    }
    let is_drawn = view.outcome.map_or_else(|| ending.is_philidor_drawn(), |_| view.is_drawn());
    if ending.has_philidor_shape() && is_quiet && is_drawn {
        let row = (0..8).map(|file| real(Square::from_index(40 + file))).collect();
        return Plan::new("Philidor's defence").mark(row).say(format!(
            "{weak}'s rook holds rank {sixth}, so that {strong}'s king cannot come before its pawn. It waits on this \
             rank. As soon as the pawn steps on it, the rook goes far back and checks from behind: {strong}'s king has \
             no shelter any more, and it is a draw."
        ));
    }
    if ending.has_late_philidor_shape() && is_quiet && is_drawn {
        return Plan::new("Philidor's defence").mark(real(ending.pawn).bitboard()).say(format!(
            "The pawn has stepped on rank {sixth}, so {strong}'s king has no shelter before it any more. {weak}'s \
             rook checks from behind, from as far away as it can, and goes back to the pawn's file when the king \
             comes near: it is a draw."
        ));
    }
    let is_drawn = view.outcome.map_or_else(|| ending.is_vancura_drawn(), |_| view.is_drawn());
    // The defending rook attacks the pawn, which the other rook protects.
    if ending.has_vancura_shape() && (is_quiet || !ending.is_strong_to_move) && is_drawn {
        return Plan::new("Vancura's defence").mark(real(ending.pawn).bitboard()).say(format!(
            "{weak}'s rook attacks the pawn from the side, and the king stays far away, safe from a check that would \
             win a move. If {strong}'s king comes to protect the pawn, the rook checks it from the side and returns; \
             if the pawn advances, the rook goes behind it."
        ));
    }
    let mut plan = Plan::new(general).mark(real(ending.promotion).bitboard());
    plan = if ending.is_king_in_front() {
        let mut plan = plan.say(format!(
            "{weak}'s king stands before the pawn, which is the first condition of a draw. The rook should keep \
             {strong}'s king from rank {sixth}, and check from behind once the pawn has gone there."
        ));
        if is_rook_file(ending.pawn.file()) || ending.pawn.file().index() % 5 == 1 {
            plan = plan.say("Against a rook's or knight's pawn, the rook may also wait on the back rank.");
        }
        plan
    } else {
        let files = u32::from(ending.weak_king.file().distance(ending.pawn.file()).saturating_sub(1));
        let cut = if ending.is_between_kings(ending.rook) {
            format!("; the rook on {} cuts it off", real(ending.rook))
        } else {
            String::new()
        };
        plan.say(format!(
            "{weak}'s king on {} is not before the pawn ({} between{cut}). {strong} keeps it away, leads the pawn to \
             its seventh rank with the king before it, and builds a bridge.",
            real(ending.weak_king),
            count(files, "file")
        ))
    };
    if view.is_drawn() && !ending.is_king_in_front() {
        plan = plan.say(format!(
            "{weak} draws by checks: from behind, or from the side with at least three files between rook and king. \
             The king goes to the short side of the pawn, so that the rook has the long one."
        ));
    }
    plan
}
