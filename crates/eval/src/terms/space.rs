//! Space behind the pawns, and the centre.

use crate::context::Context;
use crate::side::{Side, ranks};
use crate::spans::fill_ahead;
use crate::tally::{Tally, Tracer};
use crate::terms::pieces::CENTRE;
use crate::weights::{CENTRE_CONTROL, SPACE};
use bartizan_types::{Bitboard, PieceType};

const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);

/// Room for the own men counts by the square of their number: squares · men² / 256, which is nothing once few are left.
#[inline(always)]
pub(crate) fn space<S: Side, T: Tracer>(context: &Context<'_>, tally: &mut Tally<'_, S, T>) {
    let (us, them) = (context.us::<S>(), context.them::<S>());
    let pawns = us.of(PieceType::Pawn);
    let safe = ranks::<S>(1, 3) & (CENTRE_FILES - pawns - them.by(PieceType::Pawn));
    // What a pawn stands before and nothing attacks counts twice.
    let behind = fill_ahead::<S::Opponent>(pawns) & (safe - them.attacked);
    let men = us.all.count();
    tally.add_n(SPACE, (safe.count() + behind.count()) * men * men / 256);
    let control = CENTRE & (us.attacked - them.by(PieceType::Pawn));
    tally.add_n(CENTRE_CONTROL, control.count());
}
