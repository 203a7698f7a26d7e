//! `cargo xtask dist`: makes the release archive for one platform.
//!
//! The programs are built with profile-guided optimisation (PGO) if a matching `llvm-profdata` is installed. The same
//! commit gives the same bytes on the same machine: times come from the commit, entries are sorted, paths of the
//! machine are kept out of the programs, and the profile counts deterministic work.

mod archive;
mod build;
mod licences;
mod manual;
mod profile;

use crate::error::{Error, Result};
use crate::{files, run};
use archive::{Archive, Format};
pub(crate) use licences::{Shipped, standard_library, third_party};
use std::path::{Path, PathBuf};

/// What to make.
#[derive(Debug, clap::Args)]
pub(crate) struct Dist {
    /// Processor to build for, as rustc's `-C target-cpu` [default: x86-64-v3 on x86-64, generic elsewhere]
    #[arg(long, value_name = "CPU")]
    cpu: Option<String>,
    /// Last part of the archive's name [default: target and processor]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Folder for the archive [default: dist in the target folder]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Format of the archive [default: zip on Windows, tar.gz elsewhere]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Fail if no matching llvm-profdata is installed or the board's page is not built, instead of building without a
    /// profile and leaving out `bartizan-server`
    #[arg(long, conflicts_with = "no_profile")]
    complete: bool,
    /// Build without a profile
    #[arg(long)]
    no_profile: bool,
}

/// The released programs, which are packages of the same names.
const PROGRAMS: [&str; 3] = ["bartizan", "bartizan-xboard", "bartizan-tools"];

/// The program that serves the page, a workspace of its own.
const SERVER: &str = "bartizan-server";

/// The page that it contains; `cargo xtask web` builds it.
const PAGE: &str = "web/board/dist/index.html";

/// The features of the released programs: `bartizan-tools` writes its manual and completions, and Parquet files.
const FEATURES: &str = "bartizan-tools/pages,bartizan-tools/parquet";

/// The platform and the compiler of a build.
struct Platform {
    /// The target triple.
    target: String,
    cpu: String,
    /// The major version of rustc's LLVM.
    llvm: u32,
}

/// Builds and packs the programs. Calls `report` with each step. Returns the summary.
pub(crate) fn run(options: &Dist, mut report: impl FnMut(&str)) -> Result<String> {
    let platform = platform(options)?;
    // Everything that needs no programs comes first, so that errors do not appear only after minutes.
    let name = options.name.clone().unwrap_or_else(|| format!("{}-{}", platform.target, platform.cpu));
    let time = entry_time(std::env::var("SOURCE_DATE_EPOCH").ok(), &files::root())?;
    let mut archive = Archive::new(&format!("bartizan-{}-{name}", version()?), time);
    add_texts(&mut archive, &platform)?;
    let has_page = files::root().join(PAGE).is_file();
    if !has_page && options.complete {
        return Err(Error::Check(format!("no '{PAGE}' for {SERVER}: cargo xtask web")));
    }
    let work = run::target_folder(run::MAIN)?.join("dist");
    let profdata = if options.no_profile { Err("not asked for".to_owned()) } else { profile::find_tool(platform.llvm) };
    let profile = match profdata {
        Ok(tool) => {
            report(&format!("building for {} {} to make a profile", platform.target, platform.cpu));
            let programs = build::instrumented(&platform, &work)?;
            report(&format!("running the training; profiles are merged by {}", tool.display()));
            Some(profile::train(&programs, &tool, &work)?)
        }
        Err(why) if options.complete => return Err(Error::Check(format!("no profile: {why}"))),
        Err(why) => {
            report(&format!("WARNING: the programs are built without a profile, which makes them slower: {why}"));
            None
        }
    };
    report("building the programs");
    let programs = build::optimised(&platform, &work, profile.as_deref())?;
    report("packing");
    add_programs(&mut archive, &programs, &work)?;
    if has_page {
        report("building the server");
        add_program(&mut archive, SERVER, &build::server(&platform, &work)?)?;
        archive.add("licences/THIRD-PARTY-SERVER.txt", licences::of_server(&platform.target)?.into_bytes());
    } else {
        report(&format!("WARNING: {SERVER} is left out: there is no '{PAGE}', which `cargo xtask web` builds"));
    }
    let out = options.out.clone().unwrap_or(work);
    let path = archive.write(&out, options.format.unwrap_or_default())?;
    let with = if profile.is_some() { "with" } else { "without" };
    Ok(format!("{}: {} files, built {with} a profile", path.display(), archive.len()))
}

/// Adds the documentation and the licences.
fn add_texts(archive: &mut Archive, platform: &Platform) -> Result<()> {
    for page in pages()? {
        archive.add(&page, read(&files::root().join(&page))?);
    }
    archive.add("licences/THIRD-PARTY.txt", licences::of_programs(&platform.target)?.into_bytes());
    archive.add("licences/rust-standard-library.html", licences::standard_library()?);
    Ok(())
}

/// Adds the programs, and the manual pages and shell completions that they write.
fn add_programs(archive: &mut Archive, programs: &Path, work: &Path) -> Result<()> {
    for program in PROGRAMS {
        add_program(archive, program, programs)?;
    }
    for engine in manual::ENGINES {
        archive.add(&format!("man/{}.6", engine.program), manual::page(&engine, programs)?.into_bytes());
    }
    let pages = work.join("pages");
    if pages.exists() {
        std::fs::remove_dir_all(&pages).map_err(Error::io(&pages))?;
    }
    let tools = programs.join(format!("bartizan-tools{}", std::env::consts::EXE_SUFFIX));
    run::output(&tools.to_string_lossy(), &["pages", &pages.to_string_lossy()])?;
    for folder in ["man", "completions"] {
        let folder_path = pages.join(folder);
        for entry in std::fs::read_dir(&folder_path).map_err(Error::io(&folder_path))? {
            let entry = entry.map_err(Error::io(&folder_path))?;
            archive.add(&format!("{folder}/{}", entry.file_name().to_string_lossy()), read(&entry.path())?);
        }
    }
    Ok(())
}

fn add_program(archive: &mut Archive, program: &str, folder: &Path) -> Result<()> {
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    archive.add_program(&file, read(&folder.join(&file))?);
    Ok(())
}

/// README, the licences, and the documentation to which README links; relative to the root of the workspace.
fn pages() -> Result<Vec<String>> {
    let mut pages =
        ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "web/README.md"].map(str::to_owned).to_vec();
    for folder in ["docs", "docs/images", "docs/lab"] {
        let path = files::root().join(folder);
        for entry in std::fs::read_dir(&path).map_err(Error::io(&path))? {
            let entry = entry.map_err(Error::io(&path))?;
            if entry.path().is_file() {
                pages.push(format!("{folder}/{}", entry.file_name().to_string_lossy()));
            }
        }
    }
    Ok(pages)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(Error::io(path))
}

fn platform(options: &Dist) -> Result<Platform> {
    let text = run::output("rustc", &["-vV"])?;
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let unknown = |what: &str| Error::Check(format!("`rustc -vV` does not tell {what}"));
    let target = field("host:").ok_or_else(|| unknown("the host"))?.to_owned();
    let llvm = field("LLVM version:").and_then(|version| version.split('.').next()?.parse().ok());
    let cpu = if target.starts_with("x86_64") { "x86-64-v3" } else { "generic" };
    Ok(Platform {
        target,
        cpu: options.cpu.clone().unwrap_or_else(|| cpu.to_owned()),
        llvm: llvm.ok_or_else(|| unknown("the version of LLVM"))?,
    })
}

/// The version of the engine.
fn version() -> Result<String> {
    let package = run::metadata(run::MAIN)?.packages.into_iter().find(|package| package.name.as_str() == PROGRAMS[0]);
    let package = package.ok_or_else(|| Error::Check(format!("the workspace has no package '{}'", PROGRAMS[0])))?;
    Ok(package.version.to_string())
}

/// The time of all entries, in seconds since 1970: that of `SOURCE_DATE_EPOCH`, or of the commit checked out in a
/// folder.
fn entry_time(given: Option<String>, root: &Path) -> Result<u64> {
    let text = given.map_or_else(|| commit_time(root), Ok)?;
    text.parse().map_err(|_| Error::Check(format!("invalid SOURCE_DATE_EPOCH '{text}'")))
}

fn commit_time(root: &Path) -> Result<String> {
    let shown = root.to_string_lossy();
    let git = |args: &[&str]| run::output("git", &[&["-C", &*shown][..], args].concat());
    // The sources may lie inside another repository.
    let time = git(&["rev-parse", "--show-prefix"]).and_then(|prefix| match prefix.is_empty() {
        true => git(&["log", "-1", "--format=%ct"]),
        false => Err(Error::Check(format!("'{shown}' is not the root of a repository"))),
    });
    time.map_err(|error| Error::Check(format!("the entries have no time, set SOURCE_DATE_EPOCH: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links;

    #[test]
    fn without_a_commit_the_time_must_be_given() {
        let folder = files::root().join("docs");
        let error = entry_time(None, &folder).unwrap_err().to_string();
        assert!(error.contains("set SOURCE_DATE_EPOCH"), "{error}");
        assert_eq!(entry_time(Some("1000000000".to_owned()), &folder).unwrap(), 1_000_000_000);
        assert!(entry_time(Some("now".to_owned()), &folder).is_err());
    }

    #[test]
    fn links_of_packed_pages_lead_to_packed_pages() {
        let pages = pages().unwrap();
        assert!(pages.len() > 30, "{pages:?}");
        for page in pages.iter().filter(|page| page.ends_with(".md")) {
            for target in links::targets(Path::new(page)).unwrap() {
                assert!(pages.iter().any(|packed| Path::new(packed) == target), "{page}: {}", target.display());
            }
        }
    }
}
