//! Collections of games: conditions, sort keys, samples, duplicates, statistics and changed tags.

use crate::take_byte;
use bartizan_games::filter::{BoardPattern, Condition, Filter, Pattern, Players};
use bartizan_games::{
    CollectionStatistics, Duplicates, FileNamePattern, GameIdentity, Prefixes, Sampling, SortKey, Sorter, fullness,
    is_quiet,
};
use bartizan_games::{phase, tags};
use bartizan_notation::epd::Epd;
use bartizan_notation::list::decode;
use bartizan_notation::pgn::{PgnGame, RawGame, RawGames};
use bartizan_position::Position;
use bartizan_types::{Color, GameResult, Move};
use std::collections::HashSet;
use std::fmt::Display;
use std::sync::LazyLock;

/// The maximum number of conditions and games of an input: more make runs slow and find nothing new.
const CONDITIONS: usize = 4;
const GAMES: usize = 6;

/// A byte of flags, lines with one condition each up to an empty line, then games. The first letter of a line gives the
/// kind of condition.
pub fn games(mut data: &[u8]) {
    let flags = take_byte(&mut data);
    let mut lines = Vec::new();
    while let Some(end) = data.iter().position(|&byte| byte == b'\n') {
        let line = &data[..end];
        data = &data[end + 1..];
        if line.is_empty() || lines.len() == CONDITIONS {
            break;
        }
        lines.push(decode(line).into_owned());
    }
    lines.iter().for_each(|line| names(line));
    let mut games: Vec<(RawGame, Option<PgnGame>)> = Vec::new();
    for raw in RawGames::new(data).take(GAMES) {
        let raw = raw.expect("bytes can be read");
        let game = raw.games().next().and_then(Result::ok);
        games.push((raw, game));
    }
    filter(&lines, &games);
    sort(flags, &lines, &games);
    duplicates(&games);
    statistics(flags, &games);
    for (raw, game) in &games {
        let Some(game) = game else { continue };
        sample(flags, game);
        change_tags(lines.first().map_or("", String::as_str), raw, game);
    }
}

/// A condition; `None` if the text is rejected, with a message of bounded length.
fn condition(line: &str) -> Option<Condition> {
    fn checked<T, E: Display>(result: Result<T, E>) -> Option<T> {
        result.map_err(|error| assert!(error.to_string().chars().count() < 2_000)).ok()
    }
    let mut chars = line.chars();
    let letter = chars.next()?;
    let text = chars.as_str();
    Some(match letter {
        'p' => Condition::Player { color: None, name: pattern(text) },
        'w' => Condition::Player { color: Some(Color::White), name: pattern(text) },
        't' => {
            let (name, value) = text.split_once('=')?;
            Condition::Tag(name.to_owned(), pattern(value))
        }
        'o' | 'O' => Condition::Opening { name: pattern(text), by_position: letter == 'O' },
        'e' | 'E' => Condition::Eco { codes: checked(text.parse())?, by_position: letter == 'E' },
        'c' => Condition::TimeControl(checked(text.parse())?),
        'd' => Condition::Date(checked(text.parse())?),
        'b' => Condition::Position(checked(text.parse())?),
        'm' => Condition::Material(checked(text.parse())?, 2),
        'f' => Condition::FinalMaterial(checked(text.parse())?),
        'n' => Condition::Ending(vec![checked(text.parse())?]),
        's' => checked(Condition::moves(text))?,
        'r' => Condition::Rating(Players::Either, checked(text.parse())?..=u32::MAX),
        'R' => Condition::Result(vec![checked(text.parse())?]),
        'l' => Condition::Plies(0..=checked(text.parse())?),
        _ => return None,
    })
}

/// One of a few patterns. Regular expressions take far longer to build than everything else, and have fuzz targets in
/// their own project.
fn pattern(text: &str) -> Pattern {
    static PATTERNS: LazyLock<[Pattern; 4]> =
        LazyLock::new(|| ["", "a", "/^.a/", "/[a-e]|\\?$/i"].map(|text| text.parse().expect("a pattern")));
    PATTERNS[text.len() % PATTERNS.len()].clone()
}

/// A decision by a game's text equals the one by its moves; a filter matches if all its conditions do; the inverted one
/// matches the other games; a position search equals looking at each position.
fn filter(lines: &[String], games: &[(RawGame, Option<PgnGame>)]) {
    let conditions = || lines.iter().filter_map(|line| condition(line));
    let single: Vec<Filter> = conditions().map(|condition| Filter::new(vec![condition])).collect();
    let pattern = |line: &String| line.strip_prefix('b')?.parse().ok();
    let patterns: Vec<BoardPattern> = lines.iter().filter_map(pattern).collect();
    let whole = Filter::new(conditions().collect());
    let inverted = Filter::new(conditions().collect()).inverted(true);
    for (raw, game) in games {
        let by_tags = whole.by_tags(raw);
        assert_eq!(inverted.by_tags(raw), by_tags.map(|wanted| !wanted));
        let Some(game) = game else { continue };
        let wanted = whole.by_moves(raw, game);
        assert!(by_tags.is_none_or(|by_tags| by_tags == wanted));
        assert_eq!(single.iter().all(|filter| filter.by_moves(raw, game)), wanted);
        assert_ne!(inverted.by_moves(raw, game), wanted);
        if patterns.is_empty() {
            continue;
        }
        let positions = positions(game);
        for pattern in &patterns {
            let slow = positions.iter().any(|position| pattern.matches(position));
            let filter = Filter::new(vec![Condition::Position(pattern.clone())]);
            assert_eq!(filter.by_moves(raw, game), slow, "{pattern:?}");
        }
    }
}

fn positions(game: &PgnGame) -> Vec<Position> {
    let mut position = game.start.clone();
    let mut positions = vec![position.clone()];
    for played in &game.moves {
        position = position.play(played.mv).expect("a checked move is legal");
        positions.push(position.clone());
    }
    positions
}

/// A value never leads out of the folder.
fn names(text: &str) {
    let names = FileNamePattern::new("parts/{}.pgn").expect("a pattern");
    let path = names.of(text);
    let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
    assert_eq!(path.parent(), Some(names.folder()), "{text:?}");
    assert!(!name.starts_with(['.', '-']) && name.len() < 120 && !name.contains(char::is_control), "{text:?} {name:?}");
    if let Ok(names) = FileNamePattern::new(text) {
        assert_eq!(names.of("../a").parent(), Some(names.folder()), "{text:?}");
    }
}

/// Games are sorted by their keys, and the sort is stable, even if the memory is too small.
fn sort(flags: u8, lines: &[String], games: &[(RawGame, Option<PgnGame>)]) {
    let mut keys = vec![SortKey::Date, SortKey::Round, SortKey::Rating, SortKey::Plies, SortKey::Result];
    keys.extend(lines.iter().filter_map(|line| line.parse().ok()));
    let memory = if flags & 0x70 == 0x70 { 64 } else { 1 << 20 };
    let mut sorter = Sorter::new(memory, &std::env::temp_dir());
    let mut expected = Vec::new();
    for (number, (raw, game)) in games.iter().enumerate() {
        let mut bytes = Vec::new();
        keys.iter().for_each(|key| key.append(raw, game.as_ref(), &mut bytes));
        sorter.push(&bytes, &[number as u8]).expect("a temporary file can be written");
        expected.push((bytes, number as u8));
    }
    expected.sort();
    let mut sorted = sorter.finish().expect("a temporary file can be written");
    let mut count = 0;
    while let Some((key, value)) = sorted.next().expect("a temporary file can be read") {
        let (bytes, number) = &expected[count];
        assert_eq!((key, value), (bytes.as_slice(), [*number].as_slice()));
        count += 1;
    }
    assert_eq!(count, expected.len());
}

/// One game of each kind is kept. A game equals its written form, and only a game with more moves makes it a beginning.
fn duplicates(games: &[(RawGame, Option<PgnGame>)]) {
    let mut finder = Duplicates::new();
    let mut prefixes = Prefixes::new();
    let mut known = HashSet::new();
    let mut steps = Vec::new();
    for (raw, game) in games {
        let identity = game.as_ref().map(GameIdentity::of);
        known.extend(identity);
        finder.see(identity, fullness(raw));
        if let Some(game) = game {
            let all = Prefixes::steps(raw, game);
            // None if a player is unknown.
            assert!(all.is_empty() || all.len() == game.moves.len() + 1);
            all.last().into_iter().for_each(|last| prefixes.add(*last));
            steps.push((game.result, all));
        }
    }
    let dropped = finder.into_dropped();
    let dropped = (0..games.len() as u64).filter(|&number| dropped.contains(number)).count();
    assert_eq!(dropped + known.len(), steps.len());
    steps.iter().zip(0..).for_each(|((result, steps), number)| prefixes.extend(number, *result, steps));
    let dropped = prefixes.into_dropped();
    for (number, (_, short)) in steps.iter().enumerate().filter(|&(number, _)| dropped.contains(number as u64)) {
        let is_longer =
            |(_, long): &(GameResult, Vec<GameIdentity>)| long.len() > short.len() && long.starts_with(short);
        assert!(steps.iter().any(is_longer), "{number}");
    }
}

/// Merging the statistics of parts gives those of the whole.
fn statistics(flags: u8, games: &[(RawGame, Option<PgnGame>)]) {
    let count = |games: &[(RawGame, Option<PgnGame>)]| {
        let mut statistics = CollectionStatistics::default();
        for game in games.iter().filter_map(|(_, game)| game.as_ref()) {
            statistics.add(game, flags & 1 != 0);
        }
        statistics
    };
    let (first, second) = games.split_at(games.len() / 2);
    let mut merged = count(first);
    merged.merge(&count(second));
    let whole = count(games);
    assert_eq!(merged, whole);
    assert_eq!(whole.results.games(), whole.games);
}

/// Positions are as requested, and can be read back from their output.
fn sample(flags: u8, game: &PgnGame) {
    let sampling = Sampling {
        plies: usize::from(flags & 3)..=40,
        distance: usize::from(flags >> 2 & 3),
        max_distance: (flags & 0x40 != 0).then_some(5),
        per_game: 3,
        random_move: flags & 0x10 != 0,
        quiet: flags & 0x20 != 0,
        men: 3..=32,
        phases: 0..=u32::from(flags >> 3),
        seed: flags.into(),
    };
    let samples = sampling.of_game(game);
    assert!(samples.len() <= sampling.per_game);
    assert!(samples.windows(2).all(|pair| pair[0].ply < pair[1].ply && pair[1].ply - pair[0].ply >= sampling.distance));
    let most = sampling.max_distance.unwrap_or(usize::MAX);
    assert!(samples.windows(2).all(|pair| pair[1].ply - pair[0].ply <= most));
    for sample in samples {
        let position = &sample.position;
        assert!(sampling.plies.contains(&sample.ply) && sample.ply <= game.moves.len());
        assert!(sampling.men.contains(&position.occupied().count()) && sampling.phases.contains(&phase(position)));
        assert!(position.has_legal_move() && (!sampling.quiet || is_quiet(position)));
        let epd = sample.epd().to_string();
        let again = Epd::parse(&epd).expect("a written EPD is read");
        assert_eq!((again.to_string(), again.position.key()), (epd, position.key()));
    }
}

/// Changed tags are read as written; removed ones are gone; the moves are kept.
fn change_tags(value: &str, raw: &RawGame, game: &PgnGame) {
    let mut copy = Vec::new();
    raw.write_with_tags(&mut copy, &[("ECO", Some(value)), ("Opening", None)]).expect("memory does not fail");
    let again: Vec<RawGame> = RawGames::new(copy.as_slice()).map(|game| game.expect("bytes can be read")).collect();
    let text = || String::from_utf8_lossy(&copy).into_owned();
    let mut written = again.iter().filter(|game| game.is_game);
    let first = written.next().unwrap_or_else(|| panic!("no game in {}", text()));
    assert!(written.next().is_none(), "{}", text());
    let plain = value.replace(char::is_control, " ");
    assert_eq!(tags::value(first, "eco").as_deref(), Some(plain.as_str()), "{}", text());
    assert_eq!(tags::value(first, "opening"), None, "{}", text());
    let moves = |game: &PgnGame| game.moves.iter().map(|played| played.mv).collect::<Vec<Move>>();
    let read = first.games().next().and_then(Result::ok).unwrap_or_else(|| panic!("a broken game in {}", text()));
    assert_eq!((moves(&read), read.result), (moves(game), game.result), "{}", text());
    assert_eq!(GameIdentity::of(&read), GameIdentity::of(game), "{}", text());
}
