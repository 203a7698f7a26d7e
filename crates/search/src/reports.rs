//! What a search thread reports: events for the listener, and results and counts for the other threads.

use crate::event::{SearchEvent, SearchInfo};
use crate::root::{self, RootMove};
use crate::vote::ThreadResult;
use crate::worker::Worker;
use bartizan_types::{Depth, Move};
use std::time::Duration;

/// The time before which root moves and missed windows are not reported, because there would be too many to read.
const QUIET_TIME: Duration = Duration::from_secs(1);

impl<E> Worker<'_, E> {
    /// Whether events are wanted: in the main thread, if its caller listens.
    fn is_heard(&self) -> bool {
        self.caller.as_ref().is_some_and(|caller| caller.on_event.is_some())
    }

    /// Reports an event, if it is wanted.
    pub(crate) fn send(&mut self, event: SearchEvent) {
        if let Some(on_event) = self.caller.as_mut().and_then(|caller| caller.on_event.as_mut()) {
            on_event(event);
        }
    }

    /// Reports the best lines of a completed iteration.
    pub(crate) fn report_lines(&mut self, lines: usize) {
        self.reported_at = Some(self.nodes);
        if self.is_heard() {
            for line in 0..lines {
                self.send_info(&self.roots[line].clone(), line);
            }
        }
    }

    fn send_info(&mut self, root: &RootMove, line: usize) {
        let hashfull = self.job.table.hashfull();
        self.send(SearchEvent::Info(SearchInfo { hashfull, ..self.info(root, line) }));
    }

    /// Reports the first lines of an iteration, completed by those of the previous iteration, once the search has taken
    /// some time.
    pub(crate) fn report_early(&mut self, finished: usize, settled: &[RootMove], lines: usize) {
        if self.is_heard() && self.completed_depth > Depth::ZERO && self.job.control.elapsed() > QUIET_TIME {
            self.publish_nodes();
            for (line, root) in root::followed_by(&self.roots[..finished], settled).iter().enumerate().take(lines) {
                self.send_info(root, line);
            }
        }
    }

    /// Reports a bound after a missed window, once the search has taken some time. With MultiPV no bounds are reported.
    pub(crate) fn report_miss(&mut self) {
        if self.is_heard() && self.job.multipv == 1 && self.job.control.elapsed() > QUIET_TIME {
            self.publish_nodes();
            self.send_info(&self.roots[0].clone(), 0);
        }
    }

    /// Reports the root move to be searched next, once the search has taken some time.
    pub(crate) fn report_current_move(&mut self, mv: Move, number: usize) {
        if self.is_heard() && self.job.control.elapsed() > QUIET_TIME {
            let number = (self.first_root + number) as u32;
            self.send(SearchEvent::CurrentMove { depth: self.root_depth.0 as u32, mv, number });
        }
    }

    /// The line of a root move with its statistics, except for the fill of the hash table, which takes a microsecond to
    /// sample. The number is its place among the best lines, from 0.
    fn info(&self, root: &RootMove, line: usize) -> SearchInfo {
        let (value, bound) = root.reported();
        SearchInfo {
            depth: root.depth.0 as u32,
            seldepth: root.seldepth.max(1),
            multipv: line as u32 + 1,
            value,
            bound,
            is_proven: root.table_value.is_some(),
            nodes: self.job.nodes.total(),
            tablebase_hits: self.job.table_hits.total(),
            hashfull: 0,
            time: self.job.control.elapsed(),
            pv: root.pv.clone(),
        }
    }

    /// Publishes the result so far, for the choice among the threads. Does nothing before the first iteration is
    /// complete or if there is no move.
    pub(crate) fn publish_report(&self) {
        if !self.roots.is_empty() && self.completed_depth > Depth::ZERO {
            let best = self.roots.iter().take(self.job.multipv).enumerate();
            let report = ThreadResult {
                depth: self.completed_depth.0,
                lines: best.map(|(line, root)| self.info(root, line)).collect(),
                is_reported: self.reported_at == Some(self.nodes),
            };
            self.job.reports.publish(self.id, report);
        }
    }

    /// Publishes the exact counts of this thread.
    pub(crate) fn publish_nodes(&self) {
        self.job.nodes.publish(self.id, self.nodes);
        if self.job.tables.is_some() {
            self.job.table_hits.publish(self.id, self.table_hits);
        }
    }
}
