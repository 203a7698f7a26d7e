//! `bartizan-server mcp`: chess for language-model assistants, by the Model Context Protocol on standard input and
//! output. A game is a handle and is changed by moves alone, so that no answer is about a position that cannot be.

mod arguments;
mod facts;
mod games;
mod openings;
mod puzzles;
mod reply;
mod reports;
mod search;
mod tables;
mod tools;

use bartizan_tablebase::{Tablebases, split_folders};
use clap::Args;
use rmcp::ServiceExt;
use std::error::Error;
use std::time::Duration;
use tools::{Chess, Settings};

/// How the assistant is served.
#[derive(Args)]
#[command(after_help = "An assistant starts this program itself: see docs/assistants.md.")]
pub(crate) struct Options {
    /// Threads of reviews
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Hash table of each search <MIB>
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=4096))]
    hash: u32,
    /// Longest search of an answer <SECONDS>
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Folders of Syzygy tables
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
}

/// Serves an assistant until it closes the input.
pub(crate) fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let tables = match &options.syzygy {
        Some(folders) => {
            let folders = split_folders(folders);
            Some(Tablebases::open_folders(&folders)?)
        }
        None => None,
    };
    let settings = Settings {
        threads: options.threads.into(),
        hash_mib: options.hash as usize,
        longest: Duration::from_secs(options.seconds),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let served = runtime.block_on(async {
        let running = Chess::new(settings, tables).serve(rmcp::transport::stdio()).await;
        match running {
            Ok(running) => running.waiting().await.map(drop).map_err(|error| error.to_string()),
            // The input has ended, or its first message is none of the protocol.
            Err(error) => Err(error.to_string()),
        }
    });
    // Reading standard input cannot be cancelled.
    runtime.shutdown_background();
    Ok(served?)
}
