//! An engine that is another program.

use bartizan_types::Escaped;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// The longest line of an engine, in bytes.
const LONGEST: u64 = 1 << 16;

/// How long an engine may take to end by itself.
const QUIT: Duration = Duration::from_millis(500);

/// Starts a program and connects its pipes. The task ends after the program, which is killed with the task.
pub(crate) fn start(
    program: &Path,
    args: &[String],
    mut commands: Receiver<String>,
    lines: Sender<Result<String, String>>,
) -> Result<JoinHandle<()>, String> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    let mut child =
        command.spawn().map_err(|error| format!("cannot start '{}': {error}", Escaped(program.display())))?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("the engine has no pipes".to_owned());
    };
    Ok(tokio::spawn(async move {
        let mut output = BufReader::new(output);
        tokio::select! {
            () = write(&mut commands, &mut input) => {}
            reason = read(&mut output, &lines) => {
                let reason = match reason {
                    Some(reason) => reason,
                    None => ended(&mut child).await,
                };
                drop(lines.send(Err(reason)).await);
            }
        }
        for command in ["stop\n", "quit\n"] {
            drop(timeout(QUIT, input.write_all(command.as_bytes())).await);
        }
        drop(input);
        // What the engine still says is read, so that it is not held up.
        let rest = async {
            let mut sink = tokio::io::sink();
            drop(tokio::io::copy_buf(&mut output, &mut sink).await);
            child.wait().await
        };
        if timeout(QUIT, rest).await.is_err() {
            drop(child.kill().await);
        }
    }))
}

/// Writes commands until there are no more; then waits for ever if the engine does not read them.
async fn write(commands: &mut Receiver<String>, input: &mut ChildStdin) {
    while let Some(mut line) = commands.recv().await {
        line.push('\n');
        if input.write_all(line.as_bytes()).await.is_err() {
            // The end of the output gives the reason.
            while commands.recv().await.is_some() {}
            return;
        }
    }
}

/// Reads lines until the output ends or nobody wants more; returns the reason, if it is not the end of the engine.
async fn read(output: &mut (impl AsyncBufRead + Unpin), lines: &Sender<Result<String, String>>) -> Option<String> {
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut *output).take(LONGEST).read_until(b'\n', &mut line).await {
            Ok(0) => return None,
            Ok(_) => {}
            Err(error) => return Some(format!("cannot read from the engine: {error}")),
        }
        if line.len() as u64 == LONGEST && line.last() != Some(&b'\n') {
            return Some(format!("the engine has written a line of more than {LONGEST} bytes"));
        }
        let text = String::from_utf8_lossy(&line).trim_end().replace(char::is_control, " ");
        if !text.is_empty() && lines.send(Ok(text)).await.is_err() {
            return None;
        }
    }
}

/// How the engine has ended.
async fn ended(child: &mut Child) -> String {
    match timeout(QUIT, child.wait()).await {
        Ok(Ok(status)) => format!("the engine has ended: {status}"),
        Ok(Err(error)) => format!("the engine has ended: {error}"),
        Err(_) => "the engine has closed its output".to_owned(),
    }
}
