//! The xboard side of the engine.

use crate::faults::Faults;
use crate::player::{Choice, Player};
use crate::write_line;
use bartizan_position::{Game, Position};
use bartizan_protocol::xboard::{Command, Edit, EditLine, Feature, GameResult, Message, MoveText, Thinking};
use bartizan_types::{CastlingSide, Color, Move, Variant};
use std::io::{self, BufRead, Write};

struct Engine {
    player: Player,
    game: Game,
    chess960: bool,
    /// The side that it plays; `None` in force mode.
    plays: Option<Color>,
    post: bool,
    games: u32,
    /// The only moves to search; `None` for all.
    included: Option<Vec<Move>>,
    /// The position so far in edit mode.
    editing: Option<Edit>,
}

pub(crate) fn run(faults: Faults, out: &mut impl Write) -> io::Result<()> {
    let (player, game) = (Player::new(faults), Game::default());
    let mut engine = Engine {
        player,
        game,
        chess960: false,
        plays: Some(Color::Black),
        post: false,
        games: 0,
        included: None,
        editing: None,
    };
    for line in io::stdin().lock().lines() {
        let line = line?;
        if let Some(editing) = engine.editing.take() {
            engine.edit(editing, &line, out)?;
            continue;
        }
        match Command::parse(&line) {
            Ok(Some(Command::Quit)) if !engine.player.faults.ignore_quit => return Ok(()),
            Ok(Some(Command::Result { .. })) if engine.player.faults.one_game => return Ok(()),
            Ok(Some(command)) => engine.handle(command, out)?,
            Ok(None) => {}
            Err(error) => write_line(out, Message::Error { reason: error.to_string(), command: line })?,
        }
    }
    if engine.player.faults.ignore_quit {
        std::thread::sleep(std::time::Duration::from_secs(60));
    }
    Ok(())
}

impl Engine {
    fn handle(&mut self, command: Command, out: &mut impl Write) -> io::Result<()> {
        match command {
            Command::ProtoVer(_) if self.player.faults.old => {}
            Command::ProtoVer(_) => {
                write_line(out, Message::Features(vec![Feature::flag("done", false)]))?;
                if self.player.answers_handshake() {
                    write_line(out, Message::Features(self.features()))?;
                }
            }
            Command::New => {
                self.games += 1;
                assert!(self.games == 1 || !self.player.faults.no_reuse, "a second game in spite of reuse=0");
                (self.game, self.chess960, self.plays) = (Game::default(), false, Some(Color::Black));
            }
            Command::Variant(_) => self.chess960 = true,
            Command::Force => self.plays = None,
            Command::Go => {
                self.plays = Some(self.game.position().turn());
                self.think(out)?;
            }
            Command::SetBoard(_) if self.player.faults.no_setboard || self.player.faults.old => {
                write_line(
                    out,
                    Message::Error { reason: "unknown command".to_owned(), command: "setboard".to_owned() },
                )?;
            }
            Command::SetBoard(fen) => match Position::from_fen(&fen) {
                Ok(position) => self.game = Game::new(position),
                Err(_) => write_line(out, Message::TellUserError("Illegal position".to_owned()))?,
            },
            Command::Edit => self.editing = Some(Edit::new(self.game.position(), Variant::Standard)),
            Command::UserMove(text) | Command::Move(text) => self.receive_move(&text, out)?,
            Command::Ping(number) => write_line(out, Message::Pong(number))?,
            Command::Exclude(None) => self.included = Some(Vec::new()),
            Command::Include(Some(text)) => {
                let mv = self.resolve(&text);
                self.included.get_or_insert_default().extend(mv);
            }
            Command::Analyze => {
                for mv in self.player.shuffled_moves(self.game.position()).into_iter().take(2) {
                    let mut line = Thinking::default();
                    (line.ply, line.pv) = (1, self.move_text(mv).to_string());
                    write_line(out, Message::Thinking(line))?;
                }
            }
            Command::Post => self.post = true,
            Command::NoPost => self.post = false,
            Command::Result { .. } => self.plays = None,
            _ => {}
        }
        Ok(())
    }

    fn edit(&mut self, mut edit: Edit, line: &str, out: &mut impl Write) -> io::Result<()> {
        match EditLine::parse(line).and_then(|line| edit.take(line)) {
            Some(Ok(position)) => self.game = Game::new(position),
            Some(Err(_)) => return write_line(out, Message::TellUserError("Illegal position".to_owned())),
            None => self.editing = Some(edit),
        }
        Ok(())
    }

    fn features(&self) -> Vec<Feature> {
        let faults = &self.player.faults;
        vec![
            Feature::flag("ping", !faults.no_ping),
            Feature::flag("setboard", !faults.no_setboard),
            Feature::flag("usermove", true),
            Feature::flag("nps", true),
            Feature::flag("exclude", true),
            Feature::flag("memory", true),
            Feature::flag("reuse", !faults.no_reuse),
            Feature::flag("colors", false),
            Feature::flag("telepathy", true),
            Feature::text("variants", "normal,fischerandom"),
            Feature::text("option", "Style -combo *Solid /// Very Wild"),
            Feature::text("option", "Own Book -check 0"),
            Feature::text("myname", "Fake engine"),
            Feature::flag("done", true),
        ]
    }

    fn move_text(&self, mv: Move) -> MoveText {
        if mv.is_castling() && self.chess960 {
            MoveText::Castle(CastlingSide::of(mv.from(), mv.to()))
        } else {
            MoveText::Move(mv.to_uci(Variant::Standard))
        }
    }

    fn resolve(&self, text: &MoveText) -> Option<Move> {
        let position = self.game.position();
        match text {
            MoveText::Move(mv) => position.resolve_uci(*mv).ok(),
            MoveText::Castle(side) => {
                let is_it = |mv: &Move| mv.is_castling() && CastlingSide::of(mv.from(), mv.to()) == *side;
                position.legal_moves().iter().copied().find(is_it)
            }
            _ => None,
        }
    }

    fn receive_move(&mut self, text: &MoveText, out: &mut impl Write) -> io::Result<()> {
        let Some(mv) = self.resolve(text).filter(|&mv| self.game.push(mv).is_ok()) else {
            return write_line(out, Message::IllegalMove { reason: String::new(), mv: text.to_string() });
        };
        if self.plays == Some(self.game.position().turn()) {
            if self.player.faults.refuse_at == Some(self.player.next_number()) {
                self.game.pop();
                return write_line(out, Message::IllegalMove { reason: "so there".to_owned(), mv: mv.to_string() });
            }
            return self.think(out);
        }
        Ok(())
    }

    fn think(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.player.begin_move();
        let faults = &self.player.faults;
        if self.player.is_at(faults.resign_at) {
            return write_line(out, Message::Resign);
        }
        if self.player.is_at(faults.claim_at) {
            let reason = "Draw by boredom".to_owned();
            return write_line(out, Message::Result { result: GameResult::Draw, reason });
        }
        if self.player.is_at(faults.offer_draw_at) {
            write_line(out, Message::OfferDraw)?;
        }
        let included = self.included.take();
        let is_allowed = |mv| included.as_ref().is_none_or(|moves| moves.contains(&mv));
        match self.player.choose(&self.game, is_allowed, out)? {
            Choice::Moves(moves) => {
                let mv = moves[0];
                let text = self.move_text(mv);
                if self.post {
                    let mut line = Thinking::default();
                    (line.ply, line.seldepth) = (1, Some(2));
                    (line.score, line.time, line.nodes) = (7, 1, 20);
                    line.pv = text.to_string();
                    write_line(out, Message::Thinking(line))?;
                }
                write_line(out, Message::Move(text))?;
                if self.player.is_at(self.player.faults.late_resign_at) {
                    write_line(out, Message::Resign)?;
                }
                // Cannot fail: the move comes from the list of legal moves.
                let _ = self.game.push(mv);
            }
            Choice::Nothing => write_line(out, "No legal move here.")?,
            Choice::Illegal(text) => write_line(out, format_args!("move {text}"))?,
        }
        if self.player.faults.chatter {
            write_line(out, Message::OfferDraw)?;
            write_line(out, Message::Debug("an offer after the move".to_owned()))?;
        }
        Ok(())
    }
}
