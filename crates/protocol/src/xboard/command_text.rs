//! Writes commands.

use super::Command;
use super::MoveText;
use super::result::write_reason;
use super::time::{Base, Seconds};
use crate::tokens::{OneLine, write_text, write_with};
use std::fmt;

/// One line without a line break.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Xboard => f.write_str("xboard"),
            Self::ProtoVer(version) => write!(f, "protover {version}"),
            Self::Accepted(feature) => write_with(f, "accepted", feature),
            Self::Rejected(feature) => write_with(f, "rejected", feature),
            Self::New => f.write_str("new"),
            Self::Variant(variant) => write_with(f, "variant", variant),
            Self::Quit => f.write_str("quit"),
            Self::Random => f.write_str("random"),
            Self::Force => f.write_str("force"),
            Self::Go => f.write_str("go"),
            Self::PlayOther => f.write_str("playother"),
            Self::White => f.write_str("white"),
            Self::Black => f.write_str("black"),
            Self::Level { moves, base, increment } => {
                write!(f, "level {moves} {} {}", Base(*base), Seconds(*increment))
            }
            Self::MoveTime(time) => write!(f, "st {}", Seconds(*time)),
            Self::Depth(depth) => write!(f, "sd {depth}"),
            Self::Nps(nps) => write!(f, "nps {nps}"),
            Self::Time(centiseconds) => write!(f, "time {centiseconds}"),
            Self::OpponentTime(centiseconds) => write!(f, "otim {centiseconds}"),
            Self::Move(mv) => write!(f, "{mv}"),
            Self::UserMove(mv) => write!(f, "usermove {mv}"),
            Self::MoveNow => f.write_str("?"),
            Self::Ping(number) => write!(f, "ping {number}"),
            Self::Draw => f.write_str("draw"),
            Self::Result { result, reason } => {
                write!(f, "result {result}")?;
                write_reason(f, reason)
            }
            Self::SetBoard(fen) => write_with(f, "setboard", fen),
            Self::Edit => f.write_str("edit"),
            Self::Hint => f.write_str("hint"),
            Self::Book => f.write_str("bk"),
            Self::Undo => f.write_str("undo"),
            Self::Remove => f.write_str("remove"),
            Self::Hard => f.write_str("hard"),
            Self::Easy => f.write_str("easy"),
            Self::Post => f.write_str("post"),
            Self::NoPost => f.write_str("nopost"),
            Self::Analyze => f.write_str("analyze"),
            Self::Exit => f.write_str("exit"),
            Self::Status => f.write_str("."),
            Self::Name(name) => write_with(f, "name", name),
            Self::Rating { own, opponent } => write!(f, "rating {own} {opponent}"),
            Self::Ics(host) => write_with(f, "ics", host),
            Self::Computer => f.write_str("computer"),
            Self::Pause => f.write_str("pause"),
            Self::Resume => f.write_str("resume"),
            Self::Memory(megabytes) => write!(f, "memory {megabytes}"),
            Self::Cores(cores) => write!(f, "cores {cores}"),
            Self::EgtPath { kind, path } => {
                write!(f, "egtpath {}", OneLine(kind))?;
                write_text(f, path)
            }
            Self::Option { name, value } => {
                write!(f, "option {}", OneLine(name))?;
                value.as_deref().map_or(Ok(()), |value| write!(f, "={}", OneLine(value)))
            }
            Self::Exclude(mv) => write_move_or_all(f, "exclude", mv.as_ref()),
            Self::Include(mv) => write_move_or_all(f, "include", mv.as_ref()),
        }
    }
}

fn write_move_or_all(f: &mut fmt::Formatter<'_>, command: &str, mv: Option<&MoveText>) -> fmt::Result {
    match mv {
        Some(mv) => write!(f, "{command} {mv}"),
        None => write!(f, "{command} all"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CommandError, GameResult};
    use super::*;
    use std::time::Duration;

    fn parse(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    fn error(line: &str) -> String {
        Command::parse(line).unwrap_err().to_string()
    }

    #[test]
    fn both_ways() {
        let lines = "xboard|protover 2|accepted ping|rejected san|new|variant fischerandom|quit|random|force|go|\
            playother|white|black|level 40 5 0|level 0 0:30 0.1|st 5|st 0.25|sd 12|nps 10000|time 29998|time -3|\
            otim 5|e2e4|e7e8q|O-O|@@@@|Nf3|usermove g1f3|usermove O-O-O|usermove zz|?|ping 3|draw|\
            result 1-0 {White mates}|result *|setboard 8/8/8/8/8/8/k7/7K w - - 0 1|edit|hint|bk|undo|remove|hard|\
            easy|post|nopost|analyze|exit|.|name A. Player|rating 2000 0|ics freechess.org|computer|pause|resume|\
            memory 64|cores 2|egtpath syzygy /a b/c|option Clear Hash|option Style=a=b c|option Book=|exclude e2e4|\
            exclude all|include all|include g1f3";
        for line in lines.split('|') {
            assert_eq!(parse(line).to_string(), line);
            assert_eq!(parse(&format!(" {line} \r\n")), parse(line));
        }
        assert_eq!(Command::parse(" \r\n"), Ok(None));
    }

    #[test]
    fn sloppy_clients() {
        let level = Command::Level { moves: 0, base: Duration::from_secs(120), increment: Duration::from_secs(12) };
        assert_eq!(parse("level 0 2 12 and more"), level);
        assert_eq!(parse("level 0 2+5 12"), level);
        assert_eq!(parse("time 12.7"), Command::Time(12));
        assert_eq!(parse("sd 99999999999"), Command::Depth(u32::MAX));
        let reason = "no braces".to_owned();
        assert_eq!(parse("result 1/2-1/2 no braces"), Command::Result { result: GameResult::Draw, reason });
    }

    #[test]
    fn errors() {
        assert_eq!(Command::parse("joho 1"), Err(CommandError::Unknown { word: "joho".to_owned() }));
        assert_eq!(error("ping"), "ping: the number is missing");
        assert_eq!(error("level 40 x 0"), "level: 'x' is not a time in minutes");
        assert_eq!(error("level 40 5"), "level: a number of seconds is missing");
        assert_eq!(error("setboard"), "setboard: the FEN is missing");
        assert_eq!(error("option =3"), "option: the option's name is missing");
        assert_eq!(error("result maybe"), "result: 'maybe' is not '1-0', '0-1', '1/2-1/2' or '*'");
        assert_eq!(error("usermove"), "usermove: the move is missing");
    }

    #[test]
    fn a_line_end_inside_a_text_stays_inside() {
        assert_eq!(Command::Name("a\nquit".to_owned()).to_string(), "name a quit");
    }
}
