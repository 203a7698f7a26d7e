//! `cargo xtask perft-suite`: counts the positions of `testdata/perft` with the release build.
//!
//! The task runs an example of `bartizan-position` instead of calling the crate, so that xtask builds even if that
//! crate does not.

use crate::error::Result;
use crate::run;

/// The arguments of the task.
#[derive(Debug, clap::Args)]
pub(crate) struct Suite {
    /// Skip counts of more than this number of leaves
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    max_leaves: u64,
    /// File of testdata/perft without `.txt`, may be repeated [default: all]
    #[arg(long, value_name = "NAME", num_args = 1..)]
    file: Vec<String>,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// Runs the suite. Fails if a count is wrong.
pub(crate) fn run(suite: &Suite) -> Result<()> {
    run::cargo(&command(suite))
}

fn command(suite: &Suite) -> Vec<String> {
    let mut command = run::args(&["run", "--release", "--quiet", "--package", "bartizan-position"]);
    command.extend(run::args(&["--example", "perft_suite", "--", "--max-leaves"]));
    command.push(suite.max_leaves.to_string());
    for file in &suite.file {
        command.extend(["--file".to_owned(), file.clone()]);
    }
    if let Some(threads) = suite.threads {
        command.extend(["--threads".to_owned(), threads.to_string()]);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_passed_on() {
        let suite = Suite { max_leaves: 5, file: vec!["tricky".into(), "random".into()], threads: Some(2) };
        assert!(
            command(&suite)
                .join(" ")
                .ends_with("--example perft_suite -- --max-leaves 5 --file tricky --file random --threads 2")
        );
        let bare = Suite { max_leaves: 5, file: vec![], threads: None };
        assert!(command(&bare).join(" ").ends_with("-- --max-leaves 5"));
    }
}
