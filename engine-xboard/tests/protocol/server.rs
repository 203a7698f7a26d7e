//! Games against other programs: `computer`.

use crate::support::Engine;

#[test]
fn ratings_say_nothing_against_a_computer() {
    let mut engine = Engine::ready_with(&["-t"]);
    for (commands, told) in [
        ("rating 2800 2400", "# rating: 2800 against 2400, contempt 40"),
        ("computer", "# opponent: a computer, contempt 0"),
        ("rating 2800 2500", "# rating: 2800 against 2500, contempt 0"),
        ("option Contempt=10\ncomputer", "# opponent: a computer, contempt 10"),
        ("new\nforce\nrating 2800 2400", "# rating: 2800 against 2400, contempt 50"),
    ] {
        let said = engine.ask(commands);
        assert!(said.iter().any(|line| line == told), "{commands}: {said:?}");
    }
    engine.send("quit");
    engine.wait_exit();
}
