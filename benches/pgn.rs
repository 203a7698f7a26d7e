//! Reading PGN beside `pgn-reader` with `shakmaty`, and `pgn-extract` if it is installed.
//!
//! `cargo bench --bench pgn -- FILE [ROUNDS]` reads the file with each reader in turn and prints the least processor
//! time of each in seconds. Where other programs run, the least of many rounds is what the reader needs.
#![allow(clippy::print_stdout)]

use bartizan_notation::pgn::{Interest, MoveText, PgnErrorKind, PgnGame, PgnParser, PgnReader, TagValue};
use bartizan_position::Position;
use pgn_reader::shakmaty::{Chess, Move, Position as _};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus};
use std::error::Error;
use std::fs::File;
use std::ops::ControlFlow;
use std::process::{Command, Stdio};

/// Reads a file. Returns a checksum: the number of moves, or of tags.
type Work = fn(&str) -> Result<u64, Box<dyn Error>>;

const CASES: [(&str, Work); 7] = [
    ("bartizan, tags moves comments kept", keep_ours),
    ("pgn-reader, tags moves comments kept", keep_theirs),
    ("bartizan, moves checked", check_ours),
    ("pgn-reader, moves checked", check_theirs),
    ("bartizan, tags only", tags_ours),
    ("pgn-reader, tags only", tags_theirs),
    ("pgn-extract, moves checked", pgn_extract),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let Some(file) = arguments.first() else { return Err("expected FILE [ROUNDS]".into()) };
    let rounds: usize = arguments.get(1).map_or(Ok(10), |rounds| rounds.parse())?;
    let mut least = [f64::INFINITY; CASES.len()];
    let mut sums = [0; CASES.len()];
    for _ in 0..rounds {
        for (i, (_, work)) in CASES.iter().enumerate() {
            let before = processor_time()?;
            match work(file) {
                Ok(sum) => {
                    sums[i] = sum;
                    least[i] = least[i].min(processor_time()? - before);
                }
                Err(error) => println!("{}: {error}", CASES[i].0),
            }
        }
    }
    for ((name, _), (seconds, sum)) in CASES.iter().zip(least.iter().zip(sums)) {
        println!("{seconds:8.3} s  {name} ({sum})");
    }
    Ok(())
}

/// The processor time in seconds that this process and the programs that it has waited for have used.
fn processor_time() -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/self/schedstat")?;
    let own: f64 = text.split(' ').next().unwrap_or_default().parse()?;
    let text = std::fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    // Fields 16 and 17 of `proc(5)`, in hundredths of a second.
    let children: f64 = [fields[13], fields[14]].iter().map(|ticks| ticks.parse::<f64>().unwrap_or_default()).sum();
    Ok(own * 1e-9 + children * 1e-2)
}

/// The checked reader. The file is opened anew in each round, and read from the page cache.
fn keep_ours(file: &str) -> Result<u64, Box<dyn Error>> {
    let mut reader = PgnReader::new(File::open(file)?);
    let mut game = PgnGame::default();
    let mut moves = 0;
    while let Some(read) = reader.read_next(&mut game) {
        read?;
        moves += game.moves.len() as u64;
    }
    Ok(moves)
}

/// Keeps tags, moves and comments in memory that is used again, as [`keep_ours`] does.
#[derive(Default)]
struct Keep {
    tags: Vec<(String, String)>,
    used: usize,
    moves: Vec<(Option<Move>, String)>,
    played: usize,
}

impl pgn_reader::Visitor for Keep {
    type Tags = ();
    type Movetext = Chess;
    type Output = Result<u64, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, ()> {
        self.used = 0;
        self.played = 0;
        ControlFlow::Continue(())
    }

    fn tag(&mut self, _: &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if self.used == self.tags.len() {
            self.tags.push(Default::default());
        }
        let (old_name, old_value) = &mut self.tags[self.used];
        old_name.clear();
        old_name.push_str(&String::from_utf8_lossy(name));
        old_value.clear();
        old_value.push_str(&value.decode_utf8_lossy());
        self.used += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Self::Output, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(position) {
            Ok(mv) => {
                position.play_unchecked(mv);
                if self.played == self.moves.len() {
                    self.moves.push((None, String::new()));
                }
                let (old_move, comment) = &mut self.moves[self.played];
                *old_move = Some(mv);
                comment.clear();
                self.played += 1;
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(error.to_string())),
        }
    }

    fn comment(&mut self, _: &mut Chess, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        if let Some(last) = self.played.checked_sub(1) {
            self.moves[last].1.push_str(&String::from_utf8_lossy(comment.as_bytes()));
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Chess) -> Self::Output {
        Ok(self.played as u64)
    }
}

fn keep_theirs(file: &str) -> Result<u64, Box<dyn Error>> {
    theirs(file, &mut Keep::default())
}

fn theirs<V>(file: &str, visitor: &mut V) -> Result<u64, Box<dyn Error>>
where
    V: pgn_reader::Visitor<Output = Result<u64, String>>,
{
    let mut reader = Reader::new(File::open(file)?);
    let mut sum = 0;
    while let Some(number) = reader.read_game(visitor)? {
        sum += number?;
    }
    Ok(sum)
}

/// Checks moves and keeps nothing.
struct Check {
    position: Position,
    moves: u64,
    failed: bool,
}

impl bartizan_notation::pgn::Visitor for Check {
    type Output = u64;

    fn begin_game(&mut self) {
        self.position.clone_from(Position::startpos_ref());
        self.moves = 0;
    }

    fn san(&mut self, text: MoveText<'_>) -> Result<(), PgnErrorKind> {
        let mv = text.find(&self.position)?;
        self.position.make_unchecked(mv);
        self.moves += 1;
        Ok(())
    }

    fn fault(&mut self, _: bartizan_notation::pgn::PgnError) {
        self.failed = true;
    }

    fn end_game(&mut self) -> u64 {
        self.moves
    }
}

fn check_ours(file: &str) -> Result<u64, Box<dyn Error>> {
    let mut check = Check { position: Position::startpos(), moves: 0, failed: false };
    let mut parser = PgnParser::new(File::open(file)?);
    let mut sum = 0;
    while let Some(moves) = parser.read_game(&mut check)? {
        sum += moves;
    }
    if check.failed { Err("a game has a fault".into()) } else { Ok(sum) }
}

/// Checks moves and keeps nothing.
struct TheirCheck(u64);

impl pgn_reader::Visitor for TheirCheck {
    type Tags = ();
    type Movetext = Chess;
    type Output = Result<u64, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, ()> {
        self.0 = 0;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Self::Output, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(position) {
            Ok(mv) => {
                position.play_unchecked(mv);
                self.0 += 1;
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(error.to_string())),
        }
    }

    fn end_game(&mut self, _: Chess) -> Self::Output {
        Ok(self.0)
    }
}

fn check_theirs(file: &str) -> Result<u64, Box<dyn Error>> {
    theirs(file, &mut TheirCheck(0))
}

/// Counts tags and skips the movetext.
struct Tags(u64);

impl bartizan_notation::pgn::Visitor for Tags {
    type Output = ();

    fn tag(&mut self, _: &str, value: TagValue<'_>) -> Result<(), PgnErrorKind> {
        self.0 += u64::from(!value.as_bytes().is_empty());
        Ok(())
    }

    fn begin_moves(&mut self) -> Interest {
        Interest::Skip
    }

    fn san(&mut self, _: MoveText<'_>) -> Result<(), PgnErrorKind> {
        Ok(())
    }

    fn end_game(&mut self) {}
}

fn tags_ours(file: &str) -> Result<u64, Box<dyn Error>> {
    let mut tags = Tags(0);
    let mut parser = PgnParser::new(File::open(file)?);
    while parser.read_game(&mut tags)?.is_some() {}
    Ok(tags.0)
}

impl pgn_reader::Visitor for Tags {
    type Tags = u64;
    type Movetext = ();
    type Output = Result<u64, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, u64> {
        ControlFlow::Continue(0)
    }

    fn tag(&mut self, tags: &mut u64, _: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        *tags += u64::from(!value.as_bytes().is_empty());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: u64) -> ControlFlow<Self::Output, ()> {
        ControlFlow::Break(Ok(tags))
    }

    fn end_game(&mut self, (): ()) -> Self::Output {
        Ok(0)
    }
}

fn tags_theirs(file: &str) -> Result<u64, Box<dyn Error>> {
    theirs(file, &mut Tags(0))
}

fn pgn_extract(file: &str) -> Result<u64, Box<dyn Error>> {
    let status = Command::new("pgn-extract").args(["-s", "-r", file]).stderr(Stdio::null()).status()?;
    if status.success() { Ok(0) } else { Err(status.to_string().into()) }
}
