//! Code shared by several examples.

use std::error::Error;
use std::fs;

/// The CPU time of all threads of this process in seconds, as reported by Linux.
pub(crate) fn processor_time() -> Result<f64, Box<dyn Error>> {
    let mut nanoseconds = 0.0;
    for task in fs::read_dir("/proc/self/task")? {
        // A thread may have ended in the meantime.
        let Ok(text) = fs::read_to_string(task?.path().join("schedstat")) else { continue };
        nanoseconds += text.split(' ').next().unwrap_or_default().parse::<f64>()?;
    }
    Ok(nanoseconds * 1e-9)
}
