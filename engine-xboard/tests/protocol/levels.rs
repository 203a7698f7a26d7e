//! Play below full strength.

use crate::support::{Engine, SEARCH};

#[test]
fn the_level_is_set_by_options_and_commands() {
    let mut engine = Engine::ready();
    let level = |engine: &mut Engine, set: &str| {
        let lines = engine.ask(&format!("{set}\nelo"));
        lines.last().unwrap().clone()
    };
    for (set, expected) in [
        ("strength 50", "level: Elo 1787"),
        ("strength 1", "level: Elo 600"),
        ("strength 100", "level: full strength"),
        ("elo 1200", "level: Elo 1200"),
        ("elo full", "level: full strength"),
        ("option SkillLevel=10", "level: Elo 1800"),
        ("option UCI_LimitStrength=1\noption UCI_Elo=2000", "level: Elo 2000"),
        ("new", "level: Elo 2000"),
    ] {
        assert_eq!(level(&mut engine, set), expected, "{set}");
    }
    for wrong in ["strength 0", "strength 101", "strength x", "strength -5"] {
        let lines = engine.ask(wrong);
        assert_eq!(lines, [format!("Error (strength: not a percentage from 1 to 100): {wrong}")]);
    }
    assert_eq!(level(&mut engine, "option Strength=50"), "level: Elo 2000");
}

/// White is a queen and two rooks ahead.
const LOST: &str = "4k3/pppp4/8/8/8/8/PPPPPPPP/R2QK2R b KQ - 0 20";

#[test]
fn a_level_resigns_as_its_rating_does() {
    for (level, resigns) in [("elo 2800", true), ("elo 1000", false), ("elo full", false)] {
        let mut engine = Engine::ready();
        engine.tell(&format!("force\nsetboard {LOST}\nsd 2"));
        engine.ask(level);
        engine.send("go");
        let mut has_resigned = false;
        for mv in ["a2a3", "b2b3", "c2c3", "d2d3"] {
            let lines = engine.wait_until("an answer", SEARCH, |line| line == "resign" || line.starts_with("move "));
            has_resigned = lines.iter().any(|line| line == "resign");
            if has_resigned {
                break;
            }
            engine.send(&format!("usermove {mv}"));
        }
        if !has_resigned {
            engine.its_move();
        }
        assert_eq!(has_resigned, resigns, "{level}");
    }
}

#[test]
fn resigning_can_be_switched_off() {
    let mut engine = Engine::ready();
    engine.tell(&format!("force\nsetboard {LOST}\nsd 2\noption Resign=0"));
    engine.ask("elo 2800");
    engine.send("go");
    for mv in ["usermove a2a3", "usermove b2b3", "usermove c2c3", "usermove d2d3"] {
        engine.its_move();
        engine.send(mv);
    }
    engine.its_move();
}
