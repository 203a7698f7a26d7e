//! Forks, pins, skewers and other attacks.

use super::{is_answered_on, is_protected, is_threatened, pays, require_man};
use crate::line::{Line, captured_square, is_worth_more};
use crate::rules::{attackers, attacks, between, exchange, gain, is_pinned, worth};
use crate::second::{Check, Verifier, require};
use bartizan_review::reasons::claim::Target;
use bartizan_types::{PieceType, Square};

fn names(targets: &[Target]) -> String {
    targets.iter().map(|target| format!("{} {}", target.piece, target.square)).collect::<Vec<_>>().join(", ")
}

/// Whether a later move of the winner captures one of the men.
fn is_one_captured(line: &Line<'_>, index: usize, targets: &[Target]) -> bool {
    targets.iter().any(|target| line.capture_of(target.square, index + 1).is_some())
}

pub(super) fn fork(
    verifier: &Verifier<'_>,
    line: &Line<'_>,
    index: usize,
    piece: PieceType,
    targets: &[Target],
) -> Check {
    let after = line.after(index);
    let square = line.moves[index].destination();
    require_man(after, &Target { piece, square }, line.winner)?;
    require(targets.len() >= 2, || "fewer than two targets".to_owned())?;
    for target in targets {
        require_man(after, target, !line.winner)?;
        require(attacks(after, square, target.square), || format!("{square} does not attack {}", target.square))?;
        let pays = is_worth_more(target.piece, piece) || !is_protected(after, square, target.square);
        require(pays, || format!("{} is protected and worth no more than the {piece}", target.square))?;
    }
    let order = targets.is_sorted_by_key(|target| -worth(target.piece));
    require(order, || format!("wrong order: {}", names(targets)))?;
    require(is_one_captured(line, index, targets), || format!("none is captured: {}", names(targets)))?;
    // The piece that forks must survive, at least on the line.
    require(!is_answered_on(line, index, square), || "the forking piece is captured".to_owned())?;
    let loses = exchange(after, square) - gain(line.at(index), line.moves[index]);
    verifier.doubt(loses >= 1, || format!("the forking piece can be captured: {loses} points"));
    Ok(())
}

pub(super) fn double_attack(line: &Line<'_>, index: usize, targets: &[Target]) -> Check {
    let (at, after) = (line.at(index), line.after(index));
    require(!at.is_capture(line.moves[index]), || "the move is a capture".to_owned())?;
    require(targets.len() >= 2, || "fewer than two targets".to_owned())?;
    for target in targets {
        require_man(after, target, !line.winner)?;
        let is_new = attackers(at, line.winner, target.square).is_empty();
        require(is_new, || format!("{} was attacked before", target.square))?;
        let threatens = is_threatened(after, line.winner, target.square);
        require(threatens, || format!("{} is not threatened", target.square))?;
    }
    require(is_one_captured(line, index, targets), || format!("none is captured: {}", names(targets)))
}

pub(super) fn pin(
    line: &Line<'_>,
    index: usize,
    [pinner, pinned, behind]: [&Target; 3],
    holds: Option<Square>,
) -> Check {
    let after = line.after(index);
    require_man(after, pinner, line.winner)?;
    require_man(after, pinned, !line.winner)?;
    require_man(after, behind, !line.winner)?;
    require(is_pinned(after, pinner.square, pinned.square, behind.square), || "there is no such pin".to_owned())?;
    require(is_worth_more(behind.piece, pinned.piece), || "what stands behind is worth no more".to_owned())?;
    let Some(held) = holds else {
        let is_captured = line.capture_of(pinned.square, index + 1).is_some();
        return require(is_captured, || "the pinned man is not captured".to_owned());
    };
    require(attacks(after, pinned.square, held), || format!("the pinned man does not attack {held}"))?;
    if behind.piece == PieceType::King {
        let stays = between(pinner.square, behind.square).unwrap_or_default().contains(&held) || held == pinner.square;
        require(!stays, || format!("the pinned man may capture on {held}"))?;
    }
    let lands = (index..line.moves.len()).step_by(2).any(|ply| {
        let is_there = |from| line.follow(from, index + 1, ply.max(index + 1)) == Some(from);
        let unmoved = [pinner.square, pinned.square, behind.square].into_iter().all(is_there);
        let reply = line.moves.get(ply + 1);
        line.moves[ply].destination() == held
            && unmoved
            && !reply.is_some_and(|reply| reply.from() == pinned.square && reply.to() == held)
    });
    require(lands, || format!("nothing lands on {held} while the pin is there"))
}

pub(super) fn skewer(line: &Line<'_>, index: usize, slider: &Target, front: &Target, behind: &Target) -> Check {
    let after = line.after(index);
    require_man(after, slider, line.winner)?;
    require_man(after, front, !line.winner)?;
    require_man(after, behind, !line.winner)?;
    let on_line = is_pinned(after, slider.square, front.square, behind.square);
    require(on_line, || "the men do not stand on a line".to_owned())?;
    require(worth(front.piece) >= worth(behind.piece), || "the man in front is worth less".to_owned())?;
    let taker = line
        .capture_at(behind.square, index + 1)
        .filter(|&ply| line.follow(slider.square, index + 1, ply) == Some(line.moves[ply].from()));
    require(taker.is_some(), || "the slider does not capture the man behind".to_owned())?;
    // If the man in front is captured instead, nothing is skewered.
    let moves = line.moves.get(index + 1).is_some_and(|reply| reply.from() == front.square);
    let dies = line.capture_at(front.square, index + 1).is_some();
    require(moves || !dies, || "the man in front is captured where it stands".to_owned())
}

pub(super) fn discovered(line: &Line<'_>, index: usize, slider: &Target, target: &Target) -> Check {
    let (at, after) = (line.at(index), line.after(index));
    let mv = line.moves[index];
    require_man(after, slider, line.winner)?;
    require_man(after, target, !line.winner)?;
    require(mv.destination() != slider.square, || "the slider itself moved".to_owned())?;
    let is_slider = matches!(slider.piece, PieceType::Bishop | PieceType::Rook | PieceType::Queen);
    require(is_slider, || format!("a {} is no slider", slider.piece))?;
    let opens = attacks(after, slider.square, target.square) && !attacks(at, slider.square, target.square);
    require(opens, || "the move does not open the line".to_owned())?;
    let passed = between(slider.square, target.square).unwrap_or_default();
    let left = passed.contains(&mv.from())
        || captured_square(at, mv).is_some_and(|square| square != mv.to() && passed.contains(&square));
    require(left, || "the move does not leave the line".to_owned())?;
    let mover_takes = (index..line.moves.len()).step_by(2).any(|ply| {
        let mover = if ply == index { Some(mv.from()) } else { line.follow(mv.destination(), index + 1, ply) };
        mover == Some(line.moves[ply].from()) && captured_square(line.at(ply), line.moves[ply]).is_some()
    });
    let decides = line.capture_of(target.square, index + 1).is_some() || mover_takes;
    require(target.piece == PieceType::King || decides, || "nothing is captured by it".to_owned())
}

pub(super) fn trapped(verifier: &Verifier<'_>, line: &Line<'_>, index: usize, target: &Target) -> Check {
    let after = line.after(index);
    require_man(after, target, !line.winner)?;
    let threatened = is_threatened(after, line.winner, target.square);
    require(threatened, || "the piece is not threatened".to_owned())?;
    for mv in after.legal_moves() {
        if mv.from() == target.square {
            let next = after.play_unchecked(mv);
            let kept = gain(after, mv) - exchange(&next, mv.destination());
            // Leaving may lose something else, as mate: then it is no escape.
            let escapes =
                kept >= 0 && !(next.legal_moves().into_iter().any(|mv| next.play_unchecked(mv).is_checkmate()));
            require(!escapes, || format!("the piece escapes by {mv}"))?;
        }
    }
    verifier.doubt(after.in_check(), || "trapped, but its side is in check".to_owned());
    require(line.capture_of(target.square, index + 1).is_some(), || "the piece is not captured".to_owned())
}

pub(super) fn threat(line: &Line<'_>, index: usize, attacker: &Target, target: &Target) -> Check {
    let (at, after) = (line.at(index), line.after(index));
    let mv = line.moves[index];
    require(!at.is_capture(mv), || "the move is a capture".to_owned())?;
    require_man(after, attacker, line.winner)?;
    require_man(after, target, !line.winner)?;
    let threatens = pays(after, attacker.square, target.square);
    require(threatens, || "the attacker threatens nothing".to_owned())?;
    // Either the attacker moved, or it attacks since the move.
    let is_new = attacker.square == mv.destination() || !attacks(at, attacker.square, target.square);
    require(is_new, || "the attack was there before".to_owned())?;
    if line.capture_at(target.square, index + 1).is_some() {
        return Ok(());
    }
    let moves = line.moves.get(index + 1).is_some_and(|reply| reply.from() == target.square);
    let guarded = (index + 2..line.moves.len()).step_by(2).any(|ply| {
        let taken = captured_square(line.at(ply), line.moves[ply]);
        taken.is_some_and(|square| attacks(after, target.square, square))
    });
    require(moves && guarded, || "the target is not captured, nor what it protected".to_owned())
}
