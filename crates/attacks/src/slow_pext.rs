//! Processors that execute PEXT slowly. The build script contains this file as well.

/// AMD's Zen 1 and Zen 2, which execute PEXT in microcode, as the compiler names them.
const SLOW: [&str; 2] = ["znver1", "znver2"];

/// Whether a processor executes PEXT slowly.
pub(crate) fn is_slow(processor: &str) -> bool {
    SLOW.contains(&processor)
}

/// The processor that the compiler's flags ask for. They are separated by the unit separator, as cargo gives them.
pub(crate) fn asked_for(flags: &str) -> Option<&str> {
    let mut values = flags.split('\u{1f}').filter_map(|flag| flag.split_once("target-cpu="));
    values.next_back().map(|(_, processor)| processor)
}

/// The processor of the build machine, in the output of `rustc --print target-cpus`.
pub(crate) fn native(processors: &str) -> Option<&str> {
    processors.split_once("(currently ")?.1.split(')').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zen_1_and_2_are_slow_by_name_and_as_the_build_machine() {
        assert_eq!(asked_for("-C\u{1f}target-cpu=native"), Some("native"));
        assert_eq!(asked_for("-Ctarget-cpu=native\u{1f}-Ctarget-cpu=znver2\u{1f}-Cdebuginfo=1"), Some("znver2"));
        assert_eq!(asked_for("-Ctarget-feature=+bmi2"), None);
        let processors =
            "Available CPUs for this target:\n    native - The current host (currently znver1).\n    znver3\n";
        assert_eq!(native(processors), Some("znver1"));
        assert_eq!(native("    generic\n"), None);
        assert!(is_slow("znver1") && is_slow("znver2") && !is_slow("znver3") && !is_slow("x86-64-v3"));
    }
}
