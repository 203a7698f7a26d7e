//! `pgn filter`: copies the games that fulfil conditions.

use super::output::{Numbering, OutArgs, Output};
use crate::files;
use crate::games::Input;
use crate::interrupt::Interrupt;
use anyhow::anyhow;
use bartizan_analysis::ResultChecker;
use bartizan_games::filter::{
    Annotated, BoardPattern, Condition, DateRange, EcoRanges, Ending, Filter, MaterialPattern, Pattern, Players,
    TimeControlRange,
};
use bartizan_games::{ExportForm, Selection, Selector, TextDestination};
use bartizan_notation::pgn::PgnGame;
use bartizan_types::{Color, GameResult, Variant};
use clap::ArgAction;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

const EXAMPLE: &str = "\
Conditions:
  All conditions must hold. Names and texts match any part, ignoring case;
  /.../ is a regular expression. Moves are read and checked only if a condition
  or the output format needs them, or with --check. A broken game matches no
  condition.

Examples:
  bartizan-tools pgn filter games.pgn --player carlsen --min-rating 2700 \\
      --date 2019..2021 --out best.pgn
  bartizan-tools pgn filter games.pgn.zst --moves 'e4 c5' --result 0-1 \\
      --csv --out sicilian.csv
  bartizan-tools pgn filter games.pgn --material KRPvKR --material-plies 10
  bartizan-tools pgn filter games.pgn --position '*/*/*/*/???P????/*/PP???PPP/*'
  bartizan-tools pgn filter games.pgn --contradicted 500 --nodes 20000 --json
  bartizan-tools pgn filter server.pgn --min-plies 30 --confirmed --out good.pgn
  zstdcat games.pgn.zst | bartizan-tools pgn filter --tc blitz \\
      --sample 1000 --seed 1 > sample.pgn";

/// The arguments of `pgn filter`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    tags: TagConditions,
    #[command(flatten)]
    moves: MoveConditions,
    #[command(flatten)]
    engine: EngineCondition,
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    form: FormArgs,
    #[command(flatten, next_help_heading = "Output")]
    out: OutArgs,
    /// Output file for the rejected games, unchanged, also as .gz, .bz2 or .zst
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    rejected: Option<PathBuf>,
    /// Output file for broken games, unchanged, also as .gz, .bz2 or .zst [default: the rejected games]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    broken: Option<PathBuf>,
}

/// Conditions on tags.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Conditions on tags")]
struct TagConditions {
    /// Either player's name
    #[arg(long, value_name = "NAME")]
    player: Vec<Pattern>,
    /// White's name
    #[arg(long, value_name = "NAME")]
    white: Option<Pattern>,
    /// Black's name
    #[arg(long, value_name = "NAME")]
    black: Option<Pattern>,
    /// Results, separated by commas: 1-0, 0-1, 1/2-1/2 or *
    #[arg(long, value_name = "RESULT", value_delimiter = ',', value_parser = parse_result)]
    result: Vec<GameResult>,
    /// Minimum rating
    #[arg(long, visible_alias = "min-elo", value_name = "ELO")]
    min_rating: Option<u32>,
    /// Maximum rating
    #[arg(long, visible_alias = "max-elo", value_name = "ELO")]
    max_rating: Option<u32>,
    /// Players whose rating must be in the range
    #[arg(long, value_name = "PLAYER", default_value = "both", value_parser = named(PLAYERS))]
    rating_of: Players,
    /// ECO codes, separated by commas: B90, C4 for all that begin with C4, B90-B99
    #[arg(long, value_name = "CODES")]
    eco: Option<EcoRanges>,
    /// Name of the opening, with the variation after ': '
    #[arg(long, value_name = "TEXT")]
    opening: Option<Pattern>,
    /// Determine the opening from the positions, not the tags, for --eco and --opening
    #[arg(long)]
    classify: bool,
    /// Time control: bullet, blitz, rapid, classical, correspondence; 180, 180+2, 60..300, 60..300+0..3
    #[arg(long, visible_alias = "time-control", value_name = "CONTROL")]
    tc: Option<TimeControlRange>,
    /// Date: 2019..2021.06, 2020.05.17.., 2020
    #[arg(long, value_name = "FROM..TO")]
    date: Option<DateRange>,
    /// Event
    #[arg(long, value_name = "TEXT")]
    event: Option<Pattern>,
    /// Site
    #[arg(long, value_name = "TEXT")]
    site: Option<Pattern>,
    /// Text of the tag Termination
    #[arg(long, value_name = "TEXT")]
    termination: Option<Pattern>,
    /// Text of any tag
    #[arg(long, value_name = "NAME=TEXT", value_parser = parse_tag)]
    tag: Vec<(String, Pattern)>,
    /// Variant
    #[arg(long, value_name = "VARIANT", value_parser = named(VARIANTS))]
    variant: Option<Variant>,
    /// Content of the comments; any comment without a value
    #[arg(long, value_name = "WHAT", value_parser = named(ANNOTATED), num_args = 0..=1,
        default_missing_value = "comments", require_equals = true)]
    annotated: Vec<Annotated>,
}

/// Conditions on moves.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Conditions on moves")]
struct MoveConditions {
    /// Minimum number of plies
    #[arg(long, value_name = "PLIES")]
    min_plies: Option<usize>,
    /// Maximum number of plies
    #[arg(long, value_name = "PLIES")]
    max_plies: Option<usize>,
    /// Position that the game reaches: a FEN, or a board with ? for anything, ! for a piece, A or a for a piece of
    /// White or Black, and * for the rest of a rank
    #[arg(long, value_name = "FEN")]
    position: Vec<BoardPattern>,
    /// First moves of the game
    #[arg(long, value_name = "MOVES", value_parser = parse_moves)]
    moves: Option<Arc<Vec<bartizan_types::Move>>>,
    /// Material that the game reaches, for either side: KRPvKR; P+ is one or more pawns, P* any number
    #[arg(long, value_name = "MATERIAL")]
    material: Option<MaterialPattern>,
    /// Number of consecutive positions with the material
    #[arg(long, value_name = "PLIES", default_value_t = 1, requires = "material")]
    material_plies: usize,
    /// Material in the last position
    #[arg(long, value_name = "MATERIAL")]
    final_material: Option<MaterialPattern>,
    /// State of the last position: checkmate, stalemate, insufficient, repetition, 50, open; separated by commas
    #[arg(long = "final", value_name = "ENDING", value_delimiter = ',')]
    ending: Vec<Ending>,
}

/// The condition on the engine's opinion.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Condition by engine")]
struct EngineCondition {
    /// Result that contradicts the last position: the winner is this far behind, or one side of a draw this far ahead
    #[arg(long, value_name = "CENTIPAWNS", group = "opinion",
        value_parser = clap::value_parser!(i32).range(1..=20_000))]
    contradicted: Option<i32>,
    /// Result that the last position confirms: the winner is at least WON ahead, no side of a draw more than LEVEL
    /// [default: 150,100 if given without a value]
    #[arg(long, value_name = "WON,LEVEL", group = "opinion", num_args = 0..=1, default_missing_value = "150,100",
        require_equals = true)]
    confirmed: Option<Leads>,
    /// Nodes of the search of the last position
    #[arg(long, value_name = "NODES", default_value_t = 10_000, requires = "opinion",
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

/// Leads in centipawns that confirm a result.
#[derive(Clone, Copy, Debug)]
struct Leads {
    /// The least lead of a winner.
    won: i32,
    /// The greatest lead in a draw.
    level: i32,
}

impl FromStr for Leads {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| text.trim().parse().ok().filter(|lead| (1..=20_000).contains(lead));
        let parse = || text.split_once(',').and_then(|(won, level)| Some((number(won)?, number(level)?)));
        let (won, level) = parse().ok_or("expected WON,LEVEL, two numbers from 1 to 20000, such as 150,100")?;
        Ok(Self { won, level })
    }
}

/// How games are written.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
struct FormArgs {
    /// Write only the moves played, without comments, variations and glyphs
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    main_line: bool,
    /// Omit comments
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    no_comments: bool,
    /// Omit variations
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    no_variations: bool,
    /// Omit glyphs such as $1 and !?
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    no_glyphs: bool,
    /// Number of plies of each game to write, with their comments and variations; the result stays
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    keep_plies: Option<u32>,
    /// Omit tags other than the seven-tag roster and those of the starting position; a game left without tags gets the
    /// tag Event
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    strip_tags: bool,
    /// Write CSV, one line per game
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Write one JSON object per game, with the clocks, evaluations, glyphs and comments of its moves
    #[arg(long)]
    json: bool,
}

impl FormArgs {
    fn form(&self) -> ExportForm {
        let &Self { main_line, no_comments, no_variations, no_glyphs, keep_plies, strip_tags, csv, json } = self;
        ExportForm { main_line, no_comments, no_variations, no_glyphs, keep_plies, strip_tags, csv, json }
    }
}

/// Which of the games are taken.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Selection")]
struct SelectionArgs {
    /// Invert the selection: copy the games that fail a condition
    #[arg(long, action = ArgAction::SetTrue)]
    not: bool,
    /// Check the moves of every game and of its variations, to find all problems
    #[arg(long)]
    check: bool,
    /// Copy only the first of several games with the same moves and starting position
    #[arg(long)]
    no_duplicates: bool,
    /// Treat games of different players as distinct
    #[arg(long, requires = "no_duplicates")]
    same_players: bool,
    /// Size of a random sample
    #[arg(long, value_name = "GAMES", conflicts_with = "limit")]
    sample: Option<usize>,
    /// Seed of --sample
    #[arg(long, value_name = "N", default_value_t = 0, requires = "sample")]
    seed: u64,
    /// Number of games after which to stop
    #[arg(long, value_name = "GAMES")]
    limit: Option<u64>,
}

/// The values of `--rating-of`, `--variant` and `--annotated`.
const PLAYERS: [(&str, Players); 4] = [
    ("both", Players::Both),
    ("either", Players::Either),
    ("white", Players::One(Color::White)),
    ("black", Players::One(Color::Black)),
];
const VARIANTS: [(&str, Variant); 2] = [("standard", Variant::Standard), ("chess960", Variant::Chess960)];
const ANNOTATED: [(&str, Annotated); 3] =
    [("clocks", Annotated::Clocks), ("evals", Annotated::Evals), ("comments", Annotated::Comments)];

/// Parses one of the values by name.
fn named<T, const N: usize>(values: [(&'static str, T); N]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(values.map(|(name, _)| name)).try_map(move |given| {
        let found = values.iter().find(|(name, _)| *name == given);
        found.map(|&(_, value)| value).ok_or("unknown name")
    })
}

fn parse_result(text: &str) -> Result<GameResult, String> {
    text.parse().map_err(|_| "expected 1-0, 0-1, 1/2-1/2 or *".to_owned())
}

fn parse_tag(text: &str) -> Result<(String, Pattern), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=TEXT")?;
    if name.is_empty() {
        return Err("expected NAME=TEXT".to_owned());
    }
    Ok((name.to_owned(), value.parse().map_err(|error: bartizan_games::filter::PatternError| error.to_string())?))
}

fn parse_moves(text: &str) -> Result<Arc<Vec<bartizan_types::Move>>, String> {
    match Condition::moves(text) {
        Ok(Condition::Moves(moves)) => Ok(Arc::new(moves)),
        Ok(_) => Err("expected moves".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

impl Args {
    fn filter(&self, checker: Option<&Arc<ResultChecker>>) -> Filter {
        let mut conditions = self.tags.conditions();
        conditions.extend(self.moves.conditions());
        if let Some(checker) = checker {
            let checker = Arc::clone(checker);
            let leads = self.engine.confirmed;
            let meets = move |game: &PgnGame| match leads {
                Some(leads) => checker.confirms(game, leads.level),
                None => checker.contradicts(game),
            };
            // The last condition, because it takes the longest.
            conditions.push(Condition::Custom(Box::new(meets)));
        }
        Filter::new(conditions).inverted(self.selection.not)
    }

    fn selection(&self) -> Selection {
        let SelectionArgs { check, no_duplicates, same_players, sample, seed, limit, .. } = self.selection;
        let keeps_rest = self.rejected.is_some() || self.broken.is_some();
        let check = check || self.broken.is_some();
        Selection { check, no_duplicates, same_players, sample, seed, limit, keeps_rest }
    }
}

impl TagConditions {
    fn conditions(&self) -> Vec<Condition> {
        let mut all: Vec<Condition> =
            self.player.iter().map(|name| Condition::Player { color: None, name: name.clone() }).collect();
        for (color, name) in [(Color::White, &self.white), (Color::Black, &self.black)] {
            all.extend(name.clone().map(|name| Condition::Player { color: Some(color), name }));
        }
        if !self.result.is_empty() {
            all.push(Condition::Result(self.result.clone()));
        }
        if self.min_rating.is_some() || self.max_rating.is_some() {
            let range = self.min_rating.unwrap_or(0)..=self.max_rating.unwrap_or(u32::MAX);
            all.push(Condition::Rating(self.rating_of, range));
        }
        let by_position = self.classify;
        all.extend(self.eco.clone().map(|codes| Condition::Eco { codes, by_position }));
        all.extend(self.opening.clone().map(|name| Condition::Opening { name, by_position }));
        all.extend(self.tc.clone().map(Condition::TimeControl));
        all.extend(self.date.map(Condition::Date));
        for (name, pattern) in [("Event", &self.event), ("Site", &self.site), ("Termination", &self.termination)] {
            all.extend(pattern.clone().map(|pattern| Condition::Tag(name.to_owned(), pattern)));
        }
        all.extend(self.tag.iter().map(|(name, pattern)| Condition::Tag(name.clone(), pattern.clone())));
        all.extend(self.variant.map(Condition::Variant));
        all.extend(self.annotated.iter().copied().map(Condition::Annotated));
        all
    }
}

impl MoveConditions {
    fn conditions(&self) -> Vec<Condition> {
        let mut all = Vec::new();
        all.extend(self.moves.as_ref().map(|moves| Condition::Moves(moves.to_vec())));
        if self.min_plies.is_some() || self.max_plies.is_some() {
            all.push(Condition::Plies(self.min_plies.unwrap_or(0)..=self.max_plies.unwrap_or(usize::MAX)));
        }
        all.extend(self.position.iter().cloned().map(Condition::Position));
        all.extend(self.material.map(|material| Condition::Material(material, self.material_plies)));
        all.extend(self.final_material.map(Condition::FinalMaterial));
        if !self.ending.is_empty() {
            all.push(Condition::Ending(self.ending.clone()));
        }
        all
    }
}

/// Ends the reading: enough games have been found.
#[derive(Debug, thiserror::Error)]
#[error("enough games")]
struct EnoughGames;

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let limit = args.engine.contradicted.or(args.engine.confirmed.map(|leads| leads.won));
    let checker = limit.map(|limit| Arc::new(ResultChecker::new(limit, args.engine.nodes)));
    let (filter, selection, form) = (args.filter(checker.as_ref()), args.selection(), args.form.form());
    let mut files = Files::new(args)?;
    let mut selector = Selector::new(selection);
    let mut numbers = Numbering::default();
    let read = args.input.each(
        interrupt,
        |game| selection.judge(&filter, &form, game),
        |place, judged| {
            if let Some(failure) = checker.as_ref().and_then(|checker| checker.failure()) {
                return Err(anyhow!(failure).context("cannot search a position"));
            }
            let number = numbers.next(place);
            if selector.is_done() {
                return Err(EnoughGames.into());
            }
            selector.take(number, judged, |to, number, text| files.write(to, number, text))
        },
    );
    match read {
        Err(error) if error.is::<EnoughGames>() => {}
        read => drop(read?),
    }
    let counts = selector.finish(|to, number, text| files.write(to, number, text))?;
    files.commit()?;
    args.input.report(&counts.to_string());
    Ok(())
}

/// The files that games go to.
struct Files {
    out: Output,
    rejected: Option<Output>,
    broken: Option<Output>,
}

impl Files {
    fn new(args: &Args) -> anyhow::Result<Self> {
        args.input.refuse(args.rejected.as_deref())?;
        args.input.refuse(args.broken.as_deref())?;
        let has_lines = args.form.csv || args.form.json;
        if has_lines {
            args.input.refuse(args.out.path.as_deref())?;
        }
        let open = |path: &Option<PathBuf>| path.as_deref().map(|path| Output::new(Some(path))).transpose();
        let outputs: Vec<&PathBuf> = [&args.out.path, &args.rejected, &args.broken].into_iter().flatten().collect();
        files::refuse_same(&outputs)?;
        let out = args.out.open()?;
        let mut out = if has_lines { out.of_lines() } else { out };
        out.write(&args.form.form().header())?;
        Ok(Self { out, rejected: open(&args.rejected)?, broken: open(&args.broken)? })
    }

    fn write(&mut self, to: TextDestination, number: u64, text: &[u8]) -> anyhow::Result<()> {
        let file = match to {
            TextDestination::Out => Some(&mut self.out),
            TextDestination::Rejected => self.rejected.as_mut(),
            TextDestination::Broken => self.broken.as_mut().or(self.rejected.as_mut()),
        };
        file.map_or(Ok(()), |file| file.write_game(number, text))
    }

    fn commit(self) -> anyhow::Result<()> {
        [Some(self.out), self.rejected, self.broken].into_iter().flatten().try_for_each(Output::commit)
    }
}
