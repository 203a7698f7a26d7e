//! Whole pages.

use super::*;
use crate::{MoveClass, WhiteEval};

fn fixture() -> ReportData {
    serde_json::from_str(include_str!("../../../../web/report/test/game.json")).unwrap()
}

/// Text in a page without its script and data.
fn without_script(html: &str) -> String {
    let (before, rest) = html.split_once("<script type=\"application/json\"").unwrap();
    assert_eq!(rest.matches("<script").count(), 1, "only the page's own script follows");
    before.to_owned()
}

#[test]
fn a_page_is_complete_without_its_script() {
    let report = fixture();
    let game = &report.games[0];
    let page = without_script(&html(&report));
    for text in [&game.tags.white, &game.tags.black, &game.tags.result, &game.opening.as_ref().unwrap().name] {
        assert!(page.contains(text.as_str()), "{text}");
    }
    for mv in &game.moves {
        assert!(page.contains(&format!(">{}{}<", mv.san, mv.class.glyph())), "{}", mv.san);
    }
    assert!(!game.critical.is_empty());
    for moment in &game.critical {
        let mv = &game.moves[moment.ply - 1];
        assert!(page.contains(&format!("id=\"g1-m{}\"", moment.ply)));
        for reason in &mv.reasons {
            let reason = html! { (reason) }.into_string();
            assert!(page.matches(&reason).count() >= 2, "a sentence is at the moment and in the moves: {reason}");
        }
    }
    // A picture for each moment and one above.
    assert_eq!(page.matches("role=\"img\" aria-label=\"Before ").count(), game.critical.len());
    assert_eq!(page.matches("class=\"board\"").count(), game.critical.len() + 1);
    assert!(page.contains("b-arrow b-red") && page.contains("b-arrow b-green"));
    for part in ["<h1", "<caption>", "scope=\"col\"", "scope=\"row\"", "lang=\"en\"", "class=\"skip\"", "<main "] {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.contains("data-graph") && page.contains("g-mark c-blunder"));
}

#[test]
fn everything_from_a_game_is_escaped() {
    const HOSTILE: &str = "</script><img src=x onerror=alert(1)>\"'&<!--";
    let mut report = fixture();
    let hostile = || HOSTILE.to_owned();
    (report.title, report.engine, report.budget) = (hostile(), hostile(), hostile());
    let game = &mut report.games[0];
    let tags = &mut game.tags;
    for tag in [
        &mut tags.white,
        &mut tags.black,
        &mut tags.white_elo,
        &mut tags.black_elo,
        &mut tags.result,
        &mut tags.date,
        &mut tags.event,
        &mut tags.site,
        &mut tags.round,
        &mut tags.time_control,
        &mut game.pgn,
    ] {
        *tag = hostile();
    }
    game.opening = Some(OpeningName { eco: hostile(), name: hostile() });
    for mv in &mut game.moves {
        mv.reasons = vec![hostile()];
        for line in mv.best_line.iter_mut().chain(&mut mv.refutation) {
            line.san = hostile();
        }
    }
    game.moves[0].san = hostile();
    game.critical[0].values.insert(hostile(), 50.0);
    let mut several = report.clone();
    several.games.push(several.games[0].clone());
    several.games[1].start_fen = hostile();
    several.games[1].moves[3].fen = hostile();
    let puzzle = PuzzleReport {
        id: hostile(),
        fen: hostile(),
        moves: vec![hostile()],
        themes: vec![hostile()],
        source: hostile(),
    };
    let solved = PuzzleReport { fen: report.games[0].start_fen.clone(), ..puzzle.clone() };
    let trainer = PuzzleData { title: hostile(), puzzles: vec![puzzle, solved] };
    let pages = pages(&several).into_iter().map(|page| page.html);
    for page in [html(&report), html(&several), puzzles(&trainer)].into_iter().chain(pages) {
        assert!(!page.contains("<img") && !page.contains("<!--"));
        assert_eq!(page.matches("</script>").count(), 2);
        // Data and script are the only elements that hold it unescaped for HTML.
        let visible = without_script(&page);
        assert!(!visible.contains("\"'&"), "attributes and text are escaped");
        assert!(visible.contains("&lt;img src=x onerror=alert(1)&gt;&quot;"));
    }
}

#[test]
fn the_policy_names_the_script_and_allows_no_network() {
    let page = html(&fixture());
    let (_, script) = page.split_once("<script type=\"module\">").unwrap();
    let (script, _) = script.split_once("</script>").unwrap();
    let policy = format!("script-src &#39;sha256-{}&#39;", script::hash(script));
    assert!(page.contains(&policy) || page.contains(&policy.replace("&#39;", "'")), "{policy}");
    assert!(page.contains("default-src"));
    let namespace = "http://www.w3.org/";
    let rest = page.replace(namespace, "");
    assert!(!rest.contains("http://") && !rest.contains("https://"), "a page links to no other place");
    assert!(!rest.contains(" src="));
}

#[test]
fn several_games_have_a_first_page() {
    let mut report = fixture();
    let mut second = report.games[0].clone();
    second.tags.white = "Somebody else".to_owned();
    report.games.push(second);
    let one = html(&report);
    for part in ["href=\"#g1\"", "href=\"#g2\"", "id=\"g1\"", "id=\"g2\"", "By phase", "By opening", "By player"] {
        assert!(one.contains(part), "{part}");
    }
    let files = pages(&report);
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["index.html", "game-1.html", "game-2.html"]);
    assert!(files[0].html.contains("href=\"game-2.html\"") && !without_script(&files[0].html).contains("data-game"));
    assert!(files[1].html.contains("href=\"index.html\"") && files[1].html.contains("rel=\"next\""));
    assert!(files[2].html.contains("Somebody else") && !files[2].html.contains("rel=\"next\""));
}

#[test]
fn a_report_without_games_or_moves_is_a_page() {
    let empty = html(&ReportData::default());
    assert!(empty.contains("0 games reviewed"));
    let game = GameReport { start_fen: "4k3/8/8/8/8/8/8/4K2R w K - 0 1".to_owned(), ..GameReport::default() };
    let page = without_script(&html(&ReportData { games: vec![game], ..ReportData::default() }));
    assert!(page.contains("White – Black") && !page.contains("data-graph") && page.contains("class=\"board\""));
    // A game that is cut off, with plies that do not exist.
    let mut report = fixture();
    report.games[0].moves.truncate(1);
    report.games[0].critical[0].ply = usize::MAX;
    report.games[0].last_book_ply = usize::MAX;
    assert!(html(&report).contains("data-ply=\"1\""));
}

#[test]
fn data_is_read_as_it_was_written() {
    let report = fixture();
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<ReportData>(&json).unwrap(), report);
    assert!(json.contains("\"startFen\"") && json.contains("\"isTurningPoint\""));
    let mv = MoveReport { eval: Some(WhiteEval::Mate(-3)), loss: 12.345, ..MoveReport::default() };
    let json = serde_json::to_string(&mv).unwrap();
    assert!(json.contains("\"eval\":{\"mate\":-3}") && json.contains("\"loss\":12.3"), "{json}");
    assert_eq!(serde_json::to_string(&MoveClass::MissedWin).unwrap(), "\"missedWin\"");
}

#[test]
fn no_move_of_a_lost_game_is_called_good() {
    let after_white = "6k1/5ppp/8/8/8/8/1r3PPP/R5K1 b - - 0 1".to_owned();
    let mv = MoveReport { win: Some(4.0), fen: after_white, class: MoveClass::Good, ..MoveReport::default() };
    assert_eq!(mv.name(), "in a lost game");
    assert_eq!(MoveReport { win: Some(96.0), ..mv.clone() }.name(), "good move");
    assert_eq!(MoveReport { class: MoveClass::Best, ..mv }.name(), "best move");
}

#[test]
fn every_class_has_the_name_of_its_json() {
    use MoveClass::{Best, Blunder, Book, Forced, Good, Inaccuracy, MissedWin, Mistake, Only};
    for class in [Book, Forced, Best, Only, Good, Inaccuracy, Mistake, Blunder, MissedWin] {
        assert_eq!(serde_json::to_string(&class).unwrap(), format!("\"{}\"", class.key()));
    }
}

#[test]
fn puzzles_have_solutions_to_unfold() {
    let puzzle = PuzzleReport {
        id: "a".to_owned(),
        fen: "6k1/5ppp/8/8/8/8/1r3PPP/R5K1 w - - 0 1".to_owned(),
        moves: ["a1a8", "b2b8", "a8b8"].map(str::to_owned).to_vec(),
        themes: vec!["back rank".to_owned()],
        source: "Anna – Ben".to_owned(),
    };
    let page = without_script(&puzzles(&PuzzleData { title: String::new(), puzzles: vec![puzzle] }));
    for part in ["<h1>Puzzles</h1>", "White to move", "1.Ra8+ Rb8 2.Rxb8#", "back rank", "Anna – Ben", "data-trainer"]
    {
        assert!(page.contains(part), "{part}");
    }
}
