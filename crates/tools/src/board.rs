//! `board`: a position as an SVG picture.

use crate::files::{refuse_other_picture, replace, shown};
use crate::output::say_part;
use anyhow::{Context, ensure};
use bartizan_notation::san::{parse_san, split_moves};
use bartizan_notation::svg::{Arrow, BoardPicture, SquareMark, Theme};
use bartizan_position::{Game, Position, Tolerance};
use bartizan_types::Color;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
A letter before the squares of an arrow or circle sets its colour: G, R, Y, B,
O or C, as in the PGN comments [%cal] and [%csl].

Examples:
  bartizan-tools board --moves '1. e4 e5 2. Nf3' --arrow Bb8c6 --out board.svg
  bartizan-tools board '8/8/8/8/8/2k5/2P5/2K5 b - - 0 1' --black > board.svg
  bartizan-tools board | rsvg-convert --width 800 > board.png";

/// The arguments of `board`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// FEN of the position [default: the starting position]
    #[arg(value_name = "FEN")]
    position: Option<String>,
    /// Moves to play first, in SAN or coordinates (e2e4); the last one is highlighted
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// Show Black's side at the bottom
    #[arg(long)]
    black: bool,
    /// Arrow, such as e2e4 or Re2e4; may be repeated
    #[arg(long, value_name = "SQUARES")]
    arrow: Vec<Arrow>,
    /// Circle around a square, such as e4 or Re4; may be repeated
    #[arg(long, value_name = "SQUARE")]
    mark: Vec<SquareMark>,
    /// Colours: brown, green, blue or grey
    #[arg(long, value_name = "THEME", default_value = "brown")]
    theme: Theme,
    /// Omit the frame with the coordinates
    #[arg(long)]
    no_coordinates: bool,
    /// Width and height of the picture [default: left to the viewer]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=16_384))]
    size: Option<u32>,
    /// SVG output file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Writes the picture.
///
/// # Errors
/// Names the position, the move or the file, and the problem.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.out.as_deref().map_or(Ok(()), refuse_other_picture)?;
    let start = match &args.position {
        None => Position::startpos(),
        Some(fen) => Position::from_fen_with(fen, Tolerance::ALL).with_context(|| format!("'{}'", shown(fen)))?,
    };
    let mut game = Game::new(start);
    for san in split_moves(args.moves.as_deref().unwrap_or_default()) {
        let mv = parse_san(game.position(), san).with_context(|| format!("--moves: move '{}'", shown(san)))?;
        ensure!(game.push(mv).is_ok(), "--moves: illegal move '{}'", shown(san));
    }
    let mut board = BoardPicture::new(game.position())
        .seen_by(if args.black { Color::Black } else { Color::White })
        .last_move(game.moves().last())
        .coordinates(!args.no_coordinates)
        .theme(args.theme);
    if let Some(size) = args.size {
        board = board.size(size);
    }
    let board = args.arrow.iter().fold(board, |board, &arrow| board.arrow(arrow));
    let board = args.mark.iter().fold(board, |board, &mark| board.mark(mark));
    match &args.out {
        Some(path) => replace(path, board.to_string().as_bytes())?,
        None => say_part!("{board}")?,
    }
    Ok(ExitCode::SUCCESS)
}
