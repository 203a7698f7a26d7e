//! Random sequences of commands, judged by the protocol's guarantees, which hold whatever the timing: one `bestmove`
//! for every `go`, in order, legal in its own position; none before `stop` under `infinite` and `ponder`; one `readyok`
//! for every `isready`; no search output outside a search; an exit on `quit` and at the end of the input.
//!
//! `BARTIZAN_SEQUENCES=100000 cargo test --release -p bartizan --test protocol sequences` plays more of them.

use std::collections::VecDeque;
use std::time::Duration;

use bartizan_position::{FenStyle, Position};
use bartizan_testkit::{garbage, perft_suite, pick, random_move, random_sequences};
use bartizan_types::{SplitMix64, Variant};

use crate::support::engine::SEARCH;
use crate::support::{Engine, Game, Info, MATED, PROMPT};

#[test]
fn random_sequences_keep_the_protocol() {
    let positions = Positions::read();
    let (sequences, processes) = random_sequences(2_000, |seed| Driver::new(seed, &positions).run());
    println!("{sequences} sequences in {processes} processes");
}

/// The start positions of sequences.
struct Positions {
    standard: Vec<String>,
    chess960: Vec<String>,
}

impl Positions {
    fn read() -> Self {
        // Those that both libraries accept: the engine rejects impossible checks, for instance.
        let is_sound = |fen: &String| {
            Position::from_fen(fen).is_ok_and(|position| {
                let shredder = position.to_fen_style(FenStyle::Shredder);
                fen.parse::<cozy_chess::Board>().is_ok() && shredder.parse::<cozy_chess::Board>().is_ok()
            })
        };
        let fens = |names: &[&str]| {
            let fens = names.iter().flat_map(|name| perft_suite(name)).map(|case| case.fen);
            fens.filter(is_sound).collect::<Vec<_>>()
        };
        let positions =
            Self { standard: fens(&["classic", "tricky", "random"]), chess960: fens(&["chess960", "classic"]) };
        assert!(positions.standard.len() > 100 && positions.chess960.len() > 100);
        positions
    }
}

/// The expected answer to a command.
enum Expected {
    Search(Box<Search>),
    /// `go perft`: the total. It is never stopped, since it would then have no answer.
    Perft(u64),
}

/// An unanswered `go`.
struct Search {
    line: String,
    game: Game,
    /// The moves that may be played.
    allowed: Vec<String>,
    /// Whether only `stop` or `ponderhit` may end it.
    waits: bool,
    /// Whether it has no limit. If it does not wait, it may end after its last iteration.
    is_endless: bool,
    /// The `stop`s and `ponderhit`s sent after it.
    stops: u32,
    /// Whether one of them can only apply to this search.
    is_stopped: bool,
    /// The first move of the last line, and whether that line may be the last one.
    best: Option<String>,
    may_be_last: bool,
}

/// The expected answers.
#[derive(Default)]
struct Checker {
    expected: VecDeque<Expected>,
    readyoks: usize,
    uciokays: usize,
}

impl Checker {
    fn is_done(&self) -> bool {
        self.expected.is_empty() && self.readyoks == 0 && self.uciokays == 0
    }

    /// Judges a line.
    fn take(&mut self, line: &str) -> Result<(), String> {
        let first = line.split(' ').next().unwrap_or_default();
        match first {
            "readyok" => {
                self.readyoks = self.readyoks.checked_sub(1).ok_or("a readyok too many")?;
                return Ok(());
            }
            "uciok" => {
                self.uciokays = self.uciokays.checked_sub(1).ok_or("an uciok too many")?;
                return Ok(());
            }
            "id" | "option" if self.uciokays > 0 => return Ok(()),
            "info" if line.starts_with("info string ") => return Ok(()),
            _ => {}
        }
        match self.expected.front_mut() {
            Some(Expected::Search(search)) => match first {
                "info" => search.info(line),
                "bestmove" => {
                    search.bestmove(line)?;
                    self.expected.pop_front();
                    Ok(())
                }
                // The last line of a perft before it.
                "" => Ok(()),
                _ => Err("not a line of a search".to_owned()),
            },
            Some(Expected::Perft(total)) => match line.split_once(": ") {
                Some(("Nodes searched", found)) if *found == total.to_string() => {
                    self.expected.pop_front();
                    Ok(())
                }
                Some((word, count)) if word != "Nodes searched" && count.parse::<u64>().is_ok() => Ok(()),
                _ if line.is_empty() => Ok(()),
                _ => Err(format!("not a line of perft, which counts {total}")),
            },
            None if line.is_empty() => Ok(()),
            None => Err("no command asks for this line".to_owned()),
        }
    }

    /// Records a `stop`: it applies to the running search, or to the next one if that is already being stopped.
    fn stop(&mut self) {
        for expected in &mut self.expected {
            match expected {
                // It may already be over, or be the one that is being stopped.
                Expected::Search(search) if !search.waits => break,
                Expected::Search(search) if search.is_stopped => {}
                Expected::Search(search) => {
                    search.is_stopped = true;
                    break;
                }
                Expected::Perft(_) => break,
            }
        }
        self.allow_answers();
    }

    /// Records a `stop`, a `ponderhit` or the end of the input.
    fn allow_answers(&mut self) {
        for expected in &mut self.expected {
            if let Expected::Search(search) = expected {
                search.stops += 1;
            }
        }
    }

    fn has_perft(&self) -> bool {
        self.expected.iter().any(|expected| matches!(expected, Expected::Perft(_)))
    }
}

impl Search {
    fn info(&mut self, line: &str) -> Result<(), String> {
        let info: Info = line.parse()?;
        self.game.follow(&info.pv).map_err(|fault| format!("{fault}, after `{}`", self.line))?;
        if let (Some(first), false) = (info.pv.first(), self.allowed.is_empty())
            && !self.allowed.contains(first)
        {
            return Err(format!("`{first}` was excluded by `{}`", self.line));
        }
        if info.score.is_some() && info.line() == 1 {
            self.may_be_last = info.may_be_last();
            self.best = info.pv.first().cloned();
        }
        Ok(())
    }

    fn bestmove(&self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split(' ').collect();
        let (best, ponder) = match words[..] {
            ["bestmove", best] => (best, None),
            ["bestmove", best, "ponder", ponder] => (best, Some(ponder.to_owned())),
            _ => return Err("not well formed".to_owned()),
        };
        let after = |what: &str| format!("{what}, after `{}` in `{}`", self.line, self.game.position());
        if self.waits && self.stops == 0 {
            return Err(after("nobody has said stop"));
        }
        if self.game.legal_moves().is_empty() {
            return if best == "(none)" { Ok(()) } else { Err(after("there is no legal move")) };
        }
        let pv: Vec<String> = std::iter::once(best.to_owned()).chain(ponder).collect();
        let mut game = self.game.clone();
        for mv in &pv {
            game.play(mv).map_err(|fault| after(&fault))?;
        }
        if !self.allowed.is_empty() && !self.allowed.iter().any(|mv| mv == best) {
            return Err(after("not one of searchmoves"));
        }
        if !self.may_be_last || self.best.as_deref() != Some(best) {
            return Err(after("not the first move of the line just before"));
        }
        Ok(())
    }
}

/// Plays the sequences of one process.
struct Driver<'a> {
    random: SplitMix64,
    engine: Engine,
    checker: Checker,
    positions: &'a Positions,
    game: Game,
    /// The last position of the game.
    position: Position,
    chess960: bool,
    is_weakened: bool,
    /// Whether the last position was invalid.
    is_refused: bool,
}

impl<'a> Driver<'a> {
    fn new(seed: u64, positions: &'a Positions) -> Self {
        Self {
            random: SplitMix64::new(seed),
            engine: Engine::start(),
            checker: Checker::default(),
            positions,
            game: Game::startpos(""),
            position: Position::startpos(),
            chess960: false,
            is_weakened: false,
            is_refused: false,
        }
    }

    /// Returns the number of sequences.
    fn run(mut self) -> u64 {
        // One process in four plays a single sequence.
        let count = if self.random.below(4) == 0 { 1 } else { 10 + self.random.below(50) as u64 };
        self.send("setoption name Hash value 1");
        for _ in 1..count {
            self.sequence();
            self.settle();
        }
        self.sequence();
        self.end();
        count
    }

    fn send(&mut self, line: &str) {
        self.engine.send(line);
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.random.below(one_in) == 0
    }

    fn sequence(&mut self) {
        for _ in 0..2 + self.random.below(14) {
            match self.random.below(20) {
                0..=3 => self.set_position(),
                4..=9 => self.go(),
                10..=11 if !self.checker.has_perft() => {
                    if self.chance(3) {
                        self.checker.allow_answers();
                        self.send("ponderhit");
                    } else {
                        self.checker.stop();
                        self.send("stop");
                    }
                }
                10..=13 => {
                    self.checker.readyoks += 1;
                    self.send("isready");
                }
                14..=15 => self.set_option(),
                16 => {
                    let line = garbage(&mut self.random);
                    self.engine.send_bytes(&line);
                }
                17 => self.nuisance(),
                18 => self.wait_for_head(),
                _ => self.listen(),
            }
        }
    }

    /// A position, or an invalid one, after which there is nothing to search.
    fn set_position(&mut self) {
        if self.chance(8) {
            let bad = ["fen 9/8 w - - 0 1", "fen", "startpos moves e2e5", "startpos moves a1a1 e7e5", "nowhere", ""];
            let line = pick(&mut self.random, &bad);
            self.send(&format!("position {line}"));
            self.is_refused = true;
            return;
        }
        let fens = if self.chess960 { &self.positions.chess960 } else { &self.positions.standard };
        let fen = &fens[self.random.below(fens.len())];
        let mut position = Position::from_fen(fen).unwrap();
        let (mut place, is_start) = (fen.clone(), self.chance(3));
        if is_start {
            (position, place) = (Position::startpos(), "startpos".to_owned());
        } else if self.chess960 {
            place = position.to_fen_style(FenStyle::Shredder);
        }
        let mut game = match (is_start, self.chess960) {
            (true, false) => Game::startpos(""),
            (true, true) => Game::chess960(&Position::startpos().to_fen_style(FenStyle::Shredder)),
            (false, false) => Game::from_fen(&place),
            (false, true) => Game::chess960(&place),
        };
        let mut line = format!("position {}{place}", if is_start { "" } else { "fen " });
        if self.chance(2) {
            line += " moves";
            let variant = if self.chess960 { Variant::Chess960 } else { Variant::Standard };
            for _ in 0..self.random.below(30) {
                let Some(mv) = random_move(&position, &mut self.random) else { break };
                let text = mv.to_uci(variant).to_string();
                game.play(&text).unwrap();
                position = position.play_unchecked(mv);
                line += &format!(" {text}");
            }
        }
        (self.game, self.position, self.is_refused) = (game, position, false);
        self.send(&line);
    }

    fn go(&mut self) {
        if self.checker.expected.is_empty() && self.chance(6) {
            let depth = 1 + self.random.below(2) as u32;
            let total = if self.is_refused { 0 } else { bartizan_position::perft(&self.position, depth) };
            self.checker.expected.push_back(Expected::Perft(total));
            self.send(&format!("go perft {depth}"));
            return;
        }
        let mut line = String::from("go");
        let (mut waits, mut is_endless) = (false, false);
        match self.random.below(14) {
            0 => is_endless = true,
            1 => (waits, line) = (true, "go infinite".to_owned()),
            2 => (waits, line) = (true, "go ponder wtime 100 btime 100".to_owned()),
            3 => (waits, line) = (true, "go infinite depth 2".to_owned()),
            4 => (waits, line) = (true, "go ponder depth 2".to_owned()),
            5 => line += &format!(" movetime {}", self.random.below(8)),
            6 => line += &format!(" nodes {}", self.random.below(3_000)),
            7 => line += &format!(" wtime {0} btime {0} winc 1", self.random.below(200)),
            8 => line += " wtime -5 btime 0 movestogo 0",
            9 => line += pick(&mut self.random, &[" depth abc", " depht 5", " nodes", " wtime x"]),
            10 => line += " mate 1 nodes 2000",
            _ => line += &format!(" depth {}", self.random.below(5)),
        }
        let mut allowed = Vec::new();
        if self.chance(6) {
            let legal = self.game.legal_moves();
            line += " searchmoves";
            for _ in 0..=self.random.below(3) {
                let castling = self.position.legal_moves().iter().copied().find(|mv| mv.is_castling());
                if let Some(mv) = castling.filter(|_| self.chance(2)) {
                    let variant = if self.chess960 { Variant::Chess960 } else { Variant::Standard };
                    line += &format!(" {}", mv.to_uci(variant));
                    allowed.push(mv.to_uci(variant).to_string());
                } else if !legal.is_empty() && !self.chance(4) {
                    let mv = legal[self.random.below(legal.len())].clone();
                    line += &format!(" {mv}");
                    allowed.push(mv);
                } else {
                    line += " a1a1";
                }
            }
        }
        let game = if self.is_refused { Game::from_fen(MATED) } else { self.game.clone() };
        let search = Search {
            line: line.clone(),
            game,
            allowed,
            waits,
            is_endless: is_endless || waits,
            stops: 0,
            is_stopped: false,
            best: None,
            may_be_last: false,
        };
        self.checker.expected.push_back(Expected::Search(Box::new(search)));
        self.send(&line);
    }

    fn set_option(&mut self) {
        match self.random.below(12) {
            0 => {
                self.chess960 = !self.chess960;
                let line = format!("setoption name UCI_Chess960 value {}", self.chess960);
                self.send(&line);
                // The current position may belong to the other variant.
                self.send("position startpos");
                self.begin();
            }
            1 => {
                self.is_weakened = !self.is_weakened;
                let line = format!("setoption name UCI_LimitStrength value {}", self.is_weakened);
                self.send(&line);
            }
            2 => {
                let line = format!("setoption name Hash value {}", 1 + self.random.below(4));
                self.send(&line);
            }
            3 => {
                let line = format!("setoption name Threads value {}", 1 + self.random.below(3));
                self.send(&line);
            }
            4 => {
                let line = format!("setoption name MultiPV value {}", 1 + self.random.below(4));
                self.send(&line);
            }
            _ => {
                let lines = [
                    "setoption name Clear Hash",
                    "setoption name Ponder value true",
                    "setoption name UCI_ShowWDL value true",
                    "setoption name uci_showwdl value false",
                    "setoption name Move Overhead value 5",
                    "setoption name UCI_AnalyseMode value true",
                    "setoption name UCI_Elo value 1400",
                    "setoption name Skill Level value 11",
                    "setoption name skilllevel value 20",
                    "setoption name Hash value 99999999999999999999",
                    "setoption name Hash value",
                    "setoption name Threads value none",
                    "setoption name No Such Option value 3",
                    "setoption",
                    "setoption name UCI_Opponent value none none computer Someone",
                ];
                let line = pick(&mut self.random, &lines);
                self.send(line);
            }
        }
    }

    /// Continues in the starting position.
    fn begin(&mut self) {
        (self.position, self.is_refused) = (Position::startpos(), false);
        self.game = match self.chess960 {
            true => Game::chess960(&self.position.to_fen_style(FenStyle::Shredder)),
            false => Game::startpos(""),
        };
    }

    /// Lines that need no answer, or ask for the declarations.
    fn nuisance(&mut self) {
        if self.chance(6) {
            self.checker.uciokays += 1;
            self.send("uci");
            return;
        }
        let lines = ["ucinewgame", "debug on", "debug off", "register later", "position", "joho debug off", "stopp"];
        let line = pick(&mut self.random, &lines);
        self.send(line);
        match line {
            "position" => self.is_refused = true,
            "ucinewgame" if self.is_refused => self.begin(),
            _ => {}
        }
    }

    /// Reads lines until none come for a moment.
    fn listen(&mut self) {
        for line in self.engine.expect_silence(Duration::from_millis(self.random.below(4) as u64), |_| false) {
            self.judge(&line);
        }
    }

    fn judge(&mut self, line: &str) {
        if let Err(fault) = self.checker.take(line) {
            self.engine.fail(&format!("`{line}`: {fault}"));
        }
    }

    /// Waits for the answer to the first unanswered `go`; stops it if nothing else ends it.
    fn wait_for_head(&mut self) {
        match self.checker.expected.front() {
            Some(Expected::Search(search)) if search.is_endless && !search.is_stopped => {
                self.checker.stop();
                self.send("stop");
            }
            Some(_) => {}
            None => return,
        }
        let before = self.checker.expected.len();
        self.wait(|checker| checker.expected.len() < before);
    }

    /// Reads and judges lines until `is_enough` returns true.
    fn wait(&mut self, is_enough: impl Fn(&Checker) -> bool) {
        let (engine, checker) = (&mut self.engine, &mut self.checker);
        let mut fault = None;
        let is_it = |line: &str| {
            fault = checker.take(line).err().map(|fault| format!("`{line}`: {fault}"));
            fault.is_some() || is_enough(checker)
        };
        engine.wait_until("the answers", SEARCH, is_it);
        if let Some(fault) = fault {
            engine.fail(&fault);
        }
    }

    /// Waits until everything is answered.
    fn settle(&mut self) {
        while let Some(head) = self.checker.expected.front() {
            if matches!(head, Expected::Search(search) if !search.is_stopped) {
                self.checker.stop();
                self.send("stop");
            }
            let before = self.checker.expected.len();
            self.wait(|checker| checker.expected.len() < before);
        }
        self.checker.readyoks += 1;
        self.send("isready");
        self.wait(Checker::is_done);
    }

    /// Ends the process in one of the ways in which it must end.
    fn end(mut self) {
        let is_quit = self.chance(2);
        if is_quit {
            self.send("quit");
        } else {
            self.engine.close_input();
        }
        let (lines, status) = self.engine.wait_exit(if is_quit { PROMPT } else { SEARCH });
        for line in lines {
            // At the end of the input, endless searches are stopped.
            self.checker.allow_answers();
            self.judge(&line);
        }
        if !status.success() {
            self.engine.fail(&format!("exited with {status}"));
        }
        if !is_quit && !self.checker.is_done() {
            self.engine.fail("the end of the input left something without an answer");
        }
    }
}
