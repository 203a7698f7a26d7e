//! Explains the value of a network.

use crate::block;
use crate::level::Level;
use crate::network::Network;
use bartizan_eval::PieceContribution;
use bartizan_position::Position;
use bartizan_types::{PieceType, Value};

impl Network {
    /// What each piece adds to the value of a position: the value with the piece minus the value without it, from
    /// White's view, in internal centipawns. The pieces are in the order of their squares, from a1 to h8; kings have no
    /// worth.
    ///
    /// The side to move stays the same, even where the smaller board is illegal because that side could capture a king:
    /// the network sees pieces on squares and knows no rules. The value without a piece comes from the output bucket of
    /// the smaller board, because a search uses that bucket once the piece is captured, and the bucket of the whole
    /// position was never trained on fewer men. Where the two buckets differ, each worth includes the step between
    /// them.
    ///
    /// The worths do not add up to the value, because the pieces depend on each other. Computing them takes about as
    /// long as evaluating each board from a ready accumulator; it is for display, not for searching.
    ///
    /// ```
    /// # use bartizan_network::{Architecture, Network, NetworkOrigin, NetworkWeights, Quantisation};
    /// use bartizan_position::Position;
    /// use bartizan_types::{Square, Value};
    ///
    /// # fn network() -> Result<Network, Box<dyn std::error::Error>> {
    /// #     let architecture = Architecture::new(32, [0; 32], 31)?;
    /// #     let weights = NetworkWeights {
    /// #         input: vec![0; architecture.inputs() * 32],
    /// #         hidden_bias: vec![0; 32],
    /// #         output: vec![0; 2 * 32 * 31],
    /// #         output_bias: (0..31).map(|more_men| 255 * 64 / 4 * more_men).collect(),
    /// #     };
    /// #     Ok(Network::new(architecture, Quantisation::USUAL, &weights, NetworkOrigin::default())?)
    /// # }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// // A network that only counts men, a hundred centipawns each.
    /// let network = network()?;
    /// let position = Position::from_fen("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1")?;
    /// let worths = network.explain(&position);
    /// assert_eq!((worths[0].square, worths[0].value), (Square::E1, None));
    /// assert_eq!((worths[1].square, worths[1].value), (Square::D2, Some(Value(100))));
    /// # Ok(())
    /// # }
    /// ```
    pub fn explain(&self, position: &Position) -> Vec<PieceContribution> {
        let mut sides = [position.turn(), !position.turn()].map(|perspective| {
            let view = self.architecture().view(perspective, position.king(perspective));
            (view, self.accumulator(position, view))
        });
        let with = self.output(Level::best(), self.architecture().output(position), &sides[0].1, &sides[1].1);
        let bucket = self.architecture().output_for(position.occupied().count() as usize - 1);
        let mut worth = |piece, square| {
            for (view, sums) in &mut sides {
                block::subtract(sums, self.row(view.input(piece, square)));
            }
            let without = self.output(Level::best(), bucket, &sides[0].1, &sides[1].1);
            for (view, sums) in &mut sides {
                block::add(sums, self.row(view.input(piece, square)));
            }
            let difference = Value(with.0 - without.0);
            if position.turn().is_white() { difference } else { -difference }
        };
        position
            .placement()
            .map(|(square, piece)| {
                let worth = (piece.piece_type() != PieceType::King).then(|| worth(piece, square));
                PieceContribution { square, piece, value: worth }
            })
            .collect()
    }
}
