//! The server of assistants: the real program, in scripted conversations.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]
#![allow(unreachable_pub, reason = "of the shared module")]

mod support;

use bartizan_notation::san::SanExt as _;
use bartizan_position::{Game, Position};
use bartizan_types::SplitMix64;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use support::Assistant;

/// The number of conversations, unless `BARTIZAN_CONVERSATIONS` says another.
const CONVERSATIONS: u64 = 40;

#[test]
fn the_tools_have_schemas_and_say_what_they_do() {
    let begin = Instant::now();
    let mut assistant = Assistant::start(&[]);
    println!("from the start to the first answer: {:?}", begin.elapsed());
    let tools = assistant.ask("tools/list", json!({}))["result"]["tools"].clone();
    let names: Vec<&str> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for name in [
        "new_game",
        "play",
        "take_back",
        "legal_moves",
        "analyse",
        "explain",
        "review",
        "opening",
        "tablebase",
        "puzzle",
        "board",
    ] {
        assert!(names.contains(&name), "{names:?}");
    }
    for tool in tools.as_array().unwrap() {
        assert_eq!((&tool["inputSchema"]["type"], &tool["outputSchema"]["type"]), (&json!("object"), &json!("object")));
        assert!(tool["description"].as_str().unwrap().len() > 20, "{tool}");
        assert!(tool["outputSchema"]["properties"]["position"].is_object(), "{tool}");
    }
}

#[test]
fn a_game_is_judged() {
    let mut assistant = Assistant::start(&["--seconds", "8"]);
    let pgn = "1. f3 e5 2. g4 Qh4# 0-1";
    let game = assistant.call("new_game", json!({ "pgn": pgn }));
    assert_eq!(game["position"]["status"], "Black wins by checkmate");
    let review = assistant.call("review", json!({ "game": "g1", "nodes": 3000 }));
    assert!(review["mistakes"].as_array().unwrap().iter().any(|mv| mv["class"] == "blunder"), "{review}");
    assert!(review["opening"].as_str().unwrap().starts_with("A00 "), "{review}");
    let explained = assistant.call("explain", json!({ "game": "g1", "nodes": 3000 }));
    assert_eq!(explained["judgement"]["move"], "2... Qh4#");
    assistant.call("take_back", json!({ "game": "g1", "moves": 1 }));
    let analysed = assistant.call("analyse", json!({ "game": "g1", "nodes": 20_000, "lines": 2 }));
    assert_eq!(analysed["lines"][0]["best_move"], "2... Qh4#");
    assert_eq!(analysed["lines"][0]["evaluation"]["mate_in"], -1);
    assert_eq!(analysed["lines"].as_array().unwrap().len(), 2);
    let other = assistant.call("explain", json!({ "game": "g1", "move": "a6", "nodes": 20_000 }));
    assert_eq!(other["position"]["moves"], analysed["position"]["moves"], "the move is not played");
    assert!(other["judgement"]["loss"].as_f64().unwrap() > 5.0, "{other}");
    let puzzles = assistant.call("puzzle", json!({ "game": "g1", "nodes": 3000 }));
    for puzzle in puzzles["puzzles"].as_array().unwrap() {
        Position::from_fen(puzzle["fen"].as_str().unwrap()).unwrap();
    }
    let svg = assistant.call("board", json!({ "game": "g1", "format": "svg" }));
    assert!(svg["drawing"].as_str().unwrap().starts_with("<svg"), "{svg}");
    assert!(assistant.refused("tablebase", json!({ "game": "g1" })).contains("--syzygy"));
}

#[test]
fn endgame_tables_are_used() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/syzygy");
    let mut assistant = Assistant::start(&["--syzygy", folder]);
    assistant.call("new_game", json!({ "fen": "4k3/8/3K4/8/4P3/8/8/8 w - - 0 1" }));
    let probe = assistant.call("tablebase", json!({ "game": "g1" }));
    assert_eq!((&probe["result"], &probe["moves"][0]["result"]), (&json!("win"), &json!("win")));
    assistant.call("new_game", json!({}));
    assert!(assistant.refused("tablebase", json!({ "game": "g2" })).contains("32 pieces"));
}

#[test]
fn a_search_tells_its_progress_and_can_be_cancelled() {
    let mut assistant = Assistant::start(&[]);
    assistant.call("new_game", json!({}));
    let request = json!({ "game": "g1", "nodes": 20_000_000 });
    let arguments = json!({ "name": "analyse", "arguments": request, "_meta": { "progressToken": 7 } });
    let id = assistant.send("tools/call", arguments);
    let progress = assistant.wait_for(|message| message["method"] == "notifications/progress");
    assert_eq!((&progress["params"]["progressToken"], progress["params"]["total"].as_f64()), (&json!(7), Some(2e7)));
    assistant.notify("notifications/cancelled", json!({ "requestId": id }));
    let begin = Instant::now();
    // The next search waits for the end of that one.
    assistant.call("analyse", json!({ "game": "g1", "nodes": 1000 }));
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    let mut assistant = Assistant::start(&["--seconds", "1"]);
    assistant.call("new_game", json!({}));
    let found = assistant.call("analyse", json!({ "game": "g1", "nodes": 20_000_000 }));
    assert!(!found["lines"].as_array().unwrap().is_empty());
}

#[test]
fn garbage_does_not_end_the_server() {
    let mut assistant = Assistant::start(&[]);
    for garbage in [
        "",
        "{",
        "[]",
        "null",
        "\u{0}\u{1}",
        "{\"jsonrpc\":\"2.0\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"x/y\"}",
    ] {
        assistant.send_line(garbage);
    }
    for (name, arguments) in [
        ("no_such_tool", json!({})),
        ("play", json!({})),
        ("play", json!({ "game": 1, "moves": "e4" })),
        ("play", json!({ "game": "g1", "moves": ["e4"], "fen": "x" })),
        ("analyse", json!({ "game": "g1", "nodes": -1 })),
        ("new_game", json!([1])),
    ] {
        let answer = assistant.ask("tools/call", json!({ "name": name, "arguments": arguments }));
        assert!(answer["error"].is_object() || answer["result"]["isError"] == true, "{name}: {answer}");
    }
    assert!(assistant.refused("new_game", json!({ "pgn": "1. e4 ".repeat(200_000) })).contains("too long"));
    assert!(assistant.refused("new_game", json!({ "fen": "8/8/8/8/8/8/8/8 w - - 0 1" })).contains("king"));
    assert_eq!(assistant.call("new_game", json!({}))["position"]["game"], "g1");
}

#[test]
fn conversations_never_leave_the_rules() {
    let count =
        std::env::var("BARTIZAN_CONVERSATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(CONVERSATIONS);
    let mut assistant = Assistant::start(&[]);
    let mut slowest = Duration::ZERO;
    for seed in 0..count {
        converse(&mut assistant, seed, &mut slowest);
    }
    println!("{count} conversations; the slowest call without a search took {slowest:?}");
}

/// What an assistant may say in place of a move.
const NONSENSE: [&str; 9] =
    ["", "Ke9", "a1a1", "0000", "castle", "Ng9!!??#", "e4 e5", "\u{265e}\u{0}", "Q wins (surely)"];

/// Plays random moves and nonsense, and compares every answer with the rules.
fn converse(assistant: &mut Assistant, seed: u64, slowest: &mut Duration) {
    let mut random = SplitMix64::new(seed);
    let mut pick = |count: usize| (random.next_u64() % count as u64) as usize;
    let mut game = Game::default();
    let begun = assistant.call("new_game", json!({}));
    let handle = begun["position"]["game"].as_str().unwrap().to_owned();
    for _ in 0..30 {
        let legal = game.position().legal_moves();
        let begin = Instant::now();
        match pick(10) {
            0..4 if !legal.is_empty() => {
                let mv = legal[pick(legal.len())];
                let uci = mv.to_uci(game.position().variant()).to_string();
                let text = if pick(2) == 0 { game.san(mv).to_string() } else { uci };
                game.push(mv).unwrap();
                same(&game, &assistant.call("play", json!({ "game": handle, "moves": [text] })));
            }
            4 => {
                let text = NONSENSE[pick(NONSENSE.len())];
                assistant.refused("play", json!({ "game": handle, "moves": [text] }));
            }
            5 if !legal.is_empty() => {
                // One legal move before an illegal one: neither is played.
                let san = game.san(legal[0]).to_string();
                let error = assistant.refused("play", json!({ "game": handle, "moves": [san, "Ka9"] }));
                assert!(error.contains("Nothing was played"), "{error}");
            }
            6 if game.moves().len() > 0 => {
                let back = 1 + pick(game.moves().len().min(3));
                (0..back).for_each(|_| assert!(game.pop().is_some()));
                same(&game, &assistant.call("take_back", json!({ "game": handle, "moves": back })));
            }
            7 => {
                let wrong = ["g0", "g99999", "", "game", "g-1"][pick(5)];
                assert!(assistant.refused("legal_moves", json!({ "game": wrong })).contains("there is no game"));
            }
            8 => {
                let answer = assistant.call("legal_moves", json!({ "game": handle }));
                same(&game, &answer);
                let mut told: Vec<&str> =
                    answer["moves"].as_array().unwrap().iter().map(|mv| mv["san"].as_str().unwrap()).collect();
                let mut known: Vec<String> = legal.iter().map(|&mv| game.san(mv).to_string()).collect();
                told.sort_unstable();
                known.sort_unstable();
                assert_eq!(told, known);
            }
            _ => {
                let answer = assistant.call("analyse", json!({ "game": handle, "nodes": 1000, "lines": 1 + pick(3) }));
                same(&game, &answer);
                for line in answer["lines"].as_array().unwrap() {
                    let mut after = game.clone();
                    for word in line["line"].as_str().unwrap().split(' ').filter(|word| !word.ends_with('.')) {
                        let mv = after.parse_san(word).unwrap_or_else(|error| panic!("{line}: {error}"));
                        after.push(mv).unwrap();
                    }
                }
                continue;
            }
        }
        *slowest = begin.elapsed().max(*slowest);
    }
}

/// Compares the facts of an answer with the rules.
fn same(game: &Game, answer: &Value) {
    let (position, facts) = (game.position(), &answer["position"]);
    assert_eq!(facts["fen"], position.to_fen().as_str());
    assert_eq!(facts["legal_moves"], position.legal_moves().len());
    assert_eq!(facts["check"], position.in_check());
    assert_eq!(facts["status"] == "ongoing", game.outcome().is_none(), "{facts}");
    assert_eq!(facts["board"], position.diagram().to_string().as_str());
}
