//! The binary files of `bartizan-tools selfplay`, which documents the layout.

use super::{GameRecord, LoadErrorKind, Record, RecordFault};
use bartizan_position::PackedPosition;
use bartizan_types::Move;
use std::io::{self, BufRead};

pub(super) const MAGIC: &[u8; 8] = b"BZSELF01";
/// Number, result, plies and first position.
const HEADER: usize = 40;

pub(super) fn read<R: BufRead>(reader: R) -> Result<SelfplayReader<R>, LoadErrorKind> {
    let mut magic = [0; MAGIC.len()];
    let mut reader = SelfplayReader { reader, offset: MAGIC.len() as u64, record: 0 };
    if reader.fill(&mut magic)? < MAGIC.len() || &magic != MAGIC {
        return Err(LoadErrorKind::NotSelfplay);
    }
    Ok(reader)
}

pub(super) struct SelfplayReader<R> {
    reader: R,
    /// Where the next record begins.
    offset: u64,
    record: usize,
}

impl<R: BufRead> SelfplayReader<R> {
    /// Reads until the buffer is full or the file ends; how many bytes there were.
    fn fill(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut length = 0;
        while length < buffer.len() {
            match self.reader.read(&mut buffer[length..]) {
                Ok(0) => break,
                Ok(n) => length += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(length)
    }

    fn next_record(&mut self) -> Result<Option<Record>, LoadErrorKind> {
        self.record += 1;
        let (record, offset) = (self.record, self.offset);
        let unfinished = LoadErrorKind::Unfinished { record, offset };
        let mut head = [0; 4 + HEADER];
        match self.fill(&mut head)? {
            0 => return Ok(None),
            n if n < head.len() => return Err(unfinished),
            _ => {}
        }
        let word = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let length = u32::from(word(0)) | u32::from(word(2)) << 16;
        let plies = word(10);
        let fault = |fault| LoadErrorKind::Record { record, offset, fault };
        if length as usize != HEADER + 4 * usize::from(plies) {
            return Err(fault(RecordFault::Length { length, plies }));
        }
        let mut moves = vec![0; 4 * usize::from(plies)];
        if self.fill(&mut moves)? < moves.len() {
            return Err(unfinished);
        }
        self.offset += 4 + u64::from(length);
        let mut packed = PackedPosition([0; 32]);
        packed.0.copy_from_slice(&head[12..]);
        game(head[8], &packed, &moves).map(|game| Some(Record::Game(game))).map_err(fault)
    }
}

fn game(result: u8, start: &PackedPosition, bytes: &[u8]) -> Result<GameRecord, RecordFault> {
    if result > 2 {
        return Err(RecordFault::Result(result));
    }
    let start = start.unpack()?;
    let mut position = start.clone();
    let mut moves = Vec::with_capacity(bytes.len() / 4);
    for (index, four) in bytes.chunks_exact(4).enumerate() {
        let bits = u16::from_le_bytes([four[0], four[1]]);
        let for_mover = i32::from(i16::from_le_bytes([four[2], four[3]]));
        let illegal = || RecordFault::Move { ply: index + 1, bits };
        let mv = Move::from_bits(bits).ok_or_else(illegal)?;
        let score = if position.turn().is_white() { for_mover } else { -for_mover };
        position = position.play(mv).map_err(|_| illegal())?;
        moves.push((mv, Some(score)));
    }
    Ok(GameRecord { start, moves, result, is_shown: false })
}

impl<R: BufRead> Iterator for SelfplayReader<R> {
    type Item = Result<Record, LoadErrorKind>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_record().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_position::Position;

    fn record(result: u8, moves: &[(&str, i16)]) -> Vec<u8> {
        let mut position = Position::startpos();
        let mut body = [&7_u32.to_le_bytes()[..], &[result, 0], &(moves.len() as u16).to_le_bytes()].concat();
        body.extend(PackedPosition::pack(&position).0);
        for &(text, score) in moves {
            let mv = position.parse_uci(text).unwrap();
            position = position.play(mv).unwrap();
            body.extend(mv.to_bits().to_le_bytes());
            body.extend(score.to_le_bytes());
        }
        [&(body.len() as u32).to_le_bytes()[..], &body].concat()
    }

    fn file(records: &[Vec<u8>]) -> Vec<u8> {
        [&MAGIC[..], &records.concat()].concat()
    }

    fn read_all(bytes: &[u8]) -> Vec<Result<GameRecord, String>> {
        let game = |record| match record {
            Record::Game(game) => game,
            other => panic!("{other:?}"),
        };
        read(bytes).unwrap().map(|record| record.map(game).map_err(|error| error.to_string())).collect()
    }

    #[test]
    fn games_are_read() {
        let read = read_all(&file(&[record(2, &[("e2e4", 30), ("e7e5", -20)]), record(0, &[])]));
        let game = read[0].as_ref().unwrap();
        assert_eq!(game.moves.iter().map(|&(_, score)| score).collect::<Vec<_>>(), [Some(30), Some(20)]);
        assert_eq!((game.result, game.start == Position::startpos()), (2, true));
        assert_eq!(read[1].as_ref().unwrap().result, 0);
    }

    /// Cut at any byte: the whole records are read, and the rest is an error that says where it begins.
    #[test]
    fn an_unfinished_record_is_named() {
        let whole = file(&[record(2, &[("e2e4", 30)]), record(0, &[("d2d4", 1), ("d7d5", 2)])]);
        let second = 8 + 4 + HEADER + 4;
        for cut in 8..whole.len() {
            let read = read_all(&whole[..cut]);
            let (games, rest): (Vec<_>, Vec<_>) = read.iter().partition(|record| record.is_ok());
            assert_eq!(games.len(), usize::from(cut >= second), "cut at {cut}");
            if cut == 8 || cut == second {
                assert!(rest.is_empty(), "cut at {cut}");
            } else {
                let (number, offset) = if cut < second { (1, 8) } else { (2, second) };
                let expected = format!("record {number} at byte {offset} is unfinished");
                assert_eq!(rest, [&Err(expected)], "cut at {cut}");
            }
        }
    }

    #[test]
    fn broken_records_are_named() {
        let good = record(1, &[("e2e4", 30)]);
        let change = |at: usize, byte: u8| {
            let mut bad = good.clone();
            bad[at] = byte;
            bad
        };
        for (bad, expected) in [
            (change(8, 3), "record 1 at byte 8: 3 is no result"),
            (change(0, 45), "record 1 at byte 8: 45 bytes cannot hold a game of 1 plies"),
            (change(44, 0), "record 1 at byte 8: ply 1: the bits"),
        ] {
            let read = read_all(&file(&[bad, good.clone()]));
            assert!(read[0].as_ref().unwrap_err().starts_with(expected), "{read:?}");
        }
        // No two kings.
        let read = read_all(&file(&[change(12, 0), good.clone()]));
        assert!(read[0].as_ref().unwrap_err().contains("record 1 at byte 8: "), "{read:?}");
        assert!(read[1].is_ok(), "the next one is read");
        assert!(matches!(super::read(&b"PGN, no"[..]), Err(LoadErrorKind::NotSelfplay)));
    }
}
