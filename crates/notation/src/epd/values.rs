//! Typed access to the operands of standard opcodes.

use super::{Epd, EpdError};
use crate::san::{SanError, parse_san};
use crate::text::excerpt;
use bartizan_types::Move;
use std::str::FromStr;

/// The moves of an operand. Some files separate them with commas, or quote several of them.
fn separate(operand: &str) -> impl Iterator<Item = &str> {
    operand.split([',', ' ']).filter(|text| !text.is_empty())
}

/// The moves to mate of an operand such as `#2`, which some suites write after `bm`.
fn mate_length(operand: &str) -> Option<u32> {
    operand.strip_prefix('#').filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
}

impl Epd {
    /// `bm`: the best moves; empty if there is no such operation. Mates such as `bm #2` are not moves: see
    /// [`Epd::direct_mate`].
    ///
    /// # Errors
    /// [`EpdError::Move`] if another operand is not a legal move.
    pub fn best_moves(&self) -> Result<Vec<Move>, EpdError> {
        let moves = self.operands("bm").filter(|text| mate_length(text).is_none());
        moves.map(|text| self.parse_move("bm", text)).collect()
    }

    /// `am`: the moves to avoid; empty if there is no such operation.
    ///
    /// # Errors
    /// [`EpdError::Move`] if an operand is not a legal move.
    pub fn avoid_moves(&self) -> Result<Vec<Move>, EpdError> {
        self.moves("am")
    }

    /// The operands of all operations with this opcode, read as moves of the position.
    ///
    /// # Errors
    /// [`EpdError::Move`] if an operand is not a legal move.
    pub fn moves(&self, opcode: &str) -> Result<Vec<Move>, EpdError> {
        self.operands(opcode).map(|text| self.parse_move(opcode, text)).collect()
    }

    /// The separate operands of all operations with this opcode.
    fn operands<'a>(&'a self, opcode: &'a str) -> impl Iterator<Item = &'a str> {
        let operations = self.operations.iter().filter(move |operation| operation.opcode == opcode);
        operations.flat_map(|operation| &operation.operands).flat_map(|operand| separate(operand))
    }

    /// `pv`: the principal variation; empty if there is no such operation.
    ///
    /// # Errors
    /// [`EpdError::Move`] if a move is not legal in its position.
    pub fn principal_variation(&self) -> Result<Vec<Move>, EpdError> {
        let Some(operation) = self.operation("pv") else { return Ok(Vec::new()) };
        let mut position = self.position.clone();
        let mut line = Vec::with_capacity(operation.operands.len());
        for text in operation.operands.iter().flat_map(|operand| separate(operand)) {
            let mv = parse_san(&position, text).map_err(|error| of_move("pv", error))?;
            position = position.play_unchecked(mv);
            line.push(mv);
        }
        Ok(line)
    }

    /// `id`: the name of the position.
    pub fn id(&self) -> Option<&str> {
        self.operand("id")
    }

    /// `c0` to `c9`: the comment with this number.
    pub fn comment(&self, number: u8) -> Option<&str> {
        self.operand(&format!("c{number}"))
    }

    /// `dm`: the side to move mates in this many moves. Without `dm`, the number of `bm #2`, as some suites write it.
    ///
    /// # Errors
    /// [`EpdError::Operand`] if the operand of `dm` is not a number.
    pub fn direct_mate(&self) -> Result<Option<u32>, EpdError> {
        Ok(self.number("dm")?.or_else(|| self.operands("bm").find_map(mate_length)))
    }

    /// `acd`: the depth of the analysis in plies.
    ///
    /// # Errors
    /// [`EpdError::Operand`] if the operand is not a number.
    pub fn analysis_depth(&self) -> Result<Option<u32>, EpdError> {
        self.number("acd")
    }

    /// `acn`: the number of nodes of the analysis.
    ///
    /// # Errors
    /// [`EpdError::Operand`] if the operand is not a number.
    pub fn analysis_nodes(&self) -> Result<Option<u64>, EpdError> {
        self.number("acn")
    }

    /// `ce`: the value of the position for the side to move, in centipawns.
    ///
    /// # Errors
    /// [`EpdError::Operand`] if the operand is not a number.
    pub fn centipawns(&self) -> Result<Option<i32>, EpdError> {
        self.number("ce")
    }

    /// `D1`, `D2` and so on: depths with their numbers of leaves, in file order.
    ///
    /// # Errors
    /// [`EpdError::Operand`] if an operand is not a number.
    pub fn perft_counts(&self) -> Result<Vec<(u32, u64)>, EpdError> {
        let depth = |opcode: &str| opcode.strip_prefix('D').and_then(|digits| digits.parse().ok());
        let suite = self.operations.iter().filter_map(|operation| Some((depth(&operation.opcode)?, operation)));
        suite.map(|(depth, operation)| Ok((depth, number(&operation.opcode, operation.operands.first())?))).collect()
    }

    /// Moves with points, as in the Strategic Test Suite: `c0 "f5=10, Be5+=2, Bf2=3";`. Empty if there is no such
    /// operation.
    ///
    /// # Errors
    /// [`EpdError::Operand`] if the operand is not such a list, [`EpdError::Move`] if a move is not legal.
    pub fn points(&self, opcode: &str) -> Result<Vec<(Move, i32)>, EpdError> {
        let Some(operation) = self.operation(opcode) else { return Ok(Vec::new()) };
        let entries = operation.operands.iter().flat_map(|operand| operand.split(','));
        entries
            .map(str::trim)
            .filter(|entry| !entry.is_empty())
            .map(|entry| {
                let wrong = || of_operand(opcode, entry, "a move with points");
                // Split at the last `=`: a promotion contains another.
                let (text, points) = entry.rsplit_once('=').ok_or_else(wrong)?;
                let points = points.trim().parse().map_err(|_| wrong())?;
                Ok((self.parse_move(opcode, text.trim())?, points))
            })
            .collect()
    }

    fn parse_move(&self, opcode: &str, text: &str) -> Result<Move, EpdError> {
        parse_san(&self.position, text).map_err(|error| of_move(opcode, error))
    }

    fn number<T: FromStr>(&self, opcode: &str) -> Result<Option<T>, EpdError> {
        self.operation(opcode).map(|operation| number(opcode, operation.operands.first())).transpose()
    }
}

fn number<T: FromStr>(opcode: &str, operand: Option<&String>) -> Result<T, EpdError> {
    let text = operand.map_or("", String::as_str);
    text.parse().map_err(|_| of_operand(opcode, text, "a number"))
}

fn of_move(opcode: &str, error: SanError) -> EpdError {
    EpdError::Move { opcode: excerpt(opcode), error }
}

fn of_operand(opcode: &str, found: &str, expected: &'static str) -> EpdError {
    EpdError::Operand { opcode: excerpt(opcode), found: excerpt(found), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epd(operations: &str) -> Epd {
        Epd::parse(&format!("4k3/P7/8/8/8/8/8/4K2R w K - {operations}")).unwrap()
    }

    fn uci(moves: &[Move]) -> Vec<String> {
        moves.iter().map(Move::to_string).collect()
    }

    #[test]
    fn moves() {
        let epd = epd("bm O-O, Rh7; am a8=Q+ a8R; pv a8=Q+ Kd7 O-O;");
        assert_eq!(uci(&epd.best_moves().unwrap()), ["e1g1", "h1h7"]);
        assert_eq!(uci(&epd.avoid_moves().unwrap()), ["a7a8q", "a7a8r"]);
        assert_eq!(uci(&epd.principal_variation().unwrap()), ["a7a8q", "e8d7", "e1g1"]);
        assert_eq!(epd.moves("sm"), Ok(vec![]));
        let quoted = super::tests::epd("pv \"a8=Q+ Kd7, O-O\";");
        assert_eq!(uci(&quoted.principal_variation().unwrap()), ["a7a8q", "e8d7", "e1g1"]);
    }

    #[test]
    fn a_mate_may_stand_in_place_of_a_best_move() {
        for (operations, moves, mate) in
            [("bm #2;", 0, Some(2)), ("bm Rh7 #13;", 1, Some(13)), ("bm #2; dm 3;", 0, Some(3))]
        {
            let epd = epd(operations);
            assert_eq!((epd.best_moves().unwrap().len(), epd.direct_mate()), (moves, Ok(mate)), "{operations}");
            assert!(epd.to_string().ends_with(operations), "{epd}");
        }
        for operations in ["bm #;", "bm #x;", "bm #-2;", "bm #+2;", "bm #99999999999;"] {
            assert!(epd(operations).best_moves().is_err(), "{operations}");
        }
        assert!(epd("am #2;").avoid_moves().is_err());
    }

    #[test]
    fn numbers_and_strings() {
        let epd = epd("id \"one\"; c3 \"a comment\"; dm 4; acd 20; acn 123456789012; ce -31; D1 9; D2 40;");
        assert_eq!((epd.id(), epd.comment(3), epd.comment(4)), (Some("one"), Some("a comment"), None));
        assert_eq!(epd.direct_mate(), Ok(Some(4)));
        assert_eq!(epd.analysis_depth(), Ok(Some(20)));
        assert_eq!(epd.analysis_nodes(), Ok(Some(123_456_789_012)));
        assert_eq!(epd.centipawns(), Ok(Some(-31)));
        assert_eq!(epd.perft_counts(), Ok(vec![(1, 9), (2, 40)]));
    }

    #[test]
    fn points_of_moves() {
        let points = epd("c0 \"a8=Q=10, O-O=3, Rh7 = -2\";").points("c0").unwrap();
        assert_eq!(points.iter().map(|&(_, points)| points).collect::<Vec<_>>(), [10, 3, -2]);
        assert_eq!(points[0].0.to_string(), "a7a8q");
        assert_eq!(epd("").points("c0"), Ok(vec![]));
    }

    #[test]
    fn errors_name_the_opcode() {
        let epd = epd("bm Rh9; am Ra1; dm x; ce; c0 \"a pawn ending\"; c1 \"Rh7=x\";");
        assert_eq!(epd.best_moves().unwrap_err().to_string(), "bm: invalid move 'Rh9'");
        assert_eq!(epd.avoid_moves().unwrap_err().to_string(), "am: no legal move matches 'Ra1'");
        assert_eq!(epd.direct_mate().unwrap_err().to_string(), "dm: expected a number, found 'x'");
        assert_eq!(epd.centipawns().unwrap_err().to_string(), "ce: expected a number, found ''");
        assert_eq!(epd.points("c0").unwrap_err().to_string(), "c0: expected a move with points, found 'a pawn ending'");
        assert_eq!(epd.points("c1").unwrap_err().to_string(), "c1: expected a move with points, found 'Rh7=x'");
    }
}
