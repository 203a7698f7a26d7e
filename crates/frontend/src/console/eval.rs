//! `eval`: the static evaluation of a position, and its explanation.

use super::{ConsoleError, replace_file, require_position};
use crate::words::unquoted;
use crate::{FrontEnd, TerminalStyle};
use bartizan_engine::{Engine, EvaluationKind, EvaluationModel, MaterialCount, Network, shown};
use bartizan_eval::{ContributionBoard, PieceContribution, explain, known_value};
use bartizan_notation::epd::Epd;
use bartizan_notation::list;
use bartizan_notation::pgn::MarkColor;
use bartizan_notation::svg::{BoardPicture, Gallery, SquareLabel};
use bartizan_position::Position;
use bartizan_types::{Escaped, Value};
use std::path::Path;

/// The options given by the arguments.
#[derive(Debug, PartialEq, Eq)]
enum Request<'a> {
    /// The evaluation of the current position, as text.
    Text,
    /// A picture of it.
    Picture(&'a Path),
    /// The evaluations of the positions of a file.
    File(&'a Path),
}

impl<'a> Request<'a> {
    fn parse(arguments: &'a str) -> Result<Self, ConsoleError> {
        if arguments.is_empty() {
            return Ok(Self::Text);
        }
        let rest = arguments.strip_prefix("--svg").filter(|it| it.is_empty() || it.starts_with(['=', ' ', '\t']));
        let path = rest.map_or(arguments, |rest| rest.strip_prefix('=').unwrap_or(rest).trim());
        let path = Path::new(unquoted(path));
        if path.as_os_str().is_empty() {
            return Err(ConsoleError::Missing { command: "eval", expected: "the file of the picture" });
        }
        let is_picture = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
        Ok(if rest.is_some() || is_picture { Self::Picture(path) } else { Self::File(path) })
    }
}

/// `eval` for the current position, `eval --svg FILE` for a picture of it, `eval FILE` for the positions of a file.
pub(super) fn eval<F: FrontEnd>(front: &mut F, arguments: &str) -> Result<(), ConsoleError> {
    let request = Request::parse(arguments)?;
    if let Request::Text | Request::Picture(_) = request
        && let Err(error) = require_position(front, "eval")
    {
        if request == Request::Text {
            front.session().output.line("Final evaluation: none (no position)");
        }
        return Err(error);
    }
    let session = front.session();
    match request {
        Request::Text => {
            let text = evaluation(&session.engine, session.output.style());
            session.output.line(text);
        }
        Request::Picture(path) => {
            let picture = picture(&session.engine)?;
            replace_file(path, "an SVG picture", "<svg", &picture)?;
            session.output.line(format_args!("{}: picture written", Escaped(path.display())));
        }
        Request::File(path) => {
            for text in evaluate_file(path, &session.engine.evaluation_model())? {
                session.output.line(text);
            }
        }
    }
    Ok(())
}

/// A value in displayed units, with its sign.
fn in_pawns(value: Value, position: &Position) -> String {
    format!("{:+.2}", f64::from(shown(value, MaterialCount::of(position))) / 100.0)
}

/// The static evaluation of the current position: the value in displayed and in internal centipawns, then a table of
/// its terms and a board with the value of each piece. With a network, its value comes first and its board after that.
/// The last line is the value that searches use.
fn evaluation(engine: &Engine, style: TerminalStyle) -> String {
    let position = engine.position();
    if position.in_check() {
        let network = "Network: no value (the side to move is in check)\n";
        let network = if engine.network().is_some() { network } else { "" };
        return format!(
            "{network}Static evaluation: none (the side to move is in check)\n\nFinal evaluation: none (in check)"
        );
    }
    let explanation = explain(position);
    let network = by_network(engine);
    let mut text = network.map_or_else(String::new, |(_, value)| network_value(engine, value) + "\n");
    text += &format!(
        "Static evaluation: {} (in pawns for White; in the units of the search: {:+})\n\n",
        in_pawns(explanation.white, position),
        explanation.white.0,
    );
    text += &if style.colors { explanation.colored().to_string() } else { explanation.to_string() };
    if let Some((network, _)) = network {
        let pieces = network.explain(position);
        let board = ContributionBoard::new(&pieces, explanation.pawn);
        let board = if style.colors { board.colored() } else { board };
        text += &format!("\nWhat each piece adds to its side by the network, in pawns:\n\n{board}");
    }
    text.truncate(text.trim_end().len());
    let searched = engine.searched_value().map_or(explanation.white, |value| for_white(position, value));
    // In the form of Stockfish, for clients that read it there; they also read the empty line.
    text + &format!("\n\nFinal evaluation {} (white side)\n", in_pawns(searched, position))
}

/// The network's value and the value that searches use, as readable text.
fn network_value(engine: &Engine, value: Value) -> String {
    let position = engine.position();
    let is_known = known_value(position).is_some();
    let source = if is_known { ", from endgame knowledge" } else { "" };
    let searched = match (engine.options().evaluation, engine.searched_value()) {
        (EvaluationKind::Combined, Some(searched)) if !is_known => {
            let mean = for_white(position, searched);
            let shown = in_pawns(mean, position);
            format!("the mean of this and the static evaluation: {shown} (in the units of the search: {:+})", mean.0)
        }
        _ => "this value".to_owned(),
    };
    let pawns = in_pawns(value, position);
    format!(
        "Network: {pawns} (in pawns for White; in the units of the search: {:+}{source}). Searches use {searched}.",
        value.0
    )
}

fn for_white(position: &Position, value: Value) -> Value {
    if position.turn().is_white() { value } else { -value }
}

/// The network and its value of the current position from White's view.
fn by_network(engine: &Engine) -> Option<(&Network, Value)> {
    Some((engine.network()?, for_white(engine.position(), engine.network_value()?)))
}

/// A picture of the board with the value of each piece by the hand-written terms and, next to it, by the network if
/// there is one. The captions show the values from White's view.
fn picture(engine: &Engine) -> Result<String, ConsoleError> {
    let position = engine.position();
    if position.in_check() {
        return Err(ConsoleError::InCheck);
    }
    let explanation = explain(position);
    let board = |pieces: &[PieceContribution]| {
        let worths = pieces.iter().filter_map(|it| Some((it.square, it.pawns(explanation.pawn)?)));
        let labels = worths.map(|(square, worth)| {
            let color = (worth < 0.0).then_some(MarkColor::Red);
            SquareLabel { square, text: format!("{worth:.2}"), color }
        });
        labels.fold(BoardPicture::new(position), BoardPicture::label)
    };
    let caption = |name: &str, value: Value| format!("{name}: {}", in_pawns(value, position));
    let mut gallery =
        Gallery::new().board(caption("Hand-written terms", explanation.white), board(&explanation.pieces));
    if let Some((network, value)) = by_network(engine) {
        gallery = gallery.board(caption("Network", value), board(&network.explain(position)));
    }
    Ok(gallery.to_string())
}

/// For each position of an EPD or FEN file, a line with the value that searches use, for the side to move in internal
/// centipawns, and that of the colour-flipped mirror image, which must be the same; below it the table of the
/// hand-written terms. A line that is not a position is reported in its place.
fn evaluate_file(path: &Path, model: &EvaluationModel) -> Result<Vec<String>, ConsoleError> {
    let io = |source| ConsoleError::Io { path: path.to_owned(), source };
    let bytes = crate::files::read(path).map_err(io)?;
    let text = list::decode_file(&bytes).map_err(io)?;
    let value = |position: &Position| {
        if position.in_check() { "in check".to_owned() } else { model.value(position).0.to_string() }
    };
    Ok(list::records(&text)
        .map(|(number, line)| match Epd::parse(line) {
            Ok(epd) => {
                let (here, flipped) = (value(&epd.position), value(&epd.position.flipped()));
                let mark = if here == flipped { "" } else { "  DIFFERENT" };
                let line = format!("{here:>8} {flipped:>8}  {}{mark}", epd.position.to_fen());
                match epd.position.in_check() {
                    true => line,
                    false => format!("{line}\n\n{}", explain(&epd.position).table()),
                }
            }
            Err(error) => format!("{}: line {number}: {error}", Escaped(path.display())),
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_ask_for_a_picture_by_switch_or_ending() {
        let picture = |path| Request::Picture(Path::new(path));
        let file = |path| Request::File(Path::new(path));
        for (arguments, expected) in [
            ("", Request::Text),
            ("a b.epd", file("a b.epd")),
            ("svg", file("svg")),
            (".svg", file(".svg")),
            ("a b.svg", picture("a b.svg")),
            ("A.SVG", picture("A.SVG")),
            ("--svg a b", picture("a b")),
            ("--svg=a", picture("a")),
            ("\"a b.epd\"", file("a b.epd")),
            ("--svg=\"a b\"", picture("a b")),
            ("--svg\ta.epd", picture("a.epd")),
            ("--svgs", file("--svgs")),
        ] {
            assert_eq!(Request::parse(arguments).unwrap(), expected, "{arguments}");
        }
        for arguments in ["--svg", "--svg="] {
            let error = Request::parse(arguments).unwrap_err();
            assert_eq!(error.to_string(), "eval: the file of the picture is missing");
        }
    }
}
