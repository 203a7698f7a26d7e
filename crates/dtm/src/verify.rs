//! Verifies tables with the rules of `bartizan-position`, which the generator does not use.
//!
//! If every value follows from the best legal move, one ply closer, and positions without legal moves are mates and
//! stalemates, then all values are correct: the wins and losses by induction on the distance, and the draws because
//! nothing else is left.

use crate::layout::{Layout, Squares, image};
use crate::summary::CodeCounts;
use crate::table::Table;
use crate::tables::DtmTables;
use crate::work::Work;
use crate::{Dtm, DtmError, Endgame, SideSummary};
use bartizan_parallel::StopFlag;
use bartizan_position::{Position, Setup, Tolerance};
use bartizan_tablebase::{Material, TablebaseError, Tablebases, Wdl};
use bartizan_types::{Color, Escaped, PieceType, Rank, SplitMix64, Square};
use std::path::PathBuf;

/// Which positions are verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Every position.
    All,
    /// Random positions, the same ones for the same seed.
    Sample {
        /// The seed.
        seed: u64,
        /// The number of draws. About half of them hit a legal position.
        draws: u64,
    },
}

/// The number of positions that were verified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// Positions without an en passant right.
    pub positions: u64,
    /// Positions with this right.
    pub en_passant: u64,
    /// Mirror images, with and without swapped colours.
    pub images: u64,
    /// Positions compared with Syzygy tables.
    pub syzygy: u64,
}

/// The error of verifying a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The verification was interrupted.
    #[error("interrupted")]
    Interrupted,
    /// There is no table of this ending.
    #[error("no table of {0}")]
    Missing(Endgame),
    /// A table cannot be read.
    #[error(transparent)]
    Read(#[from] DtmError),
    /// None of the random positions is legal, so nothing was verified.
    #[error("none of {draws} random positions of {endgame} is legal: nothing was verified")]
    NoPosition {
        /// The ending.
        endgame: Endgame,
        /// The number of draws.
        draws: u64,
    },
    /// There is no Syzygy table for an ending that a position or a capture in it needs.
    #[error("no Syzygy table (*.rtbw) of {0}")]
    NoSyzygy(Endgame),
    /// A Syzygy table cannot be read.
    #[error(transparent)]
    Syzygy(#[from] TablebaseError),
    /// A value is wrong.
    #[error(transparent)]
    Wrong(Box<WrongValue>),
    /// The header's counts are wrong.
    #[error(
        "table '{}': the header counts {header:?} with {turn} to move, the table has {counted:?}",
        Escaped(path.display())
    )]
    Counts {
        /// The file.
        path: PathBuf,
        /// The side to move.
        turn: Color,
        /// The counts of the header.
        header: Box<SideSummary>,
        /// The counts of the table.
        counted: Box<SideSummary>,
    },
}

/// A wrong value in a table.
#[derive(Clone, Debug, thiserror::Error)]
#[error(
    "table '{}', block {block}, index {index}: {fen} is {value} in the table, {expected} {according_to}",
    Escaped(path.display())
)]
pub struct WrongValue {
    /// The file.
    pub path: PathBuf,
    /// The number of the block.
    pub block: usize,
    /// The index among those of the side to move.
    pub index: usize,
    /// The position.
    pub fen: String,
    /// The value of the table.
    pub value: String,
    /// The right value.
    pub expected: String,
    /// The source of the correct value, such as "according to Syzygy".
    pub according_to: &'static str,
}

/// The setup of the pieces of a table.
pub(crate) fn setup(layout: &Layout, squares: &Squares, turn: Color) -> Setup {
    let mut setup = Setup { turn, ..Setup::EMPTY };
    for (&piece, &square) in layout.pieces.iter().zip(squares) {
        setup.board[usize::from(square)] = Some(piece);
    }
    setup
}

/// The position of an index; `None` if it has no legal position or another index represents it.
pub(crate) fn position(layout: &Layout, index: usize, turn: Color) -> Option<Position> {
    let squares = layout.squares(index);
    let men = layout.pieces.len();
    let distinct = (0..men).all(|a| (0..a).all(|b| squares[a] != squares[b]));
    if !distinct || layout.place(&squares).is_none_or(|place| place.index != index) {
        return None;
    }
    setup(layout, &squares, turn).validate(Tolerance::ALL).ok()
}

impl DtmTables {
    /// Verifies the table of an ending: each value follows from the best legal move, mirrored positions have the same
    /// value, and the header's counts match. With `syzygy`, the result of each position must agree with these tables,
    /// where cursed wins count as wins.
    ///
    /// Positions with an en passant right are verified too. The tables of the successors must exist. Verification takes
    /// about 4 µs per position.
    ///
    /// # Errors
    /// [`VerifyError`] for the first fault.
    pub fn verify(
        &self,
        endgame: &Endgame,
        coverage: Coverage,
        syzygy: Option<&Tablebases>,
        threads: usize,
        stop: &StopFlag,
        report: &dyn Fn(u64, u64),
    ) -> Result<Verified, VerifyError> {
        let table = self.table(endgame)?.ok_or(VerifyError::Missing(*endgame))?;
        let check = Check { tables: self, table, syzygy, every_image: coverage != Coverage::All || endgame.men() < 4 };
        let size = table.layout.size();
        let total = match coverage {
            Coverage::All => 2 * size,
            Coverage::Sample { draws, .. } => usize::try_from(draws).unwrap_or(usize::MAX),
        };
        let mut counts = Counts::default();
        Work { threads, stop }.parallel(
            total,
            |done| report(done as u64, total as u64),
            |range| {
                let mut counts = Counts::default();
                for number in range {
                    let (turn, index) = match coverage {
                        Coverage::All => (Color::ALL[number / size], number % size),
                        Coverage::Sample { seed, .. } => {
                            let mut random = SplitMix64::stream(seed, number as u64);
                            (Color::ALL[random.below(2)], random.below(size))
                        }
                    };
                    check.index(index, turn, &mut counts)?;
                }
                Ok::<_, VerifyError>(counts)
            },
            |part| -> Result<(), VerifyError> {
                counts.merge(&part?);
                Ok(())
            },
        )?;
        if coverage == Coverage::All {
            for ((turn, header), codes) in Color::ALL.into_iter().zip(&table.header().sides).zip(&counts.codes) {
                let counted = codes.summary();
                if *header != counted {
                    let path = table.path().to_owned();
                    let (header, counted) = (Box::new(*header), Box::new(counted));
                    return Err(VerifyError::Counts { path, turn, header, counted });
                }
            }
        }
        if let (0, Coverage::Sample { draws, .. }) = (counts.verified.positions, coverage) {
            return Err(VerifyError::NoPosition { endgame: *endgame, draws });
        }
        Ok(counts.verified)
    }
}

/// The counts.
#[derive(Debug, Default)]
struct Counts {
    verified: Verified,
    codes: [CodeCounts; 2],
}

impl Counts {
    fn merge(&mut self, other: &Self) {
        self.verified.positions += other.verified.positions;
        self.verified.en_passant += other.verified.en_passant;
        self.verified.images += other.verified.images;
        self.verified.syzygy += other.verified.syzygy;
        let pairs = self.codes.iter_mut().zip(&other.codes).flat_map(|(own, other)| own.0.iter_mut().zip(&other.0));
        pairs.for_each(|(own, other)| *own += other);
    }
}

/// The verification of one table.
struct Check<'a> {
    tables: &'a DtmTables,
    table: &'a Table,
    syzygy: Option<&'a Tablebases>,
    /// Whether to compare all images of a position, or only one with swapped colours.
    every_image: bool,
}

impl Check<'_> {
    fn index(&self, index: usize, turn: Color, counts: &mut Counts) -> Result<(), VerifyError> {
        let Some(position) = position(&self.table.layout, index, turn) else { return Ok(()) };
        let value = self.position(index, &position, counts)?;
        counts.verified.positions += 1;
        counts.codes[turn.index()].0[usize::from(value.code())] += 1;
        self.images(index, &position, value, counts)?;
        for pawn in position.pieces(!turn, PieceType::Pawn) & (!turn).relative_rank(Rank::Fourth).bitboard() {
            let passed = Square::from_index(pawn.index() ^ 8);
            let setup = Setup { en_passant: Some(passed), ..position.to_setup() };
            // Reject impossible en passant squares.
            let tolerance = Tolerance { en_passant: false, ..Tolerance::ALL };
            if let Ok(position) = setup.validate(tolerance)
                && position.en_passant().is_some()
            {
                let value = self.position(index, &position, counts)?;
                counts.verified.en_passant += 1;
                self.same(index, &position.flipped(), value, counts)?;
            }
        }
        Ok(())
    }

    /// Compares the value of a position with the values after its moves, and with Syzygy.
    fn position(&self, index: usize, position: &Position, counts: &mut Counts) -> Result<Dtm, VerifyError> {
        let value = self.probe(position)?;
        let mut best = None;
        for mv in position.legal_moves() {
            let after = self.probe(&position.play_unchecked(mv))?.before_move();
            best = best.into_iter().chain([after]).max_by_key(|value: &Dtm| value.preference());
        }
        let expected = best.unwrap_or(if position.in_check() { Dtm::Loss(0) } else { Dtm::Draw });
        if value != expected {
            return Err(self.wrong(index, position, value, expected.to_string(), "by the values after its moves"));
        }
        if let Some(syzygy) = self.syzygy
            && position.occupied().count() > 2
        {
            let Some(wdl) = syzygy.probe_wdl(position)? else { return Err(self.no_syzygy(syzygy, position)) };
            let sign = match wdl {
                Wdl::Win | Wdl::CursedWin => 1,
                Wdl::Loss | Wdl::BlessedLoss => -1,
                Wdl::Draw => 0,
            };
            if sign != value.sign() {
                return Err(self.wrong(index, position, value, wdl.to_string(), "according to Syzygy"));
            }
            counts.verified.syzygy += 1;
        }
        Ok(value)
    }

    fn images(&self, index: usize, position: &Position, value: Dtm, counts: &mut Counts) -> Result<(), VerifyError> {
        let layout = &*self.table.layout;
        let images = if layout.endgame.material().has_pawns() { 2 } else { 8 };
        let squares = layout.squares(index);
        let chosen = if self.every_image { 1..images } else { 1 + index % (images - 1)..2 + index % (images - 1) };
        for reflections in chosen {
            let image = image(&squares, reflections as u8);
            if let Ok(mirrored) = setup(layout, &image, position.turn()).validate(Tolerance::ALL) {
                self.same(index, &mirrored, value, counts)?;
            }
        }
        self.same(index, &position.flipped(), value, counts)
    }

    fn same(&self, index: usize, image: &Position, value: Dtm, counts: &mut Counts) -> Result<(), VerifyError> {
        counts.verified.images += 1;
        let other = self.probe(image)?;
        if other == value {
            return Ok(());
        }
        Err(self.wrong(index, image, other, value.to_string(), "by its mirror image"))
    }

    fn probe(&self, position: &Position) -> Result<Dtm, VerifyError> {
        if let Some(value) = self.tables.probe(position)? {
            return Ok(value);
        }
        Err(VerifyError::Missing(self.endgame(position)))
    }

    /// The ending of a position.
    fn endgame(&self, position: &Position) -> Endgame {
        Endgame::new(Material::of(position)).map_or(self.table.layout.endgame, |(endgame, _)| endgame)
    }

    /// The error for a position whose result Syzygy does not know, because its table or one after a capture is missing.
    fn no_syzygy(&self, syzygy: &Tablebases, position: &Position) -> VerifyError {
        let mut position = position.clone();
        while syzygy.has_wdl(Material::of(&position)) {
            let after = position.legal_moves().into_iter().map(|mv| position.play_unchecked(mv));
            let mut unknown = after.filter(|after| {
                after.occupied().count() < position.occupied().count()
                    && !matches!(syzygy.probe_wdl(after), Ok(Some(_)))
            });
            match unknown.next() {
                Some(after) => position = after,
                None => break,
            }
        }
        VerifyError::NoSyzygy(self.endgame(&position))
    }

    fn wrong(
        &self,
        index: usize,
        position: &Position,
        value: Dtm,
        expected: String,
        according_to: &'static str,
    ) -> VerifyError {
        VerifyError::Wrong(Box::new(WrongValue {
            path: self.table.path().to_owned(),
            block: self.table.block_of(index, position.turn()),
            index,
            fen: position.to_fen(),
            value: value.to_string(),
            expected,
            according_to,
        }))
    }
}
