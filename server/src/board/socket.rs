//! A WebSocket that carries the lines of an engine, both ways. Messages that are JSON objects are those of the server:
//! `{"token": …}` is the lasting secret, `{"started": {"name": …, "options": […]}}` says that the engine is ready, and
//! `{"failed": …}` why there is none, or none any more.

use super::engine::{Engine, EngineChoice, EngineSettings};
use super::filter;
use super::rate::RateLimit;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::time::timeout;

/// The longest message of a page, in bytes: the moves of a game of 1,000 moves have 10,000.
pub(crate) const MOST_BYTES: usize = 32 << 10;

/// How long a page may take to read a message.
const READ: Duration = Duration::from_secs(10);

/// Why a socket ends.
enum End {
    /// The page or the program does not need it any more.
    Unused,
    /// The page breaks the rules.
    Refused(&'static str),
    /// The engine cannot be used.
    Failed(String),
}

/// Serves a page until it leaves, the engine ends or the program ends. `token` is for a page that does not know it yet.
pub(crate) async fn serve(
    mut socket: WebSocket,
    choice: &EngineChoice,
    settings: &EngineSettings,
    token: Option<String>,
    mut ended: watch::Receiver<bool>,
) {
    if let Some(token) = token
        && !say(&mut socket, json!({ "token": token }).to_string()).await
    {
        return;
    }
    let started = tokio::select! {
        started = Engine::start(choice, settings) => started,
        // A page waits for the answer.
        _ = socket.recv() => return,
        () = is_set(&mut ended) => return,
    };
    let end = match started {
        Ok(mut engine) => {
            let end = carry(&mut socket, &mut engine, &mut ended).await;
            engine.end().await;
            end
        }
        Err(error) => End::Failed(error),
    };
    let (code, reason) = match end {
        End::Unused => (close_code::AWAY, ""),
        End::Refused(reason) => (close_code::POLICY, reason),
        End::Failed(error) => {
            say(&mut socket, json!({ "failed": error }).to_string()).await;
            (close_code::ERROR, "the engine has failed")
        }
    };
    let close = CloseFrame { code, reason: reason.into() };
    drop(timeout(READ, socket.send(Message::Close(Some(close)))).await);
}

/// Carries lines until one side ends.
async fn carry(socket: &mut WebSocket, engine: &mut Engine, ended: &mut watch::Receiver<bool>) -> End {
    let names: Vec<&str> = engine.options.iter().map(|option| option.name.as_str()).collect();
    if !say(socket, json!({ "started": { "name": engine.name, "options": names } }).to_string()).await {
        return End::Unused;
    }
    let mut rate = RateLimit::new(Instant::now());
    loop {
        tokio::select! {
            message = socket.recv() => {
                if !rate.allows(Instant::now()) {
                    return End::Refused("too many messages");
                }
                let text = match message {
                    Some(Ok(Message::Text(text))) => text,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Binary(_))) => return End::Refused("a message is a line of text"),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return End::Unused,
                };
                match filter::allowed(&text, engine) {
                    Ok(None) => {}
                    Ok(Some(line)) => {
                        if let Err(error) = engine.send(line) {
                            return End::Failed(error);
                        }
                    }
                    Err(error) => {
                        if !say(socket, format!("info string error: {error}")).await {
                            return End::Unused;
                        }
                    }
                }
            }
            line = engine.line() => match line {
                // A line of the engine must not look like a message of the server.
                Ok(line) if line.starts_with('{') => {}
                Ok(line) => {
                    if !say(socket, line).await {
                        return End::Unused;
                    }
                }
                Err(error) => return End::Failed(error),
            },
            () = is_set(ended) => return End::Unused,
        }
    }
}

/// Waits for the end of the program.
async fn is_set(ended: &mut watch::Receiver<bool>) {
    drop(ended.wait_for(|&ended| ended).await);
}

/// Sends a text; whether the page is still there.
async fn say(socket: &mut WebSocket, text: String) -> bool {
    matches!(timeout(READ, socket.send(Message::Text(text.into()))).await, Ok(Ok(())))
}
