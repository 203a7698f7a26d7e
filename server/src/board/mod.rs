//! `bartizan-server board`: the page on the loopback address, with a native engine behind a WebSocket.

mod browser;
mod engine;
mod filter;
mod guard;
mod native;
mod page;
mod process;
mod rate;
mod routes;
mod socket;

use clap::Args;
use engine::{EngineChoice, EngineSettings};
use guard::Guard;
use page::Page;
use routes::{MOST_SOCKETS, Server};
use std::error::Error;
use std::io::{Write, stdout};
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

/// How the board is served.
#[derive(Args)]
#[command(after_help = "Example: bartizan-server board --threads 4 --hash 256")]
pub(crate) struct Options {
    /// Port on the loopback address; 0 for a free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Print the address only
    #[arg(long)]
    no_open: bool,
    /// Folder of the built page, in place of the built-in one
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// UCI engine to use in place of Bartizan: a path, or a name to look up in PATH
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<PathBuf>,
    /// Argument of that program; can be repeated
    #[arg(long = "arg", value_name = "ARGUMENT", requires = "engine", allow_hyphen_values = true)]
    args: Vec<String>,
    /// UCI option of the engine, such as SyzygyPath=/tables; can be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,
    /// Threads of each engine
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Hash table of each engine <MIB>
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let (name, value) = (name.trim(), value.trim());
    let is_line = !name.is_empty() && !text.contains(char::is_control);
    is_line.then(|| (name.to_owned(), value.to_owned())).ok_or_else(|| "expected NAME=VALUE on one line".to_owned())
}

/// How long the engines may take to end.
const END: Duration = Duration::from_secs(3);

/// Serves the board until a signal ends the program.
pub(crate) fn run(options: Options) -> Result<(), Box<dyn Error>> {
    let page = match &options.dir {
        Some(folder) => Page::read(folder)?,
        None => Page::built_in()?,
    };
    let choice = match options.engine {
        Some(program) => EngineChoice::Program { program, args: options.args },
        None => EngineChoice::Native,
    };
    let settings = EngineSettings { options: options.options, threads: options.threads, hash: options.hash };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(serve(page, choice, settings, options.port, options.no_open))?;
    // A thread that blocks on the disk or on an engine does not keep the program.
    runtime.shutdown_timeout(Duration::from_millis(200));
    Ok(())
}

async fn serve(
    page: Page,
    choice: EngineChoice,
    settings: EngineSettings,
    port: u16,
    no_open: bool,
) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    let listener = listener.map_err(|error| format!("cannot listen on 127.0.0.1:{port}: {error}"))?;
    let guard = Guard::new(listener.local_addr()?.port())?;
    let (printed, opened) = (guard.address(), guard.address_for_browser());
    let (end, ended) = watch::channel(false);
    let sockets = Arc::new(Semaphore::new(MOST_SOCKETS));
    let server = Server { page, guard, choice, settings, sockets: Arc::clone(&sockets), ended };
    writeln!(stdout(), "{printed}")?;
    if !no_open && let Err(error) = browser::open(&opened) {
        eprintln!("cannot open the browser ({error}); open the address above");
    }
    let mut stop = end.subscribe();
    let signal = async move { drop(stop.wait_for(|&ended| ended).await) };
    let serving = axum::serve(listener, routes::router(server)).with_graceful_shutdown(signal);
    let mut serving = std::pin::pin!(async { serving.await });
    tokio::select! {
        result = &mut serving => result?,
        result = interrupted() => {
            result?;
            end.send_replace(true);
            // The sockets end their engines; a browser may keep its connections.
            let all = tokio::time::timeout(END, sockets.acquire_many(MOST_SOCKETS as u32)).await;
            drop(all);
            drop(tokio::time::timeout(Duration::from_millis(200), &mut serving).await);
        }
    }
    Ok(())
}

/// Waits for Ctrl-C, or for a signal to end.
async fn interrupted() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (mut term, mut hup) = (signal(SignalKind::terminate())?, signal(SignalKind::hangup())?);
        tokio::select! {
            result = tokio::signal::ctrl_c() => result,
            _ = term.recv() => Ok(()),
            _ = hup.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
