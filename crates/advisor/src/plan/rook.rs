//! A rook against a pawn or a piece, and rook and pawn against rook.

use super::Plan;
use super::view::{View, color_of, corners, count, is_rook_file, list};
use bartizan_types::{PieceType, Rank, Square};

pub(super) fn against_pawn(view: &View<'_>) -> Plan {
    let plan = Plan::new("Rook against pawn");
    let Some(pawn) = view.piece(view.weak(), PieceType::Pawn) else { return plan };
    let (winner, loser) = (view.winner(), view.loser());
    let promotion = View::promotion(view.weak(), pawn);
    let plan = plan.mark(promotion.bitboard());
    let ahead = |square: Square| View::rank_for(view.weak(), square) > View::rank_for(view.weak(), pawn);
    if view.king().file().distance(pawn.file()) <= 1 && ahead(view.king()) {
        return plan.say(if view.is_drawn() {
            view.exception()
        } else {
            format!("{winner}'s king stands before the pawn and blocks it; the rook attacks it, and it falls.")
        });
    }
    let is_behind = View::rank_for(view.weak(), view.weak_king()) <= Rank::Fourth;
    if view.is_drawn() && is_behind {
        return plan.say(view.exception());
    }
    let king = view.king().distance(promotion);
    let pawn_moves = 7 - View::rank_for(view.weak(), pawn) as u8;
    let plan = plan.say(format!(
        "The pawn needs {} to promote on {promotion}, and {winner}'s king is {} away from there. Rook and king must \
         attack the square together when the pawn arrives.",
        count(u32::from(pawn_moves), "move"),
        count(u32::from(king), "move")
    ));
    if is_behind {
        plan.say(format!(
            "{loser}'s king is still behind: the rook can cut it off on the rank before it, so that the pawn goes on \
             alone and is lost."
        ))
    } else {
        plan.say(format!(
            "{loser}'s king goes with the pawn and keeps the other king away with its shoulder. Promotion to a knight \
             with check may save the game."
        ))
    }
}

pub(super) fn against_bishop(view: &View<'_>) -> Plan {
    let plan = Plan::new("Rook against bishop");
    let Some(bishop) = view.piece(view.weak(), PieceType::Bishop) else { return plan };
    let safe = corners(!bishop.is_light());
    let squares = safe[0].bitboard() | safe[1].bitboard();
    plan.mark(squares).say(format!(
        "Usually a draw. {}'s bishop runs on {} squares, and the king is safe in a corner of the other colour: {}. \
         There the bishop stands beside it, and taking its last move is stalemate. In the other corners the king is \
         lost.",
        view.loser(),
        color_of(bishop.is_light()),
        list(squares)
    ))
}

pub(super) fn against_knight(view: &View<'_>) -> Plan {
    let plan = Plan::new("Rook against knight");
    let Some(knight) = view.piece(view.weak(), PieceType::Knight) else { return plan };
    let apart = view.weak_king().distance(knight);
    plan.say(format!(
        "Usually a draw while the knight stays beside its king and out of the corner. {} tries to part them: then the \
         rook wins the knight by taking its squares.",
        view.winner()
    ))
    .say(format!(
        "{}'s king on {} and the knight on {knight} are {} apart.",
        view.loser(),
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
        })
    }

    /// The pawn is one step from promotion with its king before it, and the other king is cut off.
    fn is_lucena(&self) -> bool {
        self.pawn.rank() == Rank::Seventh
            && !is_rook_file(self.pawn.file())
            && self.king == self.promotion
            && self.weak_king.file().distance(self.pawn.file()) >= 2
            && self.is_between_kings(self.rook)
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

    /// The defence on the third rank: the pawn and its king have not yet reached the sixth.
    fn is_philidor(&self) -> bool {
        self.is_king_in_front()
            && self.pawn.rank() <= Rank::Fifth
            && self.king.rank() <= Rank::Fifth
            && self.weak_rook.rank() == Rank::Sixth
    }

    /// The rook attacks a rook's pawn on the sixth rank from the side, with its king far from the pawn's square.
    fn is_vancura(&self) -> bool {
        is_rook_file(self.pawn.file())
            && self.pawn.rank() == Rank::Sixth
            && self.rook.file() == self.pawn.file()
            && self.rook.rank() > Rank::Sixth
            && self.weak_rook.rank() == Rank::Sixth
            && self.weak_rook.file().distance(self.pawn.file()) >= 3
            && self.weak_king.file().distance(self.pawn.file()) >= 6
            && self.weak_king.rank() >= Rank::Seventh
    }
}

pub(super) fn with_pawn(view: &View<'_>) -> Plan {
    let general = "Rook and pawn against rook";
    let Some(ending) = RookEnding::new(view) else { return Plan::new(general) };
    let (winner, loser) = (view.winner(), view.loser());
    let real = |square: Square| square.relative_to(view.strong);
    let fourth = view.strong.relative_rank(Rank::Fourth);
    let sixth = view.strong.relative_rank(Rank::Sixth);
    if ending.is_lucena() && !view.is_drawn() && !view.is_lost() {
        return Plan::new("Lucena position").mark(real(Square::new(ending.rook.file(), Rank::Fourth)).bitboard()).say(
            format!(
                "{winner}'s king stands before its pawn and wants to come out. It builds a bridge: the rook goes to \
                 rank {fourth}, the king leaves {}, and when the checks from behind come, the king walks towards the \
                 rook, which steps between at the end. Then the pawn promotes.",
                real(ending.king)
            ),
        );
    }
    if ending.is_philidor() && !view.is_won() && !view.is_lost() {
        let row = (0..8).map(|file| real(Square::from_index(40 + file))).collect();
        return Plan::new("Philidor's defence").mark(row).say(format!(
            "{loser}'s rook holds rank {sixth}, so that {winner}'s king cannot come before its pawn. It waits on this \
             rank. As soon as the pawn steps on it, the rook goes far back and checks from behind: {winner}'s king has \
             no shelter any more, and it is a draw."
        ));
    }
    if ending.is_vancura() && !view.is_won() && !view.is_lost() {
        return Plan::new("Vancura's defence").mark(real(ending.pawn).bitboard()).say(format!(
            "{loser}'s rook attacks the pawn from the side, and the king stays far away, safe from a check that would \
             win a move. If {winner}'s king comes to protect the pawn, the rook checks it from the side and returns; \
             if the pawn advances, the rook goes behind it."
        ));
    }
    let mut plan = Plan::new(general).mark(real(ending.promotion).bitboard());
    plan = if ending.is_king_in_front() {
        let mut plan = plan.say(format!(
            "{loser}'s king stands before the pawn, which is the first condition of a draw. The rook should keep \
             {winner}'s king from rank {sixth}, and check from behind once the pawn has gone there."
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
            "{loser}'s king on {} is not before the pawn ({} between{cut}). {winner} keeps it away, leads the pawn to \
             its seventh rank with the king before it, and builds a bridge.",
            real(ending.weak_king),
            count(files, "file")
        ))
    };
    if view.is_drawn() && !ending.is_king_in_front() {
        plan = plan.say(format!(
            "{loser} draws by checks: from behind, or from the side with at least three files between rook and king. \
             The king goes to the short side of the pawn, so that the rook has the long one."
        ));
    }
    plan
}
