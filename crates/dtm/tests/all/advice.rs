//! Advice from the tables of the repository.
#![allow(clippy::unwrap_used)]

use bartizan_dtm::advice::TheoreticalResult::{Draw, Loss, Win};
use bartizan_dtm::advice::{Advice, AdviceError, AdviceTables, Verdict, plan};
use bartizan_dtm::{DtmTables, Generator, StopFlag};
use bartizan_position::{Position, Tolerance};
use bartizan_tablebase::{Dtz, Tablebases};

fn position(fen: &str) -> Position {
    Position::from_fen_with(fen, Tolerance::ALL).unwrap()
}

fn advice(fen: &str) -> Advice {
    let syzygy = Tablebases::open_folders(&[bartizan_testkit::testdata("syzygy")]).unwrap();
    Advice::new(&position(fen), AdviceTables { distances: None, syzygy: Some(&syzygy) }).unwrap()
}

fn comments(advice: &Advice) -> Vec<String> {
    advice.moves.iter().map(|mv| format!("{}: {}", mv.san, mv.comment())).collect()
}

#[test]
fn a_won_position() {
    // The opposition decides: one king move wins, the others do not.
    let advice = advice("8/8/8/4k3/8/4K3/4P3/8 b - - 0 1");
    assert_eq!(advice.value.outcome, Loss);
    assert_eq!(advice.headline(), "Black to move and lose");
    let won = self::advice("8/8/8/5k2/8/3K4/4P3/8 w - - 0 1");
    assert_eq!(won.value.outcome, Win);
    assert_eq!(won.moves[0].verdict, Verdict::Best);
    let spoilt = won.moves.iter().filter(|mv| mv.verdict == Verdict::Spoils(Draw)).count();
    assert!(spoilt > 0 && won.moves.last().unwrap().comment() == "throws the win away", "{:?}", comments(&won));
    assert!(won.plan.unwrap().text.iter().any(|text| text.contains("d4, e4 and f4")));
}

#[test]
fn the_line_of_best_play_ends_with_mate() {
    for (fen, longest) in [
        ("8/8/8/3k4/8/8/3K4/3R4 w - - 0 1", 32),
        ("8/8/8/3k4/8/8/3K4/3Q4 w - - 0 1", 20),
        ("8/8/8/8/3K4/8/1k6/3R4 b - - 0 1", 32),
        ("8/4k3/8/8/4K3/8/4P3/8 w - - 0 1", 60),
    ] {
        let advice = advice(fen);
        assert!(advice.line.len() <= longest, "{fen}: {}", advice.line_text());
        let end = advice.line.iter().fold(advice.position.clone(), |position, &mv| position.play(mv).unwrap());
        assert!(end.is_checkmate() || advice.value.outcome == Draw, "{fen}: {}", advice.line_text());
    }
}

#[test]
fn the_fifty_moves_count() {
    let advice = advice("8/8/8/3k4/8/8/3K4/3R4 w - - 90 100");
    assert_eq!((advice.value.outcome, advice.value.with_rule), (Win, Some(Draw)));
    assert_eq!(advice.rule(), "By the 50-move rule it is a draw, 90 plies of it gone.");
    let enough = self::advice("8/8/8/3k4/8/8/3K4/3R4 w - - 60 100");
    assert_eq!(enough.value.with_rule, Some(Win));
    assert_eq!(enough.rule(), "The 50-move rule changes nothing, 60 plies of it gone.");
    // The pawn move resets the counter.
    let pawn = self::advice("k7/8/1K6/1P6/8/8/8/8 w - - 99 100");
    assert_eq!(pawn.value.with_rule, Some(Draw));
    assert!(pawn.moves.iter().all(|mv| mv.value.zeroing.is_some()));
}

/// Even without distances to mate, a mating move is recognised as mate.
#[test]
fn results_of_moves_without_distances_to_mate() {
    let results = |fen: &str| -> Vec<String> {
        advice(fen).moves.iter().map(|mv| format!("{}: {}, {}", mv.san, mv.result(), mv.comment())).collect()
    };
    let rook = results("6k1/8/6K1/8/8/8/8/R7 w - - 0 1");
    assert_eq!(rook[0], "Ra8#: mate in 1, best");
    assert_eq!(rook[1], "Rf1: win, 3 plies to a capture, pawn move or mate, keeps the result");
    let pawn = results("7k/8/8/8/P7/8/8/K7 w - - 0 1");
    assert_eq!(pawn[0], "a5: win, 1 ply to a capture, pawn move or mate, best");
    assert_eq!(advice("6k1/8/6K1/8/8/8/8/R7 w - - 0 1").to_json()["moves"][0]["mate"], 1);
    let rule = advice("6k1/8/6K1/8/8/8/8/R7 w - - 1 1").rule();
    assert_eq!(rule, "The 50-move rule changes nothing, 1 ply of it gone.");
}

/// No line continues past the point where a draw can be claimed.
#[test]
fn the_line_of_best_play_ends_by_the_fifty_moves() {
    const CLAIM: &str = "A draw by the 50-move rule can be claimed.";
    for (clock, moves) in [(90, 10), (99, 1), (100, 0), (120, 0)] {
        let advice = advice(&format!("8/8/8/3k4/8/8/3K4/3R4 w - - {clock} 130"));
        assert_eq!((advice.line.len(), advice.line_end()), (moves, Some(CLAIM)), "{clock}: {}", advice.line_text());
        assert!(advice.to_string().ends_with(&format!("  {CLAIM}\n")), "{advice}");
        assert_eq!(advice.to_json()["line_end"].as_str(), Some(CLAIM));
        assert!(advice.to_html().contains(&format!("<p>{CLAIM}</p>")), "{clock}");
    }
    // The mate comes earlier, with the last ply of the rule, or after a pawn move.
    for fen in
        ["8/8/8/3k4/8/8/3K4/3R4 w - - 60 130", "7k/8/5KQ1/8/8/8/8/8 w - - 99 130", "7k/8/5K2/6P1/8/8/8/8 w - - 95 130"]
    {
        let advice = advice(fen);
        let end = advice.line.iter().fold(advice.position.clone(), |position, &mv| position.play(mv).unwrap());
        assert!(end.is_checkmate() && advice.line_end().is_none(), "{fen}: {}", advice.line_text());
        assert!(!advice.to_string().contains(CLAIM) && !advice.to_html().contains(CLAIM), "{fen}");
        assert!(advice.to_json()["line_end"].is_null(), "{fen}");
    }
}

/// A move that lets the counter run out draws, however short its mate.
#[test]
fn moves_that_the_rule_makes_a_draw_come_after_those_that_win() {
    let folder = tempfile::tempdir().unwrap();
    let mut generator = Generator::new(folder.path(), 1);
    for name in ["KQK", "KRK", "KBK", "KNK", "KPK"] {
        generator.generate(&name.parse().unwrap(), &StopFlag::new(), &|_| ()).unwrap();
    }
    let distances = DtmTables::open_folders(&[folder.path()]).unwrap();
    let tables = AdviceTables { distances: Some(&distances), syzygy: None };
    let advice = |fen: &str| Advice::new(&position(fen), tables).unwrap();
    for (clock, other) in [(99, "too slow for the 50-move rule"), (95, "may be too slow for the 50-move rule")] {
        let advice = advice(&format!("8/8/8/1P6/1K6/8/8/7k w - - {clock} 120"));
        assert_eq!(advice.rule(), format!("The 50-move rule changes nothing, {clock} plies of it gone."));
        assert_eq!(comments(&advice)[0], "b6: best");
        assert!(advice.moves[1..].iter().all(|mv| mv.comment() == other), "{:?}", comments(&advice));
        assert!(advice.line_text().starts_with("120. b6"), "{}", advice.line_text());
    }
    // The last ply of the rule saves the loser, unless it mates.
    let saved = advice("8/8/8/1P6/1K6/8/8/7k b - - 99 120");
    assert_eq!(saved.rule(), "By the 50-move rule it is a draw, 99 plies of it gone.");
    assert_eq!(advice("8/8/8/1P6/1K6/8/8/7k w - - 100 120").value.with_rule, Some(Draw));
    assert_eq!(advice("7k/6Q1/6K1/8/8/8/8/8 b - - 100 120").value.with_rule, Some(Loss));
    // A draw is a draw, even if only the results are known.
    assert_eq!(advice("8/8/8/8/8/k7/P7/K7 w - - 30 120").value.with_rule, Some(Draw));
}

/// The value derived from the moves equals the position's value, in all positions of a game.
#[test]
fn moves_agree_with_the_position() {
    for fen in ["8/8/8/3k4/8/8/3K4/3Q4 b - - 0 1", "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", "8/8/8/8/4k3/8/4K3/4N3 w - - 0 1"]
    {
        let first = advice(fen);
        let mut position = first.position.clone();
        for &mv in &first.line {
            let advice = advice(&position.to_fen());
            let best = advice.moves.first().unwrap();
            assert_eq!(best.value.outcome, advice.value.outcome, "{}", position.to_fen());
            let (stored, found) = (advice.value.zeroing.unwrap_or(Dtz(0)), best.value.zeroing.unwrap_or(Dtz(0)));
            // The tables may round by a ply.
            assert!((stored.0 - found.0).abs() <= 1, "{}: {stored} {found}", position.to_fen());
            position = position.play(mv).unwrap();
        }
    }
}

#[test]
fn ends_of_games() {
    let mate = advice("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!((mate.headline().as_str(), mate.moves.len(), mate.line.len()), ("Black is checkmated", 0, 0));
    let stalemate = advice("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(stalemate.headline(), "Black is stalemated: a draw");
    let bare = advice("8/8/8/4k3/8/4K3/8/8 w - - 0 1");
    assert_eq!((bare.value.outcome, bare.line.len(), bare.plan), (Draw, 0, None));
}

#[test]
fn positions_without_tables_are_refused() {
    let syzygy = Tablebases::open_folders(&[bartizan_testkit::testdata("syzygy")]).unwrap();
    let tables = AdviceTables { distances: None, syzygy: Some(&syzygy) };
    let refused = |fen: &str| Advice::new(&position(fen), tables).unwrap_err();
    assert!(matches!(refused("8/8/8/4k3/8/4K3/4PP2/8 w - - 0 1"), AdviceError::NoTable { castling: false }));
    let castling = refused("8/8/8/4k3/8/8/8/4K2R w K - 0 1");
    assert_eq!(castling.to_string(), "no table has the position: tables do not cover castling rights");
    let none = Advice::new(&position("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"), AdviceTables::default());
    assert!(matches!(none, Err(AdviceError::NoTable { .. })));
}

#[test]
fn json_and_pages_hold_the_advice() {
    let advice = advice("8/8/8/5k2/8/3K4/4P3/8 w - - 0 1");
    let json = advice.to_json();
    assert_eq!((json["result"].as_str(), json["result_50_moves"].as_str()), (Some("win"), Some("win")));
    assert_eq!(json["moves"].as_array().unwrap().len(), advice.moves.len());
    assert_eq!(json["line"].as_array().unwrap().len(), advice.line.len());
    let page = advice.to_html();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert_eq!(page.matches("<svg").count(), 9);
    assert!(page.contains("throws the win away") && page.contains("Pawn against king"));
}

/// Every ending that has a plan, in textbook positions.
#[test]
fn plans_know_the_positions_of_the_books() {
    for (fen, outcome, title, words) in [
        (
            "8/8/8/3k4/8/8/3K4/3BN3 w - - 0 1",
            Win,
            "Bishop and knight against king",
            "light squares, so the corners are h1 and a8",
        ),
        ("7k/8/5K2/8/5N2/8/8/5B2 w - - 0 1", Win, "Bishop and knight against king", "near the wrong corner h8"),
        ("3K4/3P1k2/8/8/8/8/r7/4R3 w - - 0 1", Win, "Lucena position", "rank 4"),
        ("8/4k3/R7/3KP3/8/8/1r6/8 b - - 0 1", Draw, "Rook and pawn against rook", "first condition of a draw"),
        ("8/4k3/1r6/3KP3/8/8/R7/8 w - - 0 1", Draw, "Philidor's defence", "holds rank 6"),
        ("R7/6k1/P4r2/8/3K4/8/8/8 b - - 0 1", Draw, "Vancura's defence", "from the side"),
        ("8/8/8/8/8/5k2/2p5/Q6K w - - 0 1", Draw, "Queen against pawn", "bishop's pawn"),
        ("8/8/8/8/8/2k5/2b5/K4R2 b - - 0 1", Draw, "Rook against bishop", "safe in a corner"),
        (
            "7k/8/8/P7/8/8/8/K5B1 w - - 0 1",
            Win,
            "Bishop and pawn against king",
            "wrong bishop: the pawn promotes on a8",
        ),
        ("7k/8/8/8/P7/8/8/K7 w - - 0 1", Win, "Pawn against king", "The pawn runs"),
        ("k7/8/1K6/8/8/8/1p6/8 w - - 0 1", Loss, "Pawn against king", "promotes in 1 move"),
        // The king must make way for the pawn, which may give the other king time to arrive.
        ("8/8/8/7k/8/K7/P7/8 w - - 0 1", Win, "Pawn against king", "promotes in 6 moves"),
        ("8/8/8/7k/K7/P7/8/8 w - - 0 1", Win, "Pawn against king", "promotes in 6 moves"),
        ("8/8/8/8/K7/7k/P7/8 b - - 0 1", Loss, "Pawn against king", "has to keep it away"),
        ("8/8/8/1k6/p7/7K/7P/8 w - - 0 1", Loss, "Pawn against pawn", "White's pawn on h2 needs 6 moves"),
        ("8/8/8/4k3/8/1n6/8/KNN5 w - - 0 1", Draw, "", ""),
        ("8/8/8/4k3/4p3/8/8/KNN5 w - - 0 1", Win, "Two knights against pawn", "not beyond Troitsky's line"),
        ("8/8/8/3bk3/8/8/4P3/4K1B1 w - - 0 1", Draw, "Bishop and pawn against bishop", "different colours"),
    ] {
        let found = plan(&position(fen), Some(outcome));
        let text = found.as_ref().map(|plan| plan.text.join(" ")).unwrap_or_default();
        assert_eq!(found.map_or("", |plan| plan.title), title, "{fen}");
        assert!(text.contains(words), "{fen}: {text}");
    }
}

/// A position, its mirror image, and both with the colours swapped.
fn images(fen: &str) -> Vec<Position> {
    let (board, rest) = fen.split_once(' ').unwrap();
    let mirrored: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    let (first, second) = (position(fen), position(&format!("{} {rest}", mirrored.join("/"))));
    vec![first.flipped(), second.flipped(), first, second]
}

/// The named rook endings in textbook positions, also without a table.
#[test]
fn rook_endings_have_their_names() {
    for (fen, outcome, title) in [
        ("1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1", Win, "Lucena position"),
        ("3K4/3P1k2/8/8/8/8/2r5/4R3 w - - 0 1", Win, "Lucena position"),
        ("3K4/3P1k2/8/8/8/8/r7/4R3 w - - 0 1", Win, "Lucena position"),
        ("6K1/4k1P1/8/8/8/8/7r/5R2 w - - 0 1", Win, "Lucena position"),
        ("6K1/4k1P1/8/8/8/8/7r/5R2 b - - 0 1", Loss, "Lucena position"),
        ("3K4/3P2k1/8/8/8/8/2r5/5R2 b - - 0 1", Loss, "Lucena position"),
        ("8/4k3/1r6/3KP3/8/8/R7/8 w - - 0 1", Draw, "Philidor's defence"),
        ("4k3/R7/7r/3KP3/8/8/8/8 b - - 0 1", Draw, "Philidor's defence"),
        ("3k4/7R/r7/3PK3/8/8/8/8 w - - 0 1", Draw, "Philidor's defence"),
        ("2k5/7R/r7/8/2P5/2K5/8/8 b - - 0 1", Draw, "Philidor's defence"),
        // The pawn has advanced to the sixth rank, and the rook has gone behind it.
        ("4k3/R7/4P3/3K4/8/8/8/7r w - - 0 1", Draw, "Philidor's defence"),
        ("4k3/R7/3KP3/8/8/8/8/7r b - - 0 1", Draw, "Philidor's defence"),
        ("R7/6k1/P4r2/8/3K4/8/8/8 w - - 0 1", Draw, "Vancura's defence"),
        ("R7/6k1/P4r2/8/3K4/8/8/8 b - - 0 1", Draw, "Vancura's defence"),
        ("R7/7k/P3r3/8/1K6/8/8/8 b - - 0 1", Draw, "Vancura's defence"),
    ] {
        for position in images(fen) {
            for outcome in [None, Some(outcome)] {
                let title_of = |plan: bartizan_dtm::advice::Plan| plan.title;
                assert_eq!(plan(&position, outcome).map(title_of), Some(title), "{}", position.to_fen());
            }
        }
    }
}

/// Positions that look like the named ones, but where a rook hangs, a check or a pin wins, or the checks come from the
/// long side.
#[test]
fn rook_endings_that_only_look_like_the_named_ones() {
    for (fen, outcome) in [
        // Not the Lucena position: a rook that can be captured, checks, a rook's pawn, a pin.
        ("3K4/3P4/7k/8/8/8/5R2/5r2 b - - 0 1", Draw),
        ("2K5/2P5/k7/6r1/8/8/1R6/8 b - - 0 1", Draw),
        ("1K4r1/1P6/8/8/6k1/5R2/8/8 w - - 0 1", Draw),
        ("K1k5/P7/8/8/8/8/1R6/7r w - - 0 1", Draw),
        ("1K4kr/1P6/5R2/8/8/8/8/8 b - - 0 1", Draw),
        // Not Philidor's defence: a rook that can be captured, a pin, a skewer, a king that has reached the sixth rank.
        ("8/1k6/3r4/4K3/8/8/2P4R/8 w - - 0 1", Win),
        ("4k3/8/6r1/8/2K5/6R1/5P2/8 w - - 0 1", Win),
        ("1k6/8/1r6/3K4/8/7R/2P5/8 w - - 0 1", Win),
        ("3k4/8/r7/8/2P5/3K3R/8/8 b - - 0 1", Win),
        ("4k3/R7/3KP3/8/8/8/8/7r w - - 0 1", Win),
        // Not Vancura's defence: the king is near, or the other one is on the last rank.
        ("7k/R7/P6r/1K6/8/8/8/8 w - - 0 1", Win),
        ("R7/6k1/P5r1/5K2/8/8/8/8 w - - 0 1", Win),
        ("R7/6k1/P5r1/8/1K6/8/8/8 w - - 0 1", Win),
        ("R5k1/8/P6r/8/1K6/8/8/8 b - - 0 1", Loss),
    ] {
        for position in images(fen) {
            for outcome in [None, Some(outcome)] {
                let title = plan(&position, outcome).map(|plan| plan.title);
                assert_eq!(title, Some("Rook and pawn against rook"), "{}", position.to_fen());
            }
        }
    }
}

/// Without a result, the plan relies neither on a piece that the other side can capture at once nor on time that the
/// pawn does not leave.
#[test]
fn plans_without_a_result_see_what_hangs() {
    for (fen, words) in [
        ("8/1k6/7r/6K1/2P5/8/8/8 w - - 0 1", "White can take the rook on h6."),
        ("8/8/8/6r1/7k/8/3K3B/8 b - - 0 1", "Usually a draw."),
        ("8/8/8/6k1/8/4K3/4n2R/8 w - - 0 1", "White can take the knight on e2."),
        ("6k1/7R/8/8/1K6/8/1n6/8 w - - 0 1", "It is a draw only while"),
        ("8/8/8/6r1/5K2/8/7B/4k3 w - - 0 1", "White can take the rook on g5."),
        ("8/8/8/8/P1k5/5q2/4K3/8 w - - 0 1", "White can take the queen on f3."),
        ("8/8/8/8/4k3/3P4/3B3K/8 b - - 0 1", "Black takes the pawn on d3, and neither side can mate."),
        ("8/8/8/8/8/2P1B1K1/4k3/8 b - - 0 1", "Black can take the bishop on e3."),
        ("8/6K1/8/1N6/6kB/8/8/8 b - - 0 1", "Black takes the bishop on h4, and neither side can mate."),
        ("8/8/8/8/3r4/2k5/K6P/8 b - - 0 1", "White's king is still behind: the rook can cut it off"),
        ("2R5/8/7K/4k3/8/3p4/8/8 b - - 0 1", "usually goes on alone"),
        ("1r6/2P5/7k/8/4K3/8/8/8 w - - 0 1", "White can take the rook on b8."),
        ("8/2P5/7k/8/4K3/8/8/1r6 w - - 0 1", "The pawn can promote at once"),
        ("3K3k/8/2P5/7q/8/8/8/8 w - - 0 1", "Usually the queen still stops it"),
        ("8/4k3/B7/4P3/8/8/8/K7 b - - 0 1", "As a rule, the bishop guards"),
        ("8/4k3/8/3KP3/8/8/3b4/5B2 w - - 0 1", "It is nearly always a draw"),
        ("2B5/1P6/8/8/1k6/b7/7K/8 w - - 0 1", "it is a draw if Black's bishop reaches"),
        ("8/3k4/3B4/3p4/8/8/8/b2K4 b - - 0 1", "White's bishop must hold a diagonal"),
        ("6K1/8/8/6k1/8/8/7P/8 w - - 0 1", "if the other king does not take it first"),
    ] {
        let text = plan(&position(fen), None).map(|plan| plan.text.join(" ")).unwrap_or_default();
        assert!(text.contains(words), "{fen}: {text}");
    }
}

/// A plan agrees with the result.
#[test]
fn plans_do_not_contradict_the_result() {
    for (fen, outcome, expected) in [
        // Black takes the pawn.
        ("8/8/8/4k3/4P3/8/8/6BK b - - 0 1", Draw, "Black takes the pawn on e4, and neither side can mate."),
        ("8/8/8/8/4k3/4P3/8/7K b - - 0 1", Draw, "Black takes the pawn on e3, and neither side can mate."),
        ("8/8/3K4/8/4P3/5k2/8/8 b - - 0 1", Draw, "Black takes the pawn on e4, and neither side can mate."),
        ("8/8/8/8/8/4k3/4R3/7K b - - 0 1", Draw, "Black takes the rook on e2, and neither side can mate."),
        ("8/8/8/8/8/4k3/4Q3/7K b - - 0 1", Draw, "Black takes the queen on e2, and neither side can mate."),
        ("8/8/8/4k3/4P3/8/8/6NK b - - 0 1", Draw, "Black takes the pawn on e4, and neither side can mate."),
        // The same with more on the board: a queen that is traded, a promotion, a mate.
        ("8/8/8/3kQ3/8/3p4/8/3K4 b - - 0 1", Draw, "this position is a draw"),
        ("8/8/8/3kR3/8/8/3p4/3K4 b - - 0 1", Draw, "this position is a draw"),
        ("8/8/8/3kR3/8/8/2Kp4/8 b - - 0 1", Draw, "this position is a draw"),
        ("8/8/8/8/8/3k4/3r4/3QK3 b - - 0 1", Draw, "this position is a draw"),
        ("8/8/8/3kR3/8/8/3p4/7K b - - 0 1", Win, "Black wins, although White has more material."),
        ("6k1/4P3/8/8/8/3b4/8/B6K w - - 0 1", Win, "but this position is won"),
        ("7k/8/6KN/4N3/8/8/8/8 w - - 0 1", Win, "but this position is won"),
        ("1k3b2/8/8/8/3K4/4R3/8/8 w - - 0 1", Win, "but this position is won"),
        ("kn6/8/BK6/8/8/3B4/8/8 w - - 0 1", Win, "but this position is won"),
        ("8/3n4/4k3/8/8/3BK3/4B3/8 w - - 0 1", Draw, "they cannot force mate"),
        ("8/8/R7/8/7k/4n3/4K3/8 w - - 0 1", Win, "This position is won, but as a rule it is a draw while"),
    ] {
        let text = plan(&position(fen), Some(outcome)).map(|plan| plan.text.join(" ")).unwrap_or_default();
        assert!(text.contains(expected), "{fen}: {text}");
        for promise in ["gets through", "the pawn promotes.", "it falls", "is lost."] {
            assert!(!text.contains(promise), "{fen}: {text}");
        }
    }
    // The side with the pawn loses its rook, and the game.
    let lost = plan(&position("6K1/4k1P1/8/5r2/8/8/8/5R2 b - - 0 1"), Some(Win)).expect("a plan");
    assert_eq!(lost.title, "Rook and pawn against rook");
    assert_eq!(lost.text, ["Black wins, although White has more material."]);
    // The game is over.
    for fen in ["k7/2K5/1P6/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"] {
        assert_eq!(advice(fen).plan, None, "{fen}");
    }
}
