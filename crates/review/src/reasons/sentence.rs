//! Claims in words.

use super::claim::{
    Chance, Claim, DrawKind, EndingKind, Exposure, Feature, MistakeContext, Motif, Remedy, Source, Target, Verdict,
};
use super::line::{Line, exchange};
use super::material::{exchanged, without_minors};
use bartizan_notation::san::{San, numbered};
use bartizan_position::Position;
use bartizan_types::{Move, PieceType, Square};

/// The number of moves up to which the length of a mate is said.
const LONGEST_MATE: u32 = 5;

/// The sentences of claims. Two features of the same position share one.
pub(super) fn all(claims: &[Claim], context: &MistakeContext<'_>) -> Vec<String> {
    if let [
        Claim::Positional { better, feature: Feature::Reason { text: first, of_refutation }, .. },
        Claim::Positional { feature: Feature::Reason { text: second, of_refutation: other }, .. },
    ] = claims
        && of_refutation == other
    {
        let text = format!("{first} and {}", inside(second));
        return vec![positional(context, better, &Feature::Reason { text, of_refutation: *of_refutation })];
    }
    claims.iter().map(|claim| of(claim, context)).collect()
}

/// The sentence of a claim.
fn of(claim: &Claim, context: &MistakeContext<'_>) -> String {
    match claim {
        Claim::Mate { chance, line, moves, motif } => {
            mate(&Line::new(&context.start(*chance), line), *chance, *moves, motif.as_ref())
        }
        Claim::Material { chance, line, won, given, motif, .. } => {
            let line = Line::new(&context.start(*chance), line);
            material(&Words { context, line: &line, chance: *chance }, won, given, motif.as_ref())
        }
        Claim::Draw { chance, line, draw } => drawn(&Line::new(&context.start(*chance), line), *chance, *draw),
        Claim::UnstoppablePawn { chance, line, pawn } => {
            let line = Line::new(&context.start(*chance), line);
            format!("{} {}: the king cannot catch the pawn on {pawn}.", verb(*chance), first(&line))
        }
        Claim::Ending { kind, from, to, source } => ending(*kind, *from, *to, *source),
        Claim::Positional { better, feature, .. } => positional(context, better, feature),
        Claim::Remedy { mv, remedy, .. } => with_remedy(San::new(context.before, *mv), *remedy),
    }
}

fn verb(chance: Chance) -> &'static str {
    match chance {
        Chance::Allowed => "Allows",
        Chance::Missed => "Misses",
    }
}

fn san(line: &Line, index: usize) -> String {
    San::new(line.at(index), line.moves()[index]).to_string()
}

fn first(line: &Line) -> String {
    san(line, 0)
}

fn mate(line: &Line, chance: Chance, moves: u32, motif: Option<&Motif>) -> String {
    let how = match motif {
        Some(Motif::SmotheredMate) => "a smothered mate",
        Some(Motif::BackRank { .. }) => "mate on the back rank",
        Some(Motif::DoubleCheck { .. }) => "mate by double check",
        Some(Motif::DiscoveredAttack { .. }) => "mate by a discovered check",
        _ => "mate",
    };
    let verb = verb(chance);
    match moves {
        1 => format!("{verb} {how} in one: {}.", first(line)),
        2..=LONGEST_MATE => format!("{verb} {how} in {moves}, beginning with {}.", first(line)),
        _ => format!("{verb} a forced mate, beginning with {}.", first(line)),
    }
}

/// What a sentence about material needs.
struct Words<'a> {
    context: &'a MistakeContext<'a>,
    line: &'a Line,
    chance: Chance,
}

fn material(words: &Words<'_>, won: &[PieceType], given: &[PieceType], motif: Option<&Motif>) -> String {
    let line = words.line;
    if let Some(Motif::Hanging { square, piece, exposure, .. }) = motif {
        return hanging(words, (*piece, *square), *exposure, won, given);
    }
    let wins = format!("wins {}", gain(won, given));
    let verb = if is_old(words) { "Does not stop" } else { verb(words.chance) };
    let start = format!("{verb} {}", first(line));
    let Some((index, what)) = motif.and_then(|motif| how(line, motif)) else {
        let rest = if line.len() > 1 { format!(" ({})", shown(line)) } else { String::new() };
        return format!("{start}, which {wins}{rest}.");
    };
    match index {
        0 => format!("{start}, which {what} and {wins}."),
        _ => format!("{start} and then {}, which {what} and {wins}.", san(line, index)),
    }
}

/// Whether the opponent could capture before the mistake as well as after it: the mistake does not allow the capture.
fn is_old(words: &Words<'_>) -> bool {
    let Some(&mv) = words.line.moves().first().filter(|_| words.chance == Chance::Allowed) else { return false };
    let (start, capture) = (words.line.start(), words.line.capture(0));
    let Some(passed) = words.context.before.play_null() else { return false };
    let is_same = |passed: &Position| {
        passed.captured(mv) == capture.map(|target| target.piece) && exchange(passed, mv) == exchange(start, mv)
    };
    capture.is_some() && passed.is_legal(mv) && is_same(&passed)
}

/// The line with move numbers, to its end: there it has won what the sentence says.
fn shown(line: &Line) -> String {
    numbered(line.start(), line.moves()).unwrap_or_default()
}

/// The index of the telling move of a motif, and what the move does.
fn how(line: &Line, motif: &Motif) -> Option<(usize, String)> {
    Some(match motif {
        Motif::Fork { index, targets, .. } => (*index, format!("forks {}", list(targets.iter().map(the)))),
        Motif::DoubleAttack { index, targets } => (*index, format!("attacks {}", list(targets.iter().map(the)))),
        Motif::Pin { index, pinned, behind, holds: None, .. } => {
            (*index, format!("exploits the pin of {} to {}", the(pinned), the(behind)))
        }
        Motif::Pin { index, pinned, behind, holds: Some(square), .. } => {
            let (pinned, behind) = (the(pinned), the(behind));
            (*index, format!("works because {pinned} is pinned to {behind} and cannot take on {square},"))
        }
        Motif::Skewer { index, front, behind, .. } => (*index, format!("skewers {} and {}", the(front), the(behind))),
        Motif::DiscoveredAttack { index, slider, target } => {
            let what = match target.piece {
                PieceType::King => format!("check by {}", the(slider)),
                _ => format!("an attack by {} on {}", the(slider), the(target)),
            };
            (*index, format!("discovers {what}"))
        }
        Motif::DoubleCheck { index } => (*index, "is double check".to_owned()),
        Motif::MateThreat { index, mate } => {
            let passed = line.after(*index).play_null()?;
            (*index, format!("threatens {}", San::new(&passed, *mate)))
        }
        Motif::BackRank { index, .. } => (*index, "exploits the weak back rank".to_owned()),
        Motif::Overloaded { index, defender, first, second } => {
            (*index, format!("overloads {}, which guards both {first} and {second},", the(defender)))
        }
        Motif::RemovedDefender { index, defender, target } => {
            (*index, format!("removes {}, the protector of {},", the(defender), the(target)))
        }
        Motif::Deflection { index, defender, target } => {
            (*index, format!("drives {} away from the protection of {}", the(defender), the(target)))
        }
        Motif::Trapped { index, target } => (*index, format!("traps {}", the(target))),
        Motif::Promotion { index, piece, pawn } => {
            (*index, format!("promotes the pawn from {pawn} to {}", with_article(*piece)))
        }
        Motif::Zwischenzug { index, square } => (*index, format!("comes in between before the capture on {square}")),
        Motif::Threat { index, target, .. } => (*index, format!("attacks {}", the(target))),
        Motif::Hanging { .. } | Motif::SmotheredMate => return None,
    })
}

fn hanging(
    words: &Words<'_>,
    (piece, square): (PieceType, Square),
    exposure: Exposure,
    won: &[PieceType],
    given: &[PieceType],
) -> String {
    let capture = first(words.line);
    let man = format!("the {} on {square}", piece.name());
    let is_simple = given.is_empty() && matches!(won, [only] if *only == piece || is_minor(*only) && is_minor(piece));
    let wins = if is_simple { "wins it".to_owned() } else { format!("wins {}", gain(won, given)) };
    if words.chance == Chance::Missed {
        let won = if is_simple { man } else { gain(won, given) };
        return match exposure {
            Exposure::Recapture => format!("Fails to recapture: {capture} {}.", in_return(words, piece)),
            _ => format!("Misses {capture}, which wins {won}."),
        };
    }
    let context = words.context;
    match exposure {
        Exposure::Moved => {
            let verb = if piece == PieceType::Pawn { "Pushes" } else { "Moves" };
            format!("{verb} the {} to {square}, where {capture} {wins}.", piece.name())
        }
        Exposure::Left => format!("Leaves {man} hanging: {capture} {wins}."),
        Exposure::Unguarded { piece: guard, .. } => {
            let guard = guard.name();
            format!("The {guard} no longer protects {man}: {capture} {wins}.")
        }
        Exposure::Uncovered { .. } => format!("Opens the line to {man}: {capture} {wins}."),
        Exposure::Recapture => {
            let played = San::new(context.before, context.played);
            format!("After {played}, {capture} takes back and wins {}.", gain(won, given))
        }
        Exposure::Other => format!("Hangs {man}: {capture} {wins}."),
    }
}

/// What a recapture of `piece` does, counted from before the opponent's capture.
fn in_return(words: &Words<'_>, piece: PieceType) -> String {
    let before = words.context.previous.map_or(words.context.before, |(position, _)| position);
    let (won, given) = exchanged(before, words.line.end(), words.line.winner());
    match without_minors(&won, &given).0[..] {
        [] => format!("takes the {} in return", piece.name()),
        _ => format!("wins {}", gain(&won, &given)),
    }
}

fn is_minor(piece: PieceType) -> bool {
    matches!(piece, PieceType::Bishop | PieceType::Knight)
}

/// What is won and what is given for it.
fn gain(won: &[PieceType], given: &[PieceType]) -> String {
    let all = won.len();
    let (won, given) = without_minors(won, given);
    // After an exchange of a bishop for a knight, neither is the one that is won.
    let name: fn(PieceType) -> &'static str = if won.len() < all { either_name } else { PieceType::name };
    match (&won[..], &given[..]) {
        ([PieceType::Rook], [minor]) if is_minor(*minor) => "the exchange".to_owned(),
        ([PieceType::Rook, more @ ..], [minor]) if is_minor(*minor) => format!("the exchange and {}", men(more, name)),
        ([PieceType::Rook], [minor, less @ ..]) if is_minor(*minor) => format!("the exchange for {}", men(less, name)),
        (won, []) => men(won, name),
        (won, given) => format!("{} for {}", men(won, name), men(given, name)),
    }
}

/// The name of a piece that may be a bishop or a knight.
fn either_name(piece: PieceType) -> &'static str {
    if is_minor(piece) { "piece" } else { piece.name() }
}

/// Men by their names: `a rook and two pawns`.
fn men(men: &[PieceType], name: fn(PieceType) -> &'static str) -> String {
    let kinds = men.chunk_by(|&a, &b| name(a) == name(b)).filter_map(|men| {
        let piece = name(*men.first()?);
        Some(match men.len() {
            1 => format!("a {piece}"),
            2 => format!("two {piece}s"),
            3 => format!("three {piece}s"),
            number => format!("{number} {piece}s"),
        })
    });
    list(kinds)
}

fn drawn(line: &Line, chance: Chance, draw: DrawKind) -> String {
    if line.len() == 0 {
        return match draw {
            DrawKind::Stalemate => "Gives stalemate.".to_owned(),
            _ => "Leads to a drawn ending.".to_owned(),
        };
    }
    let verb = verb(chance);
    let how = match draw {
        DrawKind::Stalemate => "a draw by stalemate",
        DrawKind::Perpetual => "perpetual check",
        DrawKind::Repetition => "a draw by repetition",
        DrawKind::Insufficient => "a draw, as neither side can give mate in the end",
        DrawKind::Known => "an ending that is known to be drawn",
    };
    format!("{verb} {how}, beginning with {}.", first(line))
}

fn ending(kind: EndingKind, from: Verdict, to: Verdict, source: Source) -> String {
    let ending = match kind {
        EndingKind::Pawns => "pawn ending",
        EndingKind::Knights => "knight ending",
        EndingKind::Bishops => "bishop ending",
        EndingKind::Minors => "minor-piece ending",
        EndingKind::Rooks => "rook ending",
        EndingKind::Queens => "queen ending",
        EndingKind::Mixed => "ending",
    };
    let result = |verdict| match verdict {
        Verdict::Won => "won",
        Verdict::Drawn => "drawn",
        Verdict::Lost => "lost",
    };
    let by = if source == Source::Table { ", by the tables" } else { "" };
    match from {
        Verdict::Won => format!("Throws away the win: the {ending} is {} now{by}.", result(to)),
        _ => format!("The {ending} was {} and is {} now{by}.", result(from), result(to)),
    }
}

fn positional(context: &MistakeContext<'_>, better: &[Move], feature: &Feature) -> String {
    let best = better.first().map_or_else(|| "the better move".to_owned(), |&mv| san_of(context.before, mv));
    let us = context.player().name();
    let them = (!context.player()).name();
    match feature {
        Feature::Reason { text, of_refutation: true } => {
            format!("Best play then leads to a position in which {}.", inside(text))
        }
        Feature::Reason { text, of_refutation: false } => {
            format!("{best} would lead to a position in which {}.", inside(text))
        }
        Feature::Group { name } => match name.as_str() {
            "king shelter" => format!("{us}'s king is less sheltered in the play that follows than after {best}."),
            "king danger" => format!("{us}'s king comes under more attack in the play that follows than after {best}."),
            "passed pawns" => {
                format!("{them}'s passed pawns count for more in the play that follows than after {best}.")
            }
            "mobility" => format!("{us}'s pieces have less freedom in the play that follows than after {best}."),
            "pawns" => format!("{us}'s pawn structure is worse in the play that follows than after {best}."),
            _ => format!("{us} has less space in the play that follows than after {best}."),
        },
    }
}

/// A sentence as the end of another: all begin with a colour, except some with an article.
fn inside(text: &str) -> String {
    match text.strip_prefix("The ") {
        Some(rest) => format!("the {rest}"),
        None => text.to_owned(),
    }
}

fn san_of(position: &Position, mv: Move) -> String {
    San::new(position, mv).to_string()
}

fn with_remedy(mv: San, remedy: Remedy) -> String {
    match remedy {
        Remedy::MovesAway => format!("{mv} moves it to safety."),
        Remedy::Captures => format!("It could have captured: {mv}."),
        Remedy::CapturesAttacker => format!("{mv} would have captured the attacker."),
        Remedy::Protects => format!("{mv} would have protected it."),
        Remedy::Blocks => format!("{mv} would have closed the line to it."),
    }
}

fn with_article(piece: PieceType) -> String {
    format!("a {}", piece.name())
}

fn the(target: &Target) -> String {
    format!("the {} on {}", target.piece.name(), target.square)
}

/// `a`, `a and b`, `a, b and c`.
fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    match items.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::material;
    use crate::reasons::tests::Case;

    #[test]
    fn gains_are_named() {
        use PieceType::{Bishop, Knight, Pawn, Queen, Rook};
        for (won, given, text) in [
            (&[Rook][..], &[Knight][..], "the exchange"),
            (&[Rook, Pawn], &[Bishop], "the exchange and a pawn"),
            (&[Rook], &[Bishop, Pawn], "the exchange for a pawn"),
            (&[Queen], &[Rook, Pawn], "a queen for a rook and a pawn"),
            (&[Pawn, Pawn], &[], "two pawns"),
            (&[Bishop, Knight], &[], "a bishop and a knight"),
            (&[Bishop, Bishop], &[Knight, Pawn], "a piece for a pawn"),
        ] {
            assert_eq!(gain(won, given), text);
        }
    }

    #[test]
    fn motifs_are_told() {
        let case = Case::new("r3k3/8/8/1N6/8/8/7P/4K3 w - - 0 1", "h2h3", "b5c7 e8d7 c7a8", "");
        let targets = vec![
            Target { piece: PieceType::King, square: Square::E8 },
            Target { piece: PieceType::Rook, square: Square::A8 },
        ];
        let claim = Claim::Material {
            chance: Chance::Missed,
            line: case.better.clone(),
            instead: Vec::new(),
            gain: 5,
            won: vec![PieceType::Rook],
            given: Vec::new(),
            motif: Some(Motif::Fork { index: 0, piece: PieceType::Knight, targets }),
        };
        let expected = "Misses Nc7+, which forks the king on e8 and the rook on a8 and wins a rook.";
        assert_eq!(of(&claim, &case.context()), expected);
    }

    #[test]
    fn a_recapture_is_counted_from_the_capture() {
        let text = |fen: &str, recapture: &str, before: &str, capture: &str| {
            let mut case = Case::new(fen, "e1f1", recapture, "");
            case.preceded_by(before, capture);
            let context = case.context();
            let claims = material::find(&context, Chance::Missed, context.better);
            of(&claims[0], &context)
        };
        // A bishop that took a knight.
        let before = "4k3/8/8/8/6b1/5N2/6P1/4K3 b - - 0 1";
        let fen = "4k3/8/8/8/8/5b2/6P1/4K3 w - - 0 2";
        assert_eq!(text(fen, "g2f3 e8e7", before, "g4f3"), "Fails to recapture: gxf3 takes the bishop in return.");
        // A bishop that took a pawn.
        let before = "4k3/8/8/8/6b1/5P2/6P1/4K3 b - - 0 1";
        assert_eq!(text(fen, "g2f3 e8e7", before, "g4f3"), "Fails to recapture: gxf3 wins a bishop for a pawn.");
    }

    #[test]
    fn a_capture_that_was_possible_before_is_not_allowed_by_the_mistake() {
        let text = |fen: &str, played: &str| {
            let case = Case::new(fen, played, "", "d5c3");
            let (context, line) = (case.context(), Line::new(&case.context().after(), &case.refutation));
            material(&Words { context: &context, line: &line, chance: Chance::Allowed }, &[PieceType::Pawn], &[], None)
        };
        let fen = "4k3/8/8/3n4/8/2P5/P7/4K1R1 w - - 0 1";
        assert_eq!(text(fen, "g1g2"), "Does not stop Nxc3, which wins a pawn.");
        // The bishop protected the pawn.
        let fen = "4k3/8/8/3n4/8/2P5/P2B4/4K1R1 w - - 0 1";
        assert_eq!(text(fen, "d2e3"), "Allows Nxc3, which wins a pawn.");
    }

    #[test]
    fn features_of_one_position_share_a_sentence() {
        let case = Case::new(&Position::startpos().to_fen(), "g2g4", "e2e4", "d7d5");
        let claim = |text: &str| Claim::Positional {
            better: case.better.clone(),
            refutation: case.refutation.clone(),
            feature: Feature::Reason { text: text.to_owned(), of_refutation: false },
            centipawns: 50,
        };
        let claims = [claim("White's pawn on e4 is passed"), claim("White has the bishop pair")];
        let expected =
            "e4 would lead to a position in which White's pawn on e4 is passed and White has the bishop pair.";
        assert_eq!(all(&claims, &case.context()), [expected]);
        assert_eq!(all(&claims[..1], &case.context()).len(), 1);
    }

    #[test]
    fn results_are_told() {
        let text = ending(EndingKind::Rooks, Verdict::Won, Verdict::Drawn, Source::Search);
        assert_eq!(text, "Throws away the win: the rook ending is drawn now.");
        let text = ending(EndingKind::Pawns, Verdict::Drawn, Verdict::Lost, Source::Table);
        assert_eq!(text, "The pawn ending was drawn and is lost now, by the tables.");
    }
}
