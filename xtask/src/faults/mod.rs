//! Machine faults, such as kills, full disks and read-only folders, for every file that a program writes.
//!
//! A fault may only cost the record that was being written: files contain whole records, old files are kept until the
//! new ones are complete, no temporary file is left for long, and the program reports the fault.

mod content;
mod machine;
mod program;
mod programs;

use crate::error::{Error, Result};
use crate::{files, run};
use bartizan_parallel::{cores, map};
use bartizan_types::SplitMix64;
use machine::{Ended, Folder, Limit, Run};
use program::Program;
use programs::PROGRAMS;
use std::path::PathBuf;
use std::time::Duration;

/// The arguments of the task.
#[derive(Debug, clap::Args)]
pub(crate) struct Faults {
    /// Number of kills per program
    #[arg(long, value_name = "N", default_value_t = 30)]
    kills: u32,
    /// Seed of the times of the kills
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Texts of which a program's name must contain one [default: all programs]
    #[arg(value_name = "NAME")]
    only: Vec<String>,
}

/// A fault of the machine.
#[derive(Clone, Copy)]
enum Fault {
    Kill,
    FullDisk,
    ReadOnly,
    NoHome,
    ClosedPipe,
    Memory,
    Threads,
}

impl Fault {
    /// In column order of the table.
    const ALL: [Self; 7] =
        [Self::Kill, Self::FullDisk, Self::ReadOnly, Self::NoHome, Self::ClosedPipe, Self::Memory, Self::Threads];

    fn name(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::FullDisk => "full disk",
            Self::ReadOnly => "read-only",
            Self::NoHome => "no home",
            Self::ClosedPipe => "closed pipe",
            Self::Memory => "memory",
            Self::Threads => "threads",
        }
    }
}

/// The memory limits in bytes, in addition to what the system needs to load a program. With less, a signal ends the
/// program before it runs.
const MEMORY: [usize; 4] = [1 << 20, 24 << 20, 104 << 20, 276 << 20];

/// The first of a range of unused user ids. Concurrent programs run as different users, because the number of threads
/// is limited per user; so do two concurrent runs. A container may have no more than 65,536 users.
fn first_user() -> usize {
    40_000 + std::process::id() as usize % 390 * 64
}

/// The result of a fault: how often it was tried, or why it could not be.
enum Cell {
    Held(u32),
    Skipped(&'static str),
    Failed(String),
}

/// Where everything is.
pub(crate) struct Place {
    /// The programs.
    programs: PathBuf,
    /// The inputs, which no program modifies.
    inputs: PathBuf,
}

/// Runs all programs with all faults. Returns the table.
pub(crate) fn run(args: &Faults, report: impl Fn(&str) + Sync) -> Result<String> {
    if !cfg!(unix) {
        return Err(Error::Skipped("these faults need a Unix system".to_owned()));
    }
    run::build_programs()?;
    let inputs = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
    let place = Place { programs: run::target_folder(run::MAIN)?.join("debug"), inputs: inputs.path().to_owned() };
    programs::write_inputs(&place)?;
    let wanted = |program: &&Program| args.only.is_empty() || args.only.iter().any(|name| program.name.contains(name));
    let programs: Vec<&Program> = PROGRAMS.iter().filter(wanted).collect();
    if programs.is_empty() {
        return Err(Error::Check(format!("no program has {} in its name", args.only.join(" or "))));
    }
    // They wait for disks and clocks, so more of them can run than there are cores.
    let rows = map(programs.into_iter().enumerate(), 2 * cores().get(), |(number, program)| {
        let row = all_faults(&place, program, args, number)?;
        report(&row.line);
        Ok::<Row, Error>(row)
    });
    let mut table = format!("{:18}", "file of");
    Fault::ALL.iter().for_each(|fault| table += &format!(" {:>12}", fault.name()));
    let (mut tried, mut failures, mut skipped) = (0, Vec::new(), Vec::new());
    for row in rows {
        let row = row?;
        table += &format!("\n{}", row.line);
        tried += row.tried;
        failures.extend(row.failures);
        skipped.extend(row.skipped);
    }
    skipped.sort_unstable();
    for line in &skipped {
        report(&format!("SKIPPED {line}"));
    }
    match failures.len() {
        0 => Ok(format!("\n{table}\n\n{tried} faults held, {} skipped, seed {}", skipped.len(), args.seed)),
        number => Err(Error::Check(format!("{table}\n\n{}\n{number} faults did not hold", failures.join("\n")))),
    }
}

/// The results of the faults for a program.
#[derive(Default)]
struct Row {
    line: String,
    tried: u32,
    failures: Vec<String>,
    skipped: Vec<String>,
}

/// Runs program number `number` with all faults.
fn all_faults(place: &Place, program: &Program, args: &Faults, number: usize) -> Result<Row> {
    let mut row = Row { line: format!("{:18}", program.name), ..Row::default() };
    if let Some(needed) = program.needs
        && !machine::has_program(needed)
    {
        row.skipped.push(format!("{}: '{needed}' is missing", program.name));
        return Ok(row);
    }
    let mut random = SplitMix64::new(args.seed);
    let (time, first) = undisturbed(place, program)?;
    if let Some(why) = first {
        row.failures.push(format!("{}: without a fault: {why}", program.name));
    }
    for fault in Fault::ALL {
        let cell = match fault {
            Fault::Kill => kills(place, program, args.kills, time, &mut random)?,
            Fault::FullDisk => full_disk(place, program)?,
            Fault::ReadOnly => read_only(place, program)?,
            Fault::NoHome => whole_run(place, program, &Run { home: false, ..Run::default() })?,
            Fault::ClosedPipe => closed_pipe(place, program)?,
            Fault::Memory => memory(place, program)?,
            Fault::Threads => {
                let user = first_user() + number;
                limits(place, program, &[1, 2, 3, 5].map(|number| Limit::Threads { number, user }))?
            }
        };
        let fault = fault.name();
        let text = match cell {
            Cell::Held(times) => {
                row.tried += times;
                format!("ok ({times})")
            }
            Cell::Skipped(why) => {
                row.skipped.push(format!("{}, {fault}: {why}", program.name));
                "SKIPPED".to_owned()
            }
            Cell::Failed(why) => {
                row.failures.push(format!("{}, {fault}: {why}", program.name));
                "FAILED".to_owned()
            }
        };
        row.line += &format!(" {text:>12}");
    }
    Ok(row)
}

/// Fails unless a folder has only whole records and no temporary file.
fn check_clean(program: &Program, folder: &Folder) -> std::result::Result<(), String> {
    program.check(folder, false)?;
    folder.no_temporary()
}

/// Runs a program undisturbed; returns its time, and any problem.
fn undisturbed(place: &Place, program: &Program) -> Result<(Duration, Option<String>)> {
    let folder = Folder::plain()?;
    let ended = machine::run(place, program, &folder, &Run::default())?;
    let wrong = ended.succeeded().and_then(|()| program.check(&folder, false).map(drop)).err();
    Ok((ended.time, wrong))
}

/// Kills a program at random moments, and lets it continue each time.
fn kills(place: &Place, program: &Program, kills: u32, time: Duration, random: &mut SplitMix64) -> Result<Cell> {
    let mut folder = Folder::plain()?;
    let mut whole = 0;
    for number in 1..=kills {
        let after = time.mul_f64(random.next_u64() as f64 / u64::MAX as f64 * 1.1);
        let ended = machine::run(place, program, &folder, &Run { kill_after: Some(after), ..Run::default() })?;
        let found = match program.check(&folder, true) {
            Err(why) => return Ok(Cell::Failed(format!("kill {number}: {why}"))),
            Ok(found) if program.grows && found < whole => {
                return Ok(Cell::Failed(format!("kill {number}: {found} records are left of {whole}")));
            }
            Ok(found) => found,
        };
        whole = found;
        if !ended.was_killed && program.grows {
            if let Err(why) = ended.succeeded() {
                return Ok(Cell::Failed(format!("after kill {number}: {why}")));
            }
            (folder, whole) = (Folder::plain()?, 0);
        }
    }
    let ended = machine::run(place, program, &folder, &Run::default())?;
    let end = ended.succeeded().and_then(|()| check_clean(program, &folder));
    Ok(end.map_or_else(|why| Cell::Failed(format!("after the kills: {why}")), |()| Cell::Held(kills)))
}

/// Lets a program begin on small disks, and replace its files on a disk that has become full.
fn full_disk(place: &Place, program: &Program) -> Result<Cell> {
    let mut times = 0;
    for kilobytes in [4, 8, 16, 32, 64, 128] {
        let Some(folder) = Folder::small(kilobytes)? else { return Ok(Cell::Skipped("a tmpfs cannot be mounted")) };
        let ended = machine::run(place, program, &folder, &Run::default())?;
        let held = ended.failed_clearly_or_not_at_all(program.tells);
        let held = held.and_then(|()| check_clean(program, &folder));
        if let Err(why) = held {
            return Ok(Cell::Failed(format!("a disk of {kilobytes} KB: {why}")));
        }
        times += 1;
    }
    for free in [0, 4] {
        let Some(folder) = Folder::small(8_192)? else { return Ok(Cell::Skipped("a tmpfs cannot be mounted")) };
        machine::run(place, program, &folder, &Run::default())?;
        let before = folder.contents()?;
        folder.fill(free)?;
        let ended = machine::run(place, program, &folder, &Run { again: true, ..Run::default() })?;
        folder.empty()?;
        let held = ended.failed_clearly_or_not_at_all(program.tells);
        let held = held.and_then(|()| program.check(&folder, false)).and_then(|found| {
            let old = content::total(program.files, &before)?;
            if program.grows && found < old { Err(format!("{found} records are left of {old}")) } else { Ok(()) }
        });
        if let Err(why) = held.and_then(|()| folder.no_temporary()) {
            return Ok(Cell::Failed(format!("{free} KB left: {why}")));
        }
        times += 1;
    }
    Ok(Cell::Held(times))
}

/// Lets a program write into a folder that has become read-only.
fn read_only(place: &Place, program: &Program) -> Result<Cell> {
    let mut times = 0;
    for has_files in [false, true] {
        let Some(folder) = Folder::small(8_192)? else { return Ok(Cell::Skipped("a tmpfs cannot be mounted")) };
        if has_files {
            machine::run(place, program, &folder, &Run::default())?;
        }
        let before = folder.contents()?;
        folder.make_read_only()?;
        let ended = machine::run(place, program, &folder, &Run { again: has_files, ..Run::default() })?;
        let held = ended.failed_clearly(program.tells).and_then(|()| {
            let after = folder.contents().map_err(|error| error.to_string())?;
            if after == before { Ok(()) } else { Err("a file has changed".to_owned()) }
        });
        if let Err(why) = held {
            return Ok(Cell::Failed(format!("{}: {why}", if has_files { "with files" } else { "empty folder" })));
        }
        times += 1;
    }
    Ok(Cell::Held(times))
}

/// A run that must succeed.
fn whole_run(place: &Place, program: &Program, options: &Run) -> Result<Cell> {
    let folder = Folder::plain()?;
    let ended = machine::run(place, program, &folder, options)?;
    let held = ended.succeeded().and_then(|()| check_clean(program, &folder));
    Ok(held.map_or_else(Cell::Failed, |()| Cell::Held(1)))
}

/// A run whose output pipe is closed: it may end early, and then must end with exit code 1 and without a message.
fn closed_pipe(place: &Place, program: &Program) -> Result<Cell> {
    let folder = Folder::plain()?;
    let ended = machine::run(place, program, &folder, &Run { reads_output: false, ..Run::default() })?;
    let held = match ended.code {
        // A program that prints nothing does not notice.
        Some(0 | 1) if !ended.errors.contains("panicked") => Ok(()),
        // SIGPIPE has ended the program that stands between.
        Some(141) if program.needs.is_some() => Ok(()),
        _ => Err(ended.describe()),
    };
    let held = held.and_then(|()| check_clean(program, &folder));
    Ok(held.map_or_else(Cell::Failed, |()| Cell::Held(1)))
}

/// Runs with little memory.
fn memory(place: &Place, program: &Program) -> Result<Cell> {
    match machine::least_memory(&place.programs.join(program.limited()))? {
        Some(least) => limits(place, program, &MEMORY.map(|more| Limit::Memory(least + more))),
        None => Ok(Cell::Skipped("prlimit is missing")),
    }
}

/// Runs with too little of a resource, which must succeed or fail clearly.
fn limits(place: &Place, program: &Program, limits: &[Limit]) -> Result<Cell> {
    let mut times = 0;
    for &limit in limits {
        if !limit.is_possible() {
            return Ok(Cell::Skipped("prlimit or setpriv is missing, or this is not the superuser"));
        }
        let folder = Folder::plain()?;
        folder.make_writable_for_all();
        let ended: Ended = machine::run(place, program, &folder, &Run { limit: Some(limit), ..Run::default() })?;
        let held = ended.failed_clearly_or_not_at_all(program.tells);
        // A process that lacks memory may be ended by the system within a record.
        let held = held.and_then(|()| program.check(&folder, true).map(drop));
        let again = held.and_then(|()| {
            let ended = machine::run(place, program, &folder, &Run::default()).map_err(|error| error.to_string())?;
            ended.succeeded()?;
            check_clean(program, &folder)
        });
        if let Err(why) = again {
            return Ok(Cell::Failed(format!("{limit:?}: {why}")));
        }
        times += 1;
    }
    Ok(Cell::Held(times))
}

/// The folder of the repository's test data.
pub(crate) fn testdata() -> PathBuf {
    files::root().join("testdata")
}
