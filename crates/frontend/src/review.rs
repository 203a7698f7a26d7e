//! `bartizan review`: reviews a game of a PGN file.

use crate::terminal::board::{self, View};
use crate::{Output, TerminalStyle};
use bartizan_analysis::{
    Analyser, AnalysisError, DetailOptions, GameReview, Limits, ReviewOptions, ReviewStep, review_game,
};
use bartizan_engine::{NAME, StopFlag};
use bartizan_notation::pgn::{GameTree, PgnError, TreeReader};
use bartizan_position::Position;
use bartizan_protocol::did_you_mean;
use bartizan_review::page::{self, GameReport, ReportData};
use bartizan_review::{TextStyle, moves_of, text};
use bartizan_types::{Color, Escaped, Excerpt, Move};
use std::io::{self, Read, stdin};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// The usual number of nodes for each position: not time, so that the review does not depend on the machine.
pub(crate) const NODES: u64 = 100_000;

/// The hash table of each analyser, in MiB: enough for [`NODES`], and for the searches of reasons.
const HASH_MIB: usize = 16;

/// The maximum number of problems in the text of a game that are shown.
const PROBLEMS: usize = 5;

/// Why a game could not be reviewed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReviewGameError {
    /// The file cannot be read.
    #[error("cannot read {name}: {source}")]
    Io {
        /// The name of the file.
        name: String,
        /// The reason.
        source: io::Error,
    },
    /// The game cannot be read.
    #[error("{name}: {source}")]
    Pgn {
        /// The name of the file.
        name: String,
        /// The reason, with the place.
        source: PgnError,
    },
    /// The file has no games.
    #[error("no games in {0}")]
    NoGames(String),
    /// The file has fewer games.
    #[error("no game {number} in {name}: it has {games}")]
    NoGame {
        /// The name of the file.
        name: String,
        /// The number of the game.
        number: usize,
        /// The number of games.
        games: usize,
    },
    /// The game has no moves.
    #[error("game {number} in {name} has no moves")]
    NoMoves {
        /// The name of the file.
        name: String,
        /// The number of the game.
        number: usize,
    },
    /// Threads or memory are not available, or the search was stopped.
    #[error("cannot review the game: {0}")]
    Analysis(#[from] AnalysisError),
}

/// What to review, from the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewCommand {
    file: PathBuf,
    game: Option<usize>,
    nodes: u64,
    boards: bool,
}

impl ReviewCommand {
    /// The arguments of `bartizan review`.
    pub const USAGE: &'static str = "\
usage: bartizan review GAME.pgn [--game N] [--nodes N] [--boards]
example: bartizan review games.pgn --game 3";

    /// The help below the usage.
    pub const HELP: &'static str = "\
Every position is searched by the built-in engine, with all cores. The review
shows the accuracy of both players, a graph of the chances, and each bad move
with the better line and, where one is confirmed, the reason.

  GAME.pgn       PGN file, also as .gz, .bz2 or .zst; '-' is standard input
  --game N       review game N of the file [default: 1]
  --nodes N      nodes for each position [default: 100000]; the same number
                 gives the same review
  --boards       draw the position before each bad move
  -h, --help     print this help";

    /// Parses the arguments.
    ///
    /// # Errors
    /// What is wrong with them, as text.
    pub fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut command = Self { file: PathBuf::new(), game: None, nodes: NODES, boards: false };
        let mut words = arguments.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let (option, value) = word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
            let mut number = || -> Result<u64, String> {
                let value = value.or_else(|| words.next()).ok_or_else(|| format!("'{option}' needs a number"))?;
                let number = value.parse().ok().filter(|&number| number > 0);
                number.ok_or_else(|| format!("{option}: '{}' is not a number above 0", Excerpt::new(value)))
            };
            match option {
                "--game" => command.game = Some(usize::try_from(number()?).unwrap_or(usize::MAX)),
                "--nodes" => command.nodes = number()?,
                "--boards" if value.is_none() => command.boards = true,
                _ if word.starts_with('-') && word != "-" => {
                    let suggestion = did_you_mean(option, ["--game", "--nodes", "--boards", "--help"]);
                    return Err(format!("unknown option '{}'{suggestion}\n{}", Excerpt::new(word), Self::USAGE));
                }
                _ if command.file.as_os_str().is_empty() => command.file = PathBuf::from(word),
                _ => return Err(format!("unexpected argument '{}'\n{}", Excerpt::new(word), Self::USAGE)),
            }
        }
        if command.file.as_os_str().is_empty() {
            return Err(format!("no file given\n{}", Self::USAGE));
        }
        Ok(command)
    }

    /// Reads the game, reviews it and prints the review. Problems in the text of the game are warnings. `progress` is
    /// called after each search.
    ///
    /// # Errors
    /// [`ReviewGameError`]; nothing has been printed.
    pub fn run(&self, output: &mut Output, progress: impl FnMut(ReviewStep)) -> Result<(), ReviewGameError> {
        let number = self.game.unwrap_or(1);
        let mut games = TreeReader::new(self.open().map_err(|source| self.cannot_read(source))?);
        let read = games.by_ref().nth(number - 1);
        let Some(read) = read else {
            let (name, games) = (self.name(), games.games());
            return Err(match games {
                0 => ReviewGameError::NoGames(name),
                _ => ReviewGameError::NoGame { name, number, games },
            });
        };
        let tree = read.map_err(|source| ReviewGameError::Pgn { name: self.name(), source })?;
        for problem in tree.problems().iter().take(PROBLEMS) {
            output.complain(format_args!("warning: {}: game {number}, {problem}", self.name()));
        }
        if let Some(more) = tree.problems().len().checked_sub(PROBLEMS).filter(|&more| more > 0) {
            output.complain(format_args!("warning: {more} more problems"));
        }
        if self.game.is_none() && games.next().is_some() {
            output.complain(format_args!("note: {} has more games; --game N reviews another", self.name()));
        }
        let request = ReviewRequest { skipped: 0, nodes: self.nodes, details: Details::Reasons };
        let stop = StopFlag::new();
        let review = request.review(tree.clone(), &stop, progress)?;
        let review = review.ok_or_else(|| ReviewGameError::NoMoves { name: self.name(), number })?;
        output.line(draw(&tree, &review, output.style(), self.boards));
        Ok(())
    }

    fn is_standard_input(&self) -> bool {
        self.file.as_os_str() == "-" || bartizan_files::is_standard_input(&self.file)
    }

    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        if self.is_standard_input() {
            bartizan_files::check_standard_input()?;
            return bartizan_files::decompress(stdin());
        }
        bartizan_files::open(&self.file)
    }

    fn cannot_read(&self, source: io::Error) -> ReviewGameError {
        ReviewGameError::Io { name: self.name(), source }
    }

    /// The file for messages.
    fn name(&self) -> String {
        if self.is_standard_input() {
            "standard input".to_owned()
        } else {
            format!("'{}'", Escaped(self.file.display()))
        }
    }
}

/// What to search of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReviewRequest {
    /// The number of first plies that are not judged.
    pub(crate) skipped: usize,
    /// The nodes for each position.
    pub(crate) nodes: u64,
    /// What is added to the judgement.
    pub(crate) details: Details,
}

/// What is added to the judgement of the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Details {
    Nothing,
    /// The reasons of mistakes.
    Reasons,
    /// What a page shows: reasons, critical moments, and moves that were the only good ones.
    Page,
}

impl ReviewRequest {
    /// Reviews a game on all cores. `None` if there is no move to judge.
    ///
    /// # Errors
    /// [`AnalysisError::Stopped`] after a stop; if threads or memory are not available.
    pub(crate) fn review(
        self,
        tree: GameTree,
        stop: &StopFlag,
        progress: impl FnMut(ReviewStep),
    ) -> Result<Option<GameReview>, AnalysisError> {
        let Some(moves) = moves_of(&tree).count().checked_sub(self.skipped).filter(|&moves| moves > 0) else {
            return Ok(None);
        };
        let threads = bartizan_parallel::cores().get().min(moves + 1);
        let start = |_| Ok(Analyser::new(1, HASH_MIB)?.stop_by(stop));
        let mut analysers = (0..threads).map(start).collect::<Result<Vec<_>, AnalysisError>>()?;
        let is_page = self.details == Details::Page;
        let only_moves = is_page.then(|| Limits::nodes(self.nodes.div_ceil(4)));
        let options = ReviewOptions { limits: Limits::nodes(self.nodes), only_moves };
        let usual = DetailOptions::default();
        let critical = if is_page { usual.critical } else { 0 };
        let detail = DetailOptions { reasons: self.details != Details::Nothing, critical, ..usual };
        let reviewed = review_game(tree, self.skipped, &mut analysers, &options, &detail, progress);
        reviewed.map_err(|error| *error.source)
    }
}

/// How a review in a separate thread has ended.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReviewOutcome {
    /// The game with its review.
    Reviewed(Box<GameTree>, Box<GameReview>),
    /// The user stopped it.
    Stopped,
    /// It failed, with the reason.
    Failed(String),
}

impl ReviewRequest {
    /// As [`ReviewRequest::review`], for a thread that must answer whatever happens.
    pub(crate) fn outcome(self, tree: GameTree, stop: &StopFlag) -> ReviewOutcome {
        // Nothing that the review has changed is used after a panic, which the hook has reported.
        let reviewed = catch_unwind(AssertUnwindSafe(|| self.review(tree.clone(), stop, |_| {})));
        match reviewed {
            Ok(Ok(Some(review))) => ReviewOutcome::Reviewed(Box::new(tree), Box::new(review)),
            Ok(Ok(None)) => ReviewOutcome::Failed("no moves to review".to_owned()),
            Ok(Err(AnalysisError::Stopped)) => ReviewOutcome::Stopped,
            Ok(Err(error)) => ReviewOutcome::Failed(error.to_string()),
            Err(_) => ReviewOutcome::Failed("the review has failed".to_owned()),
        }
    }
}

/// The review as an HTML page.
pub(crate) fn page(tree: &GameTree, review: &GameReview) -> String {
    let games = vec![GameReport::new(tree, &review.judged, &review.details)];
    let budget = format!("{NODES} nodes per position");
    page::html(&ReportData { title: String::new(), engine: NAME.to_owned(), budget, games })
}

/// The review as text, in the style of an output.
pub(crate) fn draw(tree: &GameTree, review: &GameReview, style: TerminalStyle, has_boards: bool) -> String {
    let board = |position: &Position, last_move: Option<Move>| {
        board::draw(position, View { bottom: Color::White, last_move, style })
    };
    let style = TextStyle {
        colors: style.colors,
        blocks: style.colors && style.figurines,
        board: if has_boards { Some(&board) } else { None },
    };
    text(tree, &review.judged, &review.details.reasons, style).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_files::{Compression, Compressor};
    use std::io::Write;

    fn parse(text: &str) -> Result<ReviewCommand, String> {
        ReviewCommand::parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_in_any_order() {
        let expected = ReviewCommand { file: "a.pgn".into(), game: Some(3), nodes: 500, boards: true };
        assert_eq!(parse("a.pgn --game 3 --nodes=500 --boards"), Ok(expected.clone()));
        assert_eq!(parse("--boards --nodes 500 --game=3 a.pgn"), Ok(expected));
        let usual = ReviewCommand { file: "-".into(), game: None, nodes: NODES, boards: false };
        assert_eq!(parse("-"), Ok(usual));
        for (arguments, error) in [
            ("", "no file given"),
            ("a b", "unexpected argument 'b'"),
            ("a --nods 3", "unknown option '--nods'; did you mean '--nodes'?"),
            ("a --nodes", "'--nodes' needs a number"),
            ("a --game 0", "--game: '0' is not a number above 0"),
            ("a --game=x", "--game: 'x' is not a number above 0"),
            ("a --boards=1", "unknown option '--boards=1'"),
        ] {
            let found = parse(arguments).unwrap_err();
            assert!(found.starts_with(error), "{arguments}: {found}");
        }
    }

    #[test]
    fn compressed_games_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.pgn.gz");
        let mut game = Compressor::new(Vec::new(), Compression::of_name(&file));
        game.write_all(b"[White \"A\"]\n\n1. e4 *").unwrap();
        std::fs::write(&file, game.finish().unwrap()).unwrap();
        let command = ReviewCommand { file, game: None, nodes: 100, boards: false };
        let mut steps = Vec::new();
        command.run(&mut Output::new(io::sink(), io::sink()), |step| steps.push(step)).unwrap();
        let positions = [1, 2].map(|done| ReviewStep::Positions { done, total: 2 });
        assert_eq!(steps, positions);
    }

    #[test]
    fn the_help_fits_a_terminal() {
        for line in ReviewCommand::HELP.lines().chain(ReviewCommand::USAGE.lines()) {
            assert!(line.len() <= 80, "{line}");
        }
    }

    #[test]
    fn a_stop_ends_a_review() {
        let tree: GameTree = "1. e4 e5 *".parse().unwrap();
        let stop = StopFlag::new();
        stop.stop();
        let request = ReviewRequest { skipped: 0, nodes: u64::MAX, details: Details::Page };
        assert!(matches!(request.review(tree.clone(), &stop, |_| {}), Err(AnalysisError::Stopped)));
        let nothing = ReviewRequest { skipped: 2, nodes: 1, details: Details::Nothing };
        assert!(nothing.review(tree, &StopFlag::new(), |_| {}).unwrap().is_none());
    }
}
