//! The tools of the assistant.

use super::arguments::{Analyse, Board, Explain, Format, LegalMoves, NewGame, OfGame, Play, Review, TakeBack};
use super::facts::{Facts, LegalMove};
use super::games::{Games, Record};
use super::openings::{self, Opening};
use super::puzzles::{self, Puzzles};
use super::reply::{BoardAnswer, GameAnswer, MovesAnswer, answer, done};
use super::reports::{self, Analysis, Explanation, GameReview};
use super::search::Searches;
use super::tables::{self, Probe};
use bartizan_book::Book;
use bartizan_notation::svg::BoardPicture;
use bartizan_position::Game;
use bartizan_tablebase::Tablebases;
use bartizan_types::{Color, Excerpt, Square};
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::schema_for_output;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, Implementation, ServerCapabilities, ServerConfig};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, tool, tool_handler, tool_router};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What the user has set.
pub(crate) struct Settings {
    pub(crate) threads: usize,
    pub(crate) hash_mib: usize,
    pub(crate) longest: Duration,
}

/// What an assistant is told of the tools.
const INSTRUCTIONS: &str = "Chess that is checked by rules and an engine. Begin a game with new_game and change it \
    with play and take_back only; never write or edit a FEN yourself, except for a position that the user gives. State \
    nothing about a board that an answer does not say: ask legal_moves for what can be played, analyse for what is \
    best, explain for why a move is good or bad, and tablebase for what is proven. Evaluations are from White's view.";

/// The limits of the nodes of a search, and of a position of a game.
const MOST_NODES: u64 = 20_000_000;
const MOST_NODES_EACH: u64 = 1_000_000;

/// The server of one assistant.
pub(crate) struct Chess {
    games: Mutex<Games>,
    searches: Searches,
    settings: Settings,
    tables: Option<Arc<Tablebases>>,
    book: Option<Book>,
    tool_router: ToolRouter<Self>,
}

type Result<T, E = String> = std::result::Result<T, E>;

impl Chess {
    pub(crate) fn new(settings: Settings, tables: Option<Tablebases>) -> Self {
        Self {
            games: Mutex::default(),
            searches: Searches::new(settings.hash_mib, settings.longest),
            settings,
            tables: tables.map(Arc::new),
            book: Book::built_in().ok(),
            tool_router: Self::tool_router(),
        }
    }

    /// Does something with a game; then its facts are told.
    fn with<T>(&self, handle: &str, work: impl FnOnce(&mut Record) -> Result<T>) -> Result<(T, Record, Facts)> {
        // A panic leaves a game as it was: moves are played on a copy.
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let record = games.get(handle)?;
        let value = work(record)?;
        Ok((value, record.clone(), Facts::new(handle, record)))
    }

    /// The game of a handle and its facts.
    fn game(&self, handle: &str) -> Result<(Record, Facts)> {
        self.with(handle, |_| Ok(())).map(|((), record, facts)| (record, facts))
    }

    fn begin(&self, NewGame { fen, pgn, moves }: &NewGame) -> Result<CallToolResult> {
        let mut record = match (fen, pgn) {
            (None, None) => Record::new(Game::default()),
            (Some(fen), None) => Record::of_fen(fen)?,
            (None, Some(pgn)) => Record::of_pgn(pgn)?,
            (Some(_), Some(_)) => return Err("give a FEN or a PGN, not both".to_owned()),
        };
        record.play(moves)?;
        let handle = self.games.lock().unwrap_or_else(PoisonError::into_inner).add(record.clone());
        let position = Facts::new(&handle, &record);
        let answer = GameAnswer { position };
        done("", &answer.position, &answer)
    }

    fn changed(&self, handle: &str, change: impl FnOnce(&mut Record) -> Result<()>) -> Result<CallToolResult> {
        let ((), _, position) = self.with(handle, change)?;
        let answer = GameAnswer { position };
        done("", &answer.position, &answer)
    }

    fn moves(&self, LegalMoves { game, from }: &LegalMoves) -> Result<CallToolResult> {
        let (record, facts) = self.game(game)?;
        let from = match from {
            Some(name) => {
                let wrong = || format!("'{}' is not a square such as 'g1'", Excerpt::new(name));
                Some(name.parse::<Square>().map_err(|_| wrong())?)
            }
            None => None,
        };
        let position = record.game.position();
        let moves = position.legal_moves();
        let moves = moves.iter().filter(|mv| from.is_none_or(|from| mv.from() == from));
        let moves: Vec<LegalMove> = moves.map(|&mv| LegalMove::new(position, mv)).collect();
        let names: Vec<&str> = moves.iter().map(|mv| mv.san.as_str()).collect();
        let words =
            if names.is_empty() { "No legal moves.".to_owned() } else { format!("Legal moves: {}.", names.join(" ")) };
        let answer = MovesAnswer { position: facts, moves };
        done(&words, &answer.position, &answer)
    }

    fn draw(&self, Board { game, format, flipped }: &Board) -> Result<CallToolResult> {
        let (record, facts) = self.game(game)?;
        let position = record.game.position();
        let bottom = if *flipped { Color::Black } else { Color::White };
        let (format, drawing) = match format {
            Format::Text => ("text", position.diagram().seen_by(bottom).to_string()),
            Format::Svg => {
                let picture = BoardPicture::new(position).seen_by(bottom);
                ("svg", picture.last_move(record.game.last_move()).check(position.in_check()).to_string())
            }
        };
        let answer = BoardAnswer { position: facts, format: format.to_owned(), drawing };
        done(&answer.drawing, &answer.position, &answer)
    }

    async fn analysis(&self, arguments: Analyse, context: &RequestContext<RoleServer>) -> Result<CallToolResult> {
        let (record, position) = self.game(&arguments.game)?;
        if position.legal_moves == 0 {
            let answer = Analysis { position, lines: Vec::new(), limits: String::new() };
            return done("There is no legal move.", &answer.position, &answer);
        }
        let count = usize::from(arguments.lines.unwrap_or(1).clamp(1, 10));
        let (nodes, longest) = (arguments.nodes.unwrap_or(500_000).clamp(1_000, MOST_NODES), self.settings.longest);
        // The clock of the search ends it with its result, before the deadline.
        let longest = longest.mul_f64(0.9);
        let work = move |job: &_| reports::lines(job, &record.game, count, nodes, longest);
        let (lines, limits) = self.searches.run(context, work).await?;
        let line = |line: &reports::Line| format!("{} [{}], depth {}", line.line, line.evaluation.words, line.depth);
        let words: Vec<String> = lines.iter().map(line).collect();
        let answer = Analysis { position, lines, limits };
        done(&words.join("\n"), &answer.position, &answer)
    }

    async fn explanation(&self, arguments: Explain, context: &RequestContext<RoleServer>) -> Result<CallToolResult> {
        let (mut record, position) = self.game(&arguments.game)?;
        record.play(arguments.mv.as_slice())?;
        let nodes = arguments.nodes.unwrap_or(300_000).clamp(1_000, MOST_NODES);
        let work = move |job: &_| reports::last_move(job, &record, nodes);
        let (judgement, missing) = self.searches.run(context, work).await?;
        let answer = Explanation { position, judgement, missing };
        done(&answer.words(), &answer.position, &answer)
    }

    async fn game_review(&self, arguments: Review, context: &RequestContext<RoleServer>) -> Result<CallToolResult> {
        let (record, position) = self.game(&arguments.game)?;
        let nodes = arguments.nodes.unwrap_or(50_000).clamp(500, MOST_NODES_EACH);
        let threads = self.settings.threads;
        let work = move |job: &_| reports::review(job, threads, &record, nodes, position);
        let answer = self.searches.run(context, work).await?;
        done(&answer.words(), &answer.position, &answer)
    }

    async fn game_puzzles(&self, arguments: Review, context: &RequestContext<RoleServer>) -> Result<CallToolResult> {
        let (record, position) = self.game(&arguments.game)?;
        let nodes = arguments.nodes.unwrap_or(50_000).clamp(500, MOST_NODES_EACH);
        let puzzles = self.searches.run(context, move |job| puzzles::find(job, &record, nodes)).await?;
        let answer = Puzzles { position, puzzles };
        done(&answer.words(), &answer.position, &answer)
    }

    fn named_opening(&self, game: &str) -> Result<CallToolResult> {
        let (record, position) = self.game(game)?;
        let answer = openings::opening(self.book.as_ref(), &record, position)?;
        done(&answer.words(), &answer.position, &answer)
    }

    fn proven(&self, game: &str) -> Result<CallToolResult> {
        let (record, position) = self.game(game)?;
        let answer = tables::probe(self.tables.as_deref(), &record, position)?;
        done(&answer.words(&record), &answer.position, &answer)
    }
}

#[tool_router]
impl Chess {
    /// Begin a game: from the initial position, a PGN, or a FEN that the user has given. Returns the handle for the
    /// other tools.
    #[tool(
        output_schema = schema_for_output::<GameAnswer>(),
        annotations(read_only_hint = false, destructive_hint = false, open_world_hint = false)
    )]
    async fn new_game(&self, Parameters(arguments): Parameters<NewGame>) -> CallToolResult {
        answer(self.begin(&arguments))
    }

    /// Play moves in a game, for both sides. Illegal moves are refused with the legal ones.
    #[tool(
        output_schema = schema_for_output::<GameAnswer>(),
        annotations(read_only_hint = false, destructive_hint = false, open_world_hint = false)
    )]
    async fn play(&self, Parameters(arguments): Parameters<Play>) -> CallToolResult {
        let Play { game, moves } = arguments;
        answer(self.changed(&game, |record| match moves.is_empty() {
            true => Err("no move was given".to_owned()),
            false => record.play(&moves),
        }))
    }

    /// Take back the last moves of a game.
    #[tool(
        output_schema = schema_for_output::<GameAnswer>(),
        annotations(read_only_hint = false, destructive_hint = false, open_world_hint = false)
    )]
    async fn take_back(&self, Parameters(arguments): Parameters<TakeBack>) -> CallToolResult {
        let TakeBack { game, moves } = arguments;
        let count = usize::from(moves.unwrap_or(1));
        answer(self.changed(&game, |record| {
            let played = record.game.moves().len();
            if !(1..=played).contains(&count) {
                return Err(format!("{count} moves cannot be taken back: {played} were played"));
            }
            for _ in 0..count {
                record.game.pop();
            }
            Ok(())
        }))
    }

    /// List the legal moves of a game's position, or those of one piece.
    #[tool(
        output_schema = schema_for_output::<MovesAnswer>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn legal_moves(&self, Parameters(arguments): Parameters<LegalMoves>) -> CallToolResult {
        answer(self.moves(&arguments))
    }

    /// Search a game's position with the engine: best moves, lines and evaluation from White's view.
    #[tool(
        output_schema = schema_for_output::<Analysis>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn analyse(
        &self,
        Parameters(arguments): Parameters<Analyse>,
        context: RequestContext<RoleServer>,
    ) -> CallToolResult {
        answer(self.analysis(arguments, &context).await)
    }

    /// Explain a move: how good it is, why it is a mistake, what is better. By default the last move of the game; with
    /// `move`, a move that could be played now.
    #[tool(
        output_schema = schema_for_output::<Explanation>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn explain(
        &self,
        Parameters(arguments): Parameters<Explain>,
        context: RequestContext<RoleServer>,
    ) -> CallToolResult {
        answer(self.explanation(arguments, &context).await)
    }

    /// Review a whole game: accuracy of both sides, and every mistake with its reasons. Takes seconds.
    #[tool(
        output_schema = schema_for_output::<GameReview>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn review(
        &self,
        Parameters(arguments): Parameters<Review>,
        context: RequestContext<RoleServer>,
    ) -> CallToolResult {
        answer(self.game_review(arguments, &context).await)
    }

    /// Name the opening of a game, and list the moves of the opening book.
    #[tool(
        output_schema = schema_for_output::<Opening>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn opening(&self, Parameters(arguments): Parameters<OfGame>) -> CallToolResult {
        answer(self.named_opening(&arguments.game))
    }

    /// Look an ending up in endgame tables: the proven result of every move.
    #[tool(
        output_schema = schema_for_output::<Probe>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn tablebase(&self, Parameters(arguments): Parameters<OfGame>) -> CallToolResult {
        answer(self.proven(&arguments.game))
    }

    /// Make puzzles from the mistakes of a game: positions in which a player missed the only good move. Takes seconds.
    #[tool(
        output_schema = schema_for_output::<Puzzles>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn puzzle(
        &self,
        Parameters(arguments): Parameters<Review>,
        context: RequestContext<RoleServer>,
    ) -> CallToolResult {
        answer(self.game_puzzles(arguments, &context).await)
    }

    /// Draw the board of a game, as text or SVG.
    #[tool(
        output_schema = schema_for_output::<BoardAnswer>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn board(&self, Parameters(arguments): Parameters<Board>) -> CallToolResult {
        answer(self.draw(&arguments))
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Chess {
    fn get_info(&self) -> ServerConfig {
        let program = Implementation::new("bartizan", env!("CARGO_PKG_VERSION")).with_title("Bartizan chess");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(program)
            .with_instructions(INSTRUCTIONS)
    }
}
