//! A running search as an iterator.

use crate::reply::Progress;
use crate::{Action, BestMove, Client, ClientError, EngineEvent, Info, Reply};
use bartizan_position::Position;
use std::iter::FusedIterator;
use std::time::Duration;

/// A running search. Iterating yields every [`Info`] that the engine reports, for all best lines, and ends with the
/// search. [`RunningAnalysis::wait`] and [`RunningAnalysis::stop`] return the reply. Dropping it stops the search.
///
/// See [`Client::analyse`].
#[derive(Debug)]
pub struct RunningAnalysis<'a> {
    client: &'a mut Client,
    position: Position,
    progress: Progress,
    reply: Option<Reply>,
    /// Whether the iterator has reported an error.
    failed: bool,
}

impl<'a> RunningAnalysis<'a> {
    pub(crate) fn new(client: &'a mut Client, position: Position) -> Self {
        Self { client, position, progress: Progress::default(), reply: None, failed: false }
    }

    /// Waits for the limits to end the search.
    ///
    /// # Errors
    /// [`ClientError::Timeout`], [`ClientError::Exited`], [`ClientError::IllegalMove`], [`ClientError::Refused`].
    pub fn wait(mut self) -> Result<Reply, ClientError> {
        while self.advance()?.is_some() {}
        match self.reply.take() {
            Some(reply) => Ok(reply),
            None => Err(self.client.not_searching()),
        }
    }

    /// Stops the search if it is still running, and waits for the reply.
    ///
    /// ```no_run
    /// use bartizan_client::{Client, Limits};
    /// use bartizan_position::Game;
    /// use std::time::{Duration, Instant};
    ///
    /// let mut engine = Client::uci("stockfish")?;
    /// let start = Instant::now();
    /// let mut analysis = engine.analyse(&Game::default(), &Limits::infinite())?;
    /// for info in &mut analysis {
    ///     info?;
    ///     if start.elapsed() > Duration::from_secs(5) {
    ///         break;
    ///     }
    /// }
    /// println!("{:?}", analysis.stop()?.best_move());
    /// # Ok::<(), bartizan_client::ClientError>(())
    /// ```
    ///
    /// # Errors
    /// As [`RunningAnalysis::wait`].
    pub fn stop(self) -> Result<Reply, ClientError> {
        if self.reply.is_none() && self.client.is_searching() {
            self.client.stop()?;
        }
        self.wait()
    }

    /// The next info; `None` once there is a reply.
    fn advance(&mut self) -> Result<Option<Info>, ClientError> {
        while self.reply.is_none() {
            if !self.client.is_searching() {
                return Err(self.client.not_searching());
            }
            let (event, elapsed) = self.client.default_event()?;
            match event {
                EngineEvent::Info(info) => {
                    self.progress.add(&info);
                    return Ok(Some(info));
                }
                EngineEvent::BestMove(BestMove { mv: Some(mv), ponder, .. }) => {
                    self.end(Action::Move(mv), ponder, elapsed);
                }
                EngineEvent::BestMove(_) if !self.position.has_legal_move() => {
                    self.end(Action::NoLegalMove, None, elapsed);
                }
                EngineEvent::BestMove(BestMove { text, .. }) => {
                    let (engine, fen) = (self.client.name().to_owned(), self.position.to_fen());
                    return Err(ClientError::IllegalMove { engine, text, fen });
                }
                EngineEvent::DrawOffer => self.progress.draw_offered = true,
                EngineEvent::Resign => self.end(Action::Resign, None, elapsed),
                EngineEvent::ResultClaim(claim) => self.end(Action::ClaimResult(claim), None, elapsed),
                EngineEvent::Refused(line) => return Err(self.client.refused(line)),
                EngineEvent::Other(_) => {}
            }
        }
        Ok(None)
    }

    fn end(&mut self, action: Action, ponder: Option<bartizan_types::Move>, elapsed: Duration) {
        let Progress { lines, draw_offered } = std::mem::take(&mut self.progress);
        self.reply = Some(Reply { action, ponder, lines, draw_offered, elapsed });
    }
}

/// The infos in arrival order. After an error the iterator ends.
impl Iterator for RunningAnalysis<'_> {
    type Item = Result<Info, ClientError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.advance().transpose();
        self.failed = matches!(next, Some(Err(_)));
        next
    }
}

impl FusedIterator for RunningAnalysis<'_> {}

impl Drop for RunningAnalysis<'_> {
    fn drop(&mut self) {
        if self.client.is_searching() {
            // The engine's move is discarded before the next command, which also reports if the engine has exited.
            let _ = self.client.stop();
        }
    }
}
