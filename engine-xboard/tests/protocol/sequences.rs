//! Random sequences of commands, judged by the protocol's guarantees, which hold whatever the timing: a `pong` for
//! every `ping`, moves only when it is the engine's turn, and legal ones; none after `force`; true results; a board
//! that follows every command; an exit on `quit` and at the end of the input.
//!
//! Each step ends with a `ping`, which the engine answers after its move, so a driver that keeps the game itself can
//! interpret the answers. Within a step, commands interrupt the engine's thinking at any moment.
//!
//! `BARTIZAN_SEQUENCES=100000 cargo test --release -p bartizan-xboard --test protocol sequences` plays more of them.

use crate::support::{Engine, thinking};
use bartizan_notation::san::San;
use bartizan_position::{FenStyle, Game, Outcome, Position};
use bartizan_testkit::{garbage, perft_suite, pick, random_move, random_sequences};
use bartizan_types::{CastlingSide, Color, Move, SplitMix64, Variant};

#[test]
fn random_sequences_keep_the_protocol() {
    let positions = Positions::read();
    let (sequences, processes) = random_sequences(2_000, |seed| Driver::new(seed, &positions).run());
    println!("{sequences} sequences in {processes} processes");
}

/// The start positions of sequences.
struct Positions {
    standard: Vec<Position>,
    chess960: Vec<Position>,
}

impl Positions {
    fn read() -> Self {
        let positions = |names: &[&str]| -> Vec<Position> {
            let cases = names.iter().flat_map(|name| perft_suite(name));
            cases.filter_map(|case| Position::from_fen(&case.fen).ok()).collect()
        };
        let mut standard = positions(&["classic", "tricky", "random"]);
        // Chess960 castling cannot be expressed in the coordinates of standard chess.
        standard.retain(|position| position.variant() == Variant::Standard);
        Self { standard, chess960: positions(&["chess960"]) }
    }
}

/// Which side the engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Force,
    Playing(Color),
    Analysing,
}

/// Plays the sequences of one process, and keeps the game that the engine must have on its board.
struct Driver<'a> {
    random: SplitMix64,
    engine: Engine,
    positions: &'a Positions,
    game: Game,
    mode: Mode,
    chess960: bool,
    /// Whether the engine ponders.
    hard: bool,
    /// Whether it shows thinking output.
    post: bool,
}

/// The allowed answers to a step.
#[derive(Clone, Copy, Default)]
struct Allowed {
    thinking: bool,
    offer: bool,
    error: bool,
    illegal: bool,
    features: bool,
}

impl<'a> Driver<'a> {
    fn new(seed: u64, positions: &'a Positions) -> Self {
        Self {
            random: SplitMix64::new(seed),
            engine: Engine::start_with(&[]),
            positions,
            game: Game::default(),
            mode: Mode::Playing(Color::Black),
            chess960: false,
            hard: false,
            post: false,
        }
    }

    /// Returns the number of sequences.
    fn run(mut self) -> u64 {
        // One process in four plays a single sequence.
        let count = if self.chance(4) { 1 } else { 5 + self.random.below(30) as u64 };
        let allowed = Allowed { features: true, ..Allowed::default() };
        self.quiet("xboard\nprotover 2\nmemory 1\neasy\nnopost", allowed);
        self.new_game();
        for _ in 0..count {
            for _ in 0..3 + self.random.below(10) {
                self.step();
            }
        }
        self.end();
        count
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.random.below(one_in) == 0
    }

    fn fail(&self, what: &str) -> ! {
        let (mode, fen) = (self.mode, self.game.position().to_fen());
        self.engine.fail(&format!("{what}, in mode {mode:?} at {fen}"))
    }

    /// The name of a move in this protocol.
    fn name(&self, mv: Move) -> String {
        match mv.is_castling() && self.chess960 {
            true if CastlingSide::of(mv.from(), mv.to()) == CastlingSide::King => "O-O".to_owned(),
            true => "O-O-O".to_owned(),
            false => mv.to_uci(Variant::Standard).to_string(),
        }
    }

    fn find(&self, position: &Position, text: &str) -> Option<Move> {
        position.legal_moves().iter().copied().find(|&mv| self.name(mv) == text)
    }

    /// A legal move in one of the client's notations.
    fn random_text(&mut self) -> Option<(Move, String)> {
        let mv = random_move(self.game.position(), &mut self.random)?;
        let text = if self.chance(4) { San::new(self.game.position(), mv).to_string() } else { self.name(mv) };
        let prefix = if self.chance(2) { "usermove " } else { "" };
        Some((mv, format!("{prefix}{text}")))
    }

    /// The commands of a step and a ping. Returns the lines before the pong.
    fn ask(&mut self, commands: &str) -> Vec<String> {
        self.engine.ask(commands)
    }

    /// Sends commands after which the engine must not move.
    fn quiet(&mut self, commands: &str, allowed: Allowed) {
        let shows = self.shows();
        let lines = self.ask(commands);
        self.judge(&lines, Allowed { thinking: allowed.thinking || shows || self.shows(), ..allowed });
    }

    /// Whether lines of thinking may come although the engine is not to move.
    fn shows(&self) -> bool {
        match self.mode {
            Mode::Force => false,
            Mode::Playing(_) => self.post && self.hard,
            Mode::Analysing => true,
        }
    }

    /// Judges lines other than moves and results.
    fn judge(&self, lines: &[String], allowed: Allowed) {
        for line in lines {
            let fits = match line {
                line if line.contains('\t') => allowed.thinking && thinking(line).is_some(),
                line if line.starts_with("Hint: ") => allowed.thinking,
                line if line == "offer draw" => allowed.offer || matches!(self.mode, Mode::Playing(_)),
                line if line.starts_with("Error (") => allowed.error,
                line if line.starts_with("Illegal move") => allowed.illegal,
                line if line.starts_with("feature ") => allowed.features,
                _ => false,
            };
            if !fits {
                self.fail(&format!("unexpected line `{line}`"));
            }
        }
    }

    /// The step must be answered with a line that begins with `prefix`, and no other such line.
    fn expect(&mut self, commands: &str, prefix: &str) {
        let shows = self.shows();
        let lines = self.ask(commands);
        let (found, others): (Vec<String>, Vec<String>) =
            lines.into_iter().partition(|line| line.starts_with(prefix) && line.is_empty() == prefix.is_empty());
        if found.len() != 1 {
            self.fail(&format!("{} lines begin with `{prefix}` after `{commands}`", found.len()));
        }
        self.judge(&others, Allowed { thinking: shows || self.shows(), ..Allowed::default() });
    }

    fn step(&mut self) {
        if self.chance(4) {
            self.check_board();
        }
        match self.random.below(24) {
            0 => self.new_game(),
            1..=2 => self.set_board(),
            3..=8 => self.user_move(),
            9..=11 if self.mode != Mode::Analysing => self.go(),
            12..=13 => self.take_back(),
            14 => {
                self.quiet("force", Allowed { thinking: self.shows(), ..Allowed::default() });
                self.mode = Mode::Force;
            }
            15 => self.analyse(),
            16 => self.edit(),
            17..=18 => self.setting(),
            19 => self.illegal(),
            20 => {
                let line = garbage(&mut self.random);
                self.engine.send_bytes(&line);
                self.expect("", "Error (unknown command): ~");
            }
            21 => self.question(),
            22 => {
                self.quiet("result 1/2-1/2 {Draw agreed}", Allowed::default());
                if let Mode::Playing(_) = self.mode {
                    self.mode = Mode::Force;
                }
            }
            _ => self.quiet("pause\nresume", Allowed::default()),
        }
    }

    /// Whether the engine's board matches the game.
    fn check_board(&mut self) {
        let lines = self.ask("board");
        let fen = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
        let expected = self.game.position().to_fen();
        if fen != Some(&*expected) {
            self.fail(&format!("the board is {fen:?}, expected {expected}"));
        }
    }

    fn new_game(&mut self) {
        let chess960 = self.chance(3);
        let depth = 1 + self.random.below(5);
        let variant = if chess960 { "\nvariant fischerandom" } else { "" };
        self.quiet(&format!("new{variant}\nst 0.01\nsd {depth}"), Allowed::default());
        self.became_new();
        self.chess960 = chess960;
        if chess960 {
            self.set_board();
        }
    }

    fn became_new(&mut self) {
        self.game = Game::default();
        self.chess960 = false;
        if self.mode != Mode::Analysing {
            self.mode = Mode::Playing(Color::Black);
        }
    }

    fn random_position(&mut self) -> (Position, String) {
        let positions = if self.chess960 { &self.positions.chess960 } else { &self.positions.standard };
        let position = positions[self.random.below(positions.len())].clone();
        let style = if self.chess960 && self.chance(2) { FenStyle::Shredder } else { FenStyle::XFen };
        let fen = position.to_fen_style(style);
        (position, fen)
    }

    fn set_board(&mut self) {
        let (position, fen) = self.random_position();
        self.quiet(&format!("setboard {fen}"), Allowed::default());
        self.game = Game::new(position);
    }

    fn user_move(&mut self) {
        let Some((mut mv, mut text)) = self.random_text() else { return self.new_game() };
        if self.hard && self.mode == Mode::Playing(!self.game.position().turn()) && self.chance(2) {
            // While it ponders, the hint is the expected move.
            let lines = self.ask("hint");
            let hint = lines.iter().find_map(|line| line.strip_prefix("Hint: "));
            if let Some(expected) = hint.and_then(|hint| self.find(self.game.position(), hint)) {
                (mv, text) = (expected, self.name(expected));
            }
        }
        let mut game = self.game.clone();
        game.push(mv).unwrap();
        if self.mode == Mode::Playing(game.position().turn()) {
            self.think(&text, game);
        } else {
            self.quiet(&text, Allowed::default());
            self.game = game;
        }
    }

    fn go(&mut self) {
        let turn = self.game.position().turn();
        if self.chance(5) {
            // It may ponder at once.
            self.mode = Mode::Playing(!turn);
            self.quiet("playother", Allowed::default());
        } else {
            // Castling is rare in quick games, and has its own notation.
            let castling = self.game.position().legal_moves().iter().copied().find(|mv| mv.is_castling());
            let only = castling.filter(|_| self.chance(2)).map(|mv| self.name(mv));
            let only = only.map_or_else(String::new, |name| format!("exclude all\ninclude {name}\n"));
            self.mode = Mode::Playing(turn);
            self.think(&format!("{only}go"), self.game.clone());
        }
    }

    /// Sends a command after which the engine is to move in the position of `game`, and perhaps another one while it
    /// thinks, or just after.
    fn think(&mut self, command: &str, game: Game) {
        self.game = game;
        match self.random.below(12) {
            0 => {
                let lines = self.ask(&format!("{command}\nforce"));
                self.after_search(&lines, false);
                self.mode = Mode::Force;
            }
            1 => {
                let lines = self.ask(&format!("{command}\nnew\nst 0.01\nsd 2"));
                self.after_search(&lines, false);
                self.became_new();
            }
            2 => {
                let (position, fen) = self.random_position();
                let lines = self.ask(&format!("{command}\nsetboard {fen}"));
                self.after_search(&lines, false);
                self.game = Game::new(position);
            }
            3 => {
                let lines = self.ask(&format!("{command}\nresult 1-0 {{White mates}}"));
                self.after_search(&lines, false);
                self.mode = Mode::Force;
            }
            4 => {
                let lines = self.ask(&format!("{command}\nundo"));
                let before = self.game.clone();
                if before.moves().len() == 0 && lines.iter().any(|line| line.starts_with("Error (")) {
                    // There was no move to take back, and the search continues.
                    self.after_search_with(&lines, true, true);
                } else {
                    // It took back the engine's move, or the one before it.
                    let moved = self.after_search(&lines, false);
                    self.game = before;
                    if !moved {
                        self.game.pop();
                    }
                }
            }
            5 => {
                let lines = self.ask(&format!("{command}\nanalyze\n."));
                self.mode = Mode::Analysing;
                let lines: Vec<String> = lines.into_iter().filter(|line| !line.starts_with("stat01: ")).collect();
                self.after_search(&lines, false);
            }
            6 => {
                let lines = self.ask(&format!("{command}\n?"));
                self.after_search(&lines, true);
            }
            7 => {
                let extra =
                    pick(&mut self.random, &["draw", "time 100\notim 100", "post\nnopost", "hard\neasy", "computer"]);
                let lines = self.ask(&format!("{command}\n{extra}"));
                if extra.starts_with("post") {
                    self.post = true;
                }
                self.after_search(&lines, true);
                if extra.starts_with("post") {
                    self.post = false;
                }
                self.hard &= !extra.starts_with("hard");
            }
            _ => {
                let lines = self.ask(command);
                self.after_search(&lines, true);
            }
        }
    }

    /// Judges the lines of a search for the engine's move, and plays the move. Without `must_move`, another command may
    /// have ended the search. Returns whether the engine moved.
    fn after_search(&mut self, lines: &[String], must_move: bool) -> bool {
        self.after_search_with(lines, must_move, false)
    }

    fn after_search_with(&mut self, lines: &[String], must_move: bool, error: bool) -> bool {
        let is_result = |line: &str| ["1-0 {", "0-1 {", "1/2-1/2 {"].iter().any(|result| line.starts_with(result));
        let over_before = self.game.outcome();
        let claim = self.game.claimable_draw();
        let (mut moved, mut result) = (false, None);
        let mut others = Vec::new();
        for line in lines {
            if let Some(text) = line.strip_prefix("move ") {
                let mv = self.find(self.game.position(), text);
                let Some(mv) = mv.filter(|_| !moved && result.is_none() && over_before.is_none()) else {
                    self.fail(&format!("`{line}` is illegal or not asked for"));
                };
                self.game.push(mv).unwrap();
                moved = true;
            } else if is_result(line) && result.is_none() {
                result = Some(line.clone());
            } else {
                others.push(line.clone());
            }
        }
        match (&result, self.game.outcome()) {
            (Some(line), Some(Outcome::Checkmate(winner))) => {
                let expected = if winner.is_white() { "1-0" } else { "0-1" };
                if !line.starts_with(expected) {
                    self.fail(&format!("false result `{line}`"));
                }
            }
            (Some(line), Some(Outcome::Draw(_))) if line.starts_with("1/2-1/2") => {}
            (Some(line), None) if line.starts_with("1/2-1/2") && claim.is_some() && !moved => {}
            (Some(line), _) => self.fail(&format!("false result `{line}`")),
            (None, Some(_)) if moved || must_move => self.fail("no result at the end of the game"),
            (None, _) => {}
        }
        if must_move && !moved && result.is_none() {
            self.fail("no move");
        }
        let allowed =
            Allowed { thinking: self.post || self.mode == Mode::Analysing, offer: true, error, ..Allowed::default() };
        self.judge(&others, allowed);
        moved
    }

    fn take_back(&mut self) {
        let (command, plies) = if self.chance(2) { ("undo", 1) } else { ("remove", 2) };
        if self.game.moves().len() < plies {
            self.expect(command, "Error (no move to take back): ");
            return;
        }
        self.quiet(command, Allowed::default());
        for _ in 0..plies {
            self.game.pop();
        }
    }

    fn analyse(&mut self) {
        if self.mode == Mode::Analysing {
            if self.chance(2) {
                self.expect("go", "Error (analysing): go");
                return;
            }
            if let Some(mv) = random_move(self.game.position(), &mut self.random).filter(|_| self.chance(2)) {
                let name = self.name(mv);
                self.quiet(&format!("exclude {name}\ninclude all\nexclude {name}"), Allowed::default());
                return;
            }
            self.quiet("exit", Allowed::default());
            self.mode = Mode::Force;
        } else {
            let before = self.shows();
            self.mode = Mode::Analysing;
            self.quiet("analyze", Allowed { thinking: before, ..Allowed::default() });
        }
    }

    fn edit(&mut self) {
        let before = self.game.position().clone();
        // In analysis, lines of thinking may come before and after.
        let lines = self.ask("edit\n#\nKe1\nQd1\nPa2\nc\nKg8\nPa7\n.\nboard");
        let fen = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
        let Some(position) = fen.and_then(|fen| Position::from_fen(fen).ok()) else { self.fail("no board after edit") };
        let expected = Position::from_fen("6k1/p7/8/8/8/8/P7/3QK3 w - - 0 1").unwrap();
        if position.occupied() != expected.occupied() || position.turn() != before.turn() {
            self.fail(&format!("edit leads to {}", position.to_fen()));
        }
        self.game = Game::new(position);
    }

    fn setting(&mut self) {
        match self.random.below(10) {
            0 => {
                self.quiet("hard", Allowed::default());
                self.hard = true;
            }
            1 => {
                self.quiet("easy", Allowed::default());
                self.hard = false;
            }
            2 => {
                self.post = true;
                self.quiet("post", Allowed::default());
            }
            3 => {
                self.quiet("nopost", Allowed::default());
                self.post = false;
            }
            _ => {
                let lines = [
                    "memory 2",
                    "cores 2",
                    "cores 1",
                    "level 40 0:01 0\nst 0.01",
                    "name Someone",
                    "rating 2000 2100",
                    "ics -",
                    "computer",
                    "random",
                    "white\nblack",
                    "accepted ping\nrejected san",
                    "time 500\notim 500",
                    "option MultiPV=2",
                    "option MultiPV=1",
                    "nps 0",
                    "hard\neasy",
                ];
                let line = pick(&mut self.random, &lines);
                self.quiet(line, Allowed::default());
                self.hard &= line != "hard\neasy";
            }
        }
    }

    /// Moves and positions that are refused.
    fn illegal(&mut self) {
        match self.random.below(5) {
            0 => self.expect("usermove a1a1", "Illegal move"),
            // A null move, and back.
            1 if self.mode == Mode::Force && !self.game.position().in_check() => {
                self.quiet("@@@@", Allowed::default());
                self.quiet("undo", Allowed::default());
            }
            1 => self.expect("h9h8", "Error (unknown command): h9h8"),
            2 => self.expect("sd deep", "Error (sd: "),
            _ => {
                self.expect("setboard 8/8/8/8/8/8/8/8 w - - 0 1", "tellusererror Illegal position");
                let shown = Allowed { thinking: true, illegal: true, ..Allowed::default() };
                self.quiet("usermove e2e4", shown);
                self.set_board();
            }
        }
    }

    /// Commands that are answered, but not with a move.
    fn question(&mut self) {
        match self.random.below(5) {
            0 => {
                let shows = self.shows();
                let lines = self.ask("bk");
                let (book, others): (Vec<String>, Vec<String>) =
                    lines.into_iter().partition(|line| line.is_empty() || line.starts_with(' '));
                if book.last().is_none_or(|line| !line.is_empty()) {
                    self.fail("the answer to `bk` does not end with an empty line");
                }
                self.judge(&others, Allowed { thinking: shows || self.shows(), ..Allowed::default() });
            }
            1 => {
                let before = self.game.position().clone();
                let lines = self.ask("hint");
                let (hints, others): (Vec<String>, Vec<String>) =
                    lines.into_iter().partition(|line| line.starts_with("Hint: "));
                let is_legal = |hint: &String| self.find(&before, hint.trim_start_matches("Hint: ")).is_some();
                if hints.len() > 1 || !hints.iter().all(is_legal) {
                    self.fail(&format!("{hints:?}"));
                }
                self.judge(&others, Allowed { thinking: self.shows(), ..Allowed::default() });
            }
            2 => {
                let allowed = Allowed { features: true, ..Allowed::default() };
                self.quiet("protover 2", allowed);
            }
            3 => self.quiet("draw", Allowed { offer: true, ..Allowed::default() }),
            _ => {
                let lines = self.ask(".");
                let others: Vec<String> = lines.into_iter().filter(|line| !line.starts_with("stat01: ")).collect();
                self.judge(&others, Allowed { thinking: self.shows(), ..Allowed::default() });
            }
        }
    }

    /// Ends the process in one of the ways in which it must end.
    fn end(mut self) {
        let last =
            pick(&mut self.random, &["", "st 100\nforce\ngo", "analyze", "edit", "setboard 9", "pause", "perft 9"]);
        self.engine.send(last);
        if self.chance(2) {
            self.engine.send("quit");
        } else {
            self.engine.close_input();
        }
        let (lines, status) = self.engine.wait_exit();
        if !status.success() || lines.iter().filter(|line| line.starts_with("move ")).count() > 1 {
            self.fail(&format!("ends with {status} and {lines:?}"));
        }
    }
}
