//! `pgn split`: splits games into several files.

use crate::interrupt::{Interrupt, Interrupted};
use crate::output::say;
use anyhow::Context;
use bartizan_files::Replacement;
use bartizan_games::Names;
use bartizan_notation::pgn::RawGames;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write, stdin};
use std::path::PathBuf;

const EXAMPLE: &str = "\
Every game stays as it is, byte for byte. A file appears when it is complete.

Example:
  bartizan-tools pgn split games.pgn --games 10000 --out 'part-{}.pgn'";

/// The arguments of `pgn split`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// PGN file; '-' is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Number of games in a file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Name of the files; {} is their number
    #[arg(long, value_name = "PATTERN", default_value = "part-{}.pgn", value_parser = Names::new)]
    out: Names,
}

/// A file that is being written.
struct Part {
    path: PathBuf,
    file: BufWriter<Replacement>,
    games: u64,
}

impl Part {
    fn create(path: PathBuf) -> anyhow::Result<Self> {
        let file = Replacement::new(&path).with_context(|| format!("cannot write '{}'", path.display()))?;
        Ok(Self { path, file: BufWriter::with_capacity(1 << 16, file), games: 0 })
    }

    fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.file.write_all(bytes).with_context(|| format!("cannot write '{}'", self.path.display()))
    }

    fn commit(self) -> anyhow::Result<()> {
        let written = self.file.into_inner().map_err(io::Error::from).and_then(Replacement::commit);
        written.with_context(|| format!("cannot write '{}'", self.path.display()))
    }
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let path = args.file.as_deref().filter(|path| path.as_os_str() != "-");
    let cannot_read = || match path {
        Some(path) => format!("cannot read '{}'", path.display()),
        None => "cannot read standard input".to_owned(),
    };
    let input: Box<dyn Read> = match path {
        Some(path) => Box::new(File::open(path).with_context(cannot_read)?),
        None => Box::new(stdin()),
    };
    let (mut games, mut files) = (0, 0);
    let mut part: Option<Part> = None;
    for raw in RawGames::new(BufReader::with_capacity(1 << 16, input)) {
        let raw = raw.with_context(cannot_read)?;
        if interrupt.is_set() {
            return Err(Interrupted(format!("after {files} complete files")).into());
        }
        if let Some(full) = part.take_if(|part| part.games == args.games) {
            full.commit()?;
        }
        let part = match &mut part {
            Some(part) => part,
            None => {
                files += 1;
                part.insert(Part::create(args.out.numbered(files, 1))?)
            }
        };
        part.games += 1;
        games += 1;
        part.write(&raw.bytes)?;
    }
    if let Some(part) = part {
        part.commit()?;
    }
    say!("{games} games in {files} files")?;
    Ok(())
}
