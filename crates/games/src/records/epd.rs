//! Positions with results, one per line.

use super::{LoadErrorKind, PositionRecord, Record, parse_result};
use bartizan_notation::epd::Epd;
use bartizan_notation::list;
use std::io::BufRead;

pub(super) fn read(reader: impl BufRead) -> impl Iterator<Item = Result<Record, LoadErrorKind>> {
    reader.split(b'\n').zip(1..).filter_map(|(line, number)| {
        let line = line.and_then(|line| {
            if number == 1 {
                list::refuse_utf16(&line)?;
            }
            Ok(line)
        });
        let line = match line {
            Ok(line) => line,
            Err(error) => return Some(Err(error.into())),
        };
        list::record(&list::decode(&line)).map(|text| record(text, number))
    })
}

/// Splits `[0.5]` off the end of a line.
fn split_tag(line: &str) -> (&str, Option<&str>) {
    let tagged = line.strip_suffix(']').and_then(|line| line.rsplit_once('['));
    // A bracket within quotation marks belongs to an operand.
    match tagged {
        Some((before, tag)) if !tag.contains(['"', ';']) => (before.trim_end(), Some(tag)),
        _ => (line, None),
    }
}

fn record(line: &str, number: usize) -> Result<Record, LoadErrorKind> {
    let (text, tag) = split_tag(line);
    let epd = Epd::parse(text).map_err(|error| LoadErrorKind::Epd { line: number, error })?;
    let result = tag.or_else(|| epd.operand("c9")).or_else(|| epd.operand("c2"));
    let result = result.ok_or(LoadErrorKind::NoResult { line: number })?;
    let result = parse_result(result).map_err(|error| LoadErrorKind::Result { line: number, error })?;
    let score = epd.centipawns().map_err(|error| LoadErrorKind::Epd { line: number, error })?;
    let for_white = if epd.position.turn().is_white() { 1 } else { -1 };
    let id = epd.id().map(str::to_owned);
    Ok(Record::Position(PositionRecord { position: epd.position, result, score: score.map(|cp| for_white * cp), id }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> Vec<Result<PositionRecord, String>> {
        let position = |record| match record {
            Record::Position(position) => position,
            other => panic!("{other:?}"),
        };
        read(text.as_bytes()).map(|record| record.map(position).map_err(|error| error.to_string())).collect()
    }

    #[test]
    fn each_form_of_a_result_is_read() {
        let fen = "8/8/8/8/8/8/7P/K1k5 b - -";
        let text = format!(
            "# comment\n{fen} c9 \"1-0\";\r\n\n\
             {fen} c2 \"0.5\"; ce 31; id \"game 7\";\n{fen} 0 1 [0.0]\n{fen} c9 \"1/2-1/2\";\n\
             {fen} c9 \"0.375\";\n{fen} [0.125]"
        );
        let read = read_all(&text);
        let results: Vec<_> = read.iter().map(|record| record.as_ref().unwrap().result.to_f64()).collect();
        assert_eq!(results, [1.0, 0.5, 0.0, 0.5, 0.375, 0.125]);
        let second = read[1].as_ref().unwrap();
        assert_eq!((second.score, second.id.as_deref()), (Some(-31), Some("game 7")));
    }

    #[test]
    fn invalid_lines_are_reported_and_the_next_is_read() {
        let fen = "8/8/8/8/8/8/7P/K1k5 b - -";
        let text = format!(
            "hello\n{fen}\n{fen} c9 \"maybe\";\n{fen} [2]\n{fen} c9 \"1-0\"; ce x;\n{fen} [1]\n{fen} c9 \"1.25\";"
        );
        let read = read_all(&text);
        let errors: Vec<&str> = read[..5].iter().map(|record| record.as_ref().unwrap_err().as_str()).collect();
        assert!(errors[0].starts_with("line 1: "), "{errors:?}");
        assert_eq!(errors[1], "line 2: no result, expected c9, c2 or a final [0.5]");
        assert!(errors[2].starts_with("line 3: invalid result 'maybe'"), "{errors:?}");
        assert!(errors[3].starts_with("line 4: invalid result '2'"), "{errors:?}");
        assert!(errors[4].starts_with("line 5: ce: "), "{errors:?}");
        assert!(read[5].is_ok());
        let error = read[6].as_ref().unwrap_err();
        assert!(error.starts_with("line 7: invalid result '1.25', expected "), "{error}");
    }
}
