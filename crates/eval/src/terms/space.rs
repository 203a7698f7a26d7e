//! Space behind the pawns, and control of the centre.

use crate::context::Context;
use crate::side::{Side, ranks};
use crate::side_score::{SideScore, Tracer};
use crate::spans::{CENTRE_FILES, fill_ahead};
use crate::terms::pieces::CENTRE;
use crate::weights::{CENTRE_CONTROL, SPACE};
use bartizan_types::PieceType;

/// Divides squares · men² in the space term.
const SPACE_DIVISOR: u32 = 256;

/// Space is `squares · men² / 256`: the more men, the more space matters.
#[inline(always)]
pub(crate) fn space<S: Side, T: Tracer>(context: &Context<'_>, tally: &mut SideScore<'_, S, T>) {
    let (us, them) = (context.us::<S>(), context.them::<S>());
    let pawns = us.of(PieceType::Pawn);
    let safe = ranks::<S>(1, 3) & (CENTRE_FILES - pawns - them.by(PieceType::Pawn));
    // Squares behind an own pawn that the enemy does not attack count twice.
    let behind = fill_ahead::<S::Opponent>(pawns) & (safe - them.attacked);
    let men = us.all.count();
    tally.add_n(SPACE, (safe.count() + behind.count()) * men * men / SPACE_DIVISOR);
    let control = CENTRE & (us.attacked - them.by(PieceType::Pawn));
    tally.add_n(CENTRE_CONTROL, control.count());
}
