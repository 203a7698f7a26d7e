//! `go … trace FILE`: a search that writes its tree to a file, in builds with the feature `trace`.

use crate::uci::Uci;

/// The search and the file of `go … trace FILE`; `None` for other lines.
pub(crate) fn trace_request(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let (go, file) = line.split_once(" trace ")?;
    (go.split_whitespace().next()? == "go" && !file.trim().is_empty()).then(|| (go, file.trim()))
}

#[cfg(not(feature = "trace"))]
impl Uci {
    pub(crate) fn go_traced(&mut self, _go: &str, _file: &str) {
        self.fail("go: this build cannot trace a search; build with `--features trace`");
    }
}

#[cfg(feature = "trace")]
impl Uci {
    /// Starts the search, unless another one runs.
    pub(crate) fn go_traced(&mut self, go: &str, file: &str) {
        use bartizan_frontend::{FrontEnd, TreeFile};
        use bartizan_protocol::uci::Command;
        use bartizan_types::Escaped;
        if let Err(reason) = self.interrupt() {
            return self.fail(format_args!("go: {reason}"));
        }
        let Ok(Some(command)) = Command::parse(go) else { return };
        match TreeFile::new(file.as_ref()) {
            Ok(tree) => {
                self.session().engine.trace_tree(Some(tree.trace()));
                self.tree = Some(tree);
                self.receive(command);
                if self.session().task().is_idle() {
                    // Nothing was searched.
                    self.session().engine.trace_tree(None);
                    self.tree = None;
                }
            }
            Err(error) => self.fail(format_args!("cannot write '{}': {error}", Escaped(file))),
        }
    }

    /// Completes the file, after the search.
    pub(crate) fn finish_trace(&mut self) {
        use bartizan_types::Escaped;
        let Some(tree) = self.tree.take() else { return };
        let path = Escaped(tree.path().display()).to_string();
        match tree.finish() {
            Ok(summary) if summary.left_out == 0 => {
                self.tell(format!("trace: {} records in '{path}'", summary.records));
            }
            Ok(summary) => {
                let (records, left_out) = (summary.records, summary.left_out);
                self.tell(format!("trace: cut at its limit: {records} records in '{path}', {left_out} left out"));
            }
            Err(error) => self.fail(format_args!("cannot write '{path}': {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_makes_a_trace() {
        assert_eq!(trace_request(" go depth 6 trace my tree.txt "), Some(("go depth 6", "my tree.txt")));
        for other in ["go depth 6", "go depth 6 trace", "go trace ", "position startpos trace x", "x go trace y"] {
            assert_eq!(trace_request(other), None, "{other}");
        }
    }
}
