//! How often engines choose the moves that people played, by the rating of the people.
//!
//! [`MoveSample`] takes the positions from games, [`answers`] asks the engines, and [`agreement`] counts.

use crate::{Analyser, AnalysisError, RatingBand, RatingBands};
use bartizan_client::EngineLimits;
use bartizan_games::{Reservoir, tags};
use bartizan_match::Clock;
use bartizan_notation::pgn::PgnGame;
use bartizan_parallel::{FeedOptions, StopFlag, run};
use bartizan_position::{Game, Position};
use bartizan_stats::{Interval, PairedDifference, wilson};
use bartizan_types::{ByColor, Move};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// Which positions are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveSampling {
    /// The bands of ratings of the side to move.
    pub bands: RatingBands,
    /// The maximum number of positions of each band.
    pub positions: usize,
    /// The first ply of a game whose move is asked for, from 1: 17 leaves out eight moves of each side.
    pub from_ply: usize,
    /// The seed of the choice.
    pub seed: u64,
}

/// A position of a game and the move that was played.
#[derive(Clone, Debug)]
pub struct PersonMove {
    /// The band of the player.
    pub band: RatingBand,
    /// The move.
    pub played: Move,
    start: Arc<Position>,
    /// The moves of the whole game.
    moves: Arc<[Move]>,
    ply: usize,
}

impl PersonMove {
    /// The game up to the position.
    pub fn game(&self) -> Game {
        let mut game = Game::new((*self.start).clone());
        // The moves come from a parsed game, so they are legal.
        let _ = self.moves[..self.ply].iter().try_for_each(|&mv| game.push(mv));
        game
    }
}

/// Takes positions from a stream of games: from each band, every set of the maximum size is equally likely. Forced
/// moves are left out. The same games in the same order give the same positions.
#[derive(Debug)]
pub struct MoveSample {
    sampling: MoveSampling,
    bands: BTreeMap<RatingBand, Reservoir<PersonMove>>,
}

impl MoveSample {
    /// An empty sample.
    pub fn new(sampling: MoveSampling) -> Self {
        Self { sampling, bands: BTreeMap::new() }
    }

    /// Sees the next game, with the ratings in its tags.
    pub fn see(&mut self, game: &PgnGame) {
        let MoveSampling { bands, positions, from_ply, seed } = self.sampling;
        let of_side = ByColor(["WhiteElo", "BlackElo"].map(|tag| bands.of(tags::rating(game, tag))));
        let start = Arc::new(game.start.clone());
        let moves: Arc<[Move]> = game.moves.iter().map(|played| played.mv).collect();
        let mut position = game.start.clone();
        for (ply, &played) in moves.iter().enumerate() {
            if ply + 1 >= from_ply && position.count_legal_moves() > 1 {
                let band = of_side[position.turn()];
                let sample = self.bands.entry(band).or_insert_with(|| Reservoir::new(positions, seed));
                sample.push(PersonMove { band, played, start: start.clone(), moves: moves.clone(), ply });
            }
            position.make_unchecked(played);
        }
    }

    /// The positions, by band and then in the order of the games.
    pub fn into_moves(self) -> Vec<PersonMove> {
        self.bands.into_values().flat_map(Reservoir::into_items).collect()
    }
}

/// An engine that is asked for moves.
#[derive(Debug)]
pub struct AskedEngine {
    /// The engine.
    pub analyser: Analyser,
    /// Its name in errors.
    pub name: String,
    /// Its limits for each move. A clock shows its first time in every position.
    pub limits: EngineLimits,
}

/// An engine failed.
#[derive(Debug, thiserror::Error)]
#[error("engine '{engine}', position '{fen}'")]
pub struct AgreementError {
    /// The name of the engine.
    pub engine: String,
    /// The position.
    pub fen: String,
    /// What went wrong.
    pub source: Box<AnalysisError>,
}

impl AskedEngine {
    /// The engine's move, as the first of a new game for it; `None` if it answers with an illegal one or none.
    fn choose(&mut self, game: &Game) -> Result<Option<Move>, AgreementError> {
        let clock = Clock::new(self.limits, Duration::ZERO);
        let limits = clock.go_limits(&clock, game.position().turn());
        let mut search = || {
            self.analyser.clear()?;
            self.analyser.search(game, &limits, None, |_| ControlFlow::Continue(()))
        };
        search().map(|answer| answer.best).map_err(|source| AgreementError {
            engine: self.name.clone(),
            fen: game.position().to_fen(),
            source: Box::new(source),
        })
    }
}

/// Asks engines for their moves, on one thread for each team of engines. All teams have the same engines. `sink` gets
/// the number of each position and the answers of a team to it, as they become ready; after a stop of the engines
/// ([`Analyser::stop_by`]), what is complete.
///
/// # Errors
/// The first of `sink` or of an engine.
pub fn answers<E: From<AgreementError>>(
    moves: &[PersonMove],
    numbers: impl Iterator<Item = usize> + Send,
    teams: Vec<Vec<AskedEngine>>,
    mut sink: impl FnMut(usize, Vec<Option<Move>>) -> Result<(), E>,
) -> Result<(), E> {
    let (failed, flow) = (StopFlag::new(), FeedOptions::any(2 * teams.len()));
    let workers = teams.into_iter().map(|team| {
        let stop = |engine: AskedEngine| AskedEngine { analyser: engine.analyser.stop_by(&failed), ..engine };
        let mut team: Vec<AskedEngine> = team.into_iter().map(stop).collect();
        move |number: usize| {
            let game = moves[number].game();
            let chosen: Result<Vec<_>, _> = team.iter_mut().map(|engine| engine.choose(&game)).collect();
            match chosen {
                Err(error) if matches!(*error.source, AnalysisError::Stopped) => None,
                chosen => Some(chosen.map(|chosen| (number, chosen))),
            }
        }
    });
    run(numbers, workers, flow, |chosen| {
        let take = || {
            let (number, chosen) = chosen?;
            sink(number, chosen)
        };
        // Searches in progress need not finish.
        take().inspect_err(|_| failed.stop())
    })
}

/// How often the engines chose the moves of a band.
#[derive(Clone, Debug, PartialEq)]
pub struct BandAgreement {
    /// The band.
    pub band: RatingBand,
    /// The number of positions.
    pub positions: u64,
    /// The index of the engine that agrees most often; the first one of equals.
    pub best: usize,
    /// The engines, in the given order.
    pub engines: Vec<EngineAgreement>,
}

/// How often an engine chose the moves of a band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineAgreement {
    /// The number of positions in which it did.
    pub agreed: u64,
    /// The share of the positions.
    pub share: Interval,
    /// The best engine's share less this one's. `None` for the best engine.
    pub behind_best: Option<PairedDifference>,
}

/// Counts, by band, how often engines chose the moves of people. `chosen` has the answers of all engines to each of
/// `moves`; answers that are missing leave out the position.
pub fn agreement(moves: &[PersonMove], chosen: &BTreeMap<usize, Vec<Option<Move>>>) -> Vec<BandAgreement> {
    // For each position, which engines agree.
    let mut bands: BTreeMap<RatingBand, Vec<Vec<bool>>> = BTreeMap::new();
    for (person, chosen) in moves.iter().enumerate().filter_map(|(number, person)| Some((person, chosen.get(&number)?)))
    {
        let agrees = chosen.iter().map(|&mv| mv == Some(person.played)).collect();
        bands.entry(person.band).or_default().push(agrees);
    }
    bands.into_iter().filter_map(|(band, cases)| of_band(band, &cases)).collect()
}

fn of_band(band: RatingBand, cases: &[Vec<bool>]) -> Option<BandAgreement> {
    let positions = cases.len() as u64;
    let engines = cases.iter().map(Vec::len).min()?;
    let count = |holds: &dyn Fn(&[bool]) -> bool| cases.iter().filter(|case| holds(case)).count() as u64;
    let agreed: Vec<u64> = (0..engines).map(|engine| count(&|case| case[engine])).collect();
    let best = (0..engines).rev().max_by_key(|&engine| agreed[engine])?;
    let of_engine = |engine: usize| {
        let only = |one: usize, other: usize| count(&|case| case[one] && !case[other]);
        let difference = || PairedDifference::new(only(best, engine), only(engine, best), positions);
        let behind_best = if engine == best { None } else { difference() };
        Some(EngineAgreement { agreed: agreed[engine], share: wilson(agreed[engine], positions)?, behind_best })
    };
    let engines = (0..engines).map(of_engine).collect::<Option<Vec<_>>>()?;
    Some(BandAgreement { band, positions, best, engines })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test reports by panicking.

    use super::*;
    use bartizan_notation::pgn::PgnReader;

    const GAMES: &str = "[WhiteElo \"1100\"]\n[BlackElo \"1500\"]\n\n\
        1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1\n\n\
        [WhiteElo \"1150\"]\n[BlackElo \"?\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";

    fn sample_of(games: &str, positions: usize, from_ply: usize, seed: u64) -> Vec<PersonMove> {
        let sampling = MoveSampling { bands: RatingBands::default(), positions, from_ply, seed };
        let mut sample = MoveSample::new(sampling);
        PgnReader::new(games.as_bytes()).for_each(|game| sample.see(&game.unwrap()));
        sample.into_moves()
    }

    fn sample(positions: usize, from_ply: usize, seed: u64) -> Vec<PersonMove> {
        sample_of(GAMES, positions, from_ply, seed)
    }

    fn names(moves: &[PersonMove]) -> Vec<(String, usize, String)> {
        moves.iter().map(|mv| (mv.band.to_string(), mv.game().moves().len(), mv.played.to_string())).collect()
    }

    #[test]
    fn positions_are_taken_by_band() {
        let found = names(&sample(100, 5, 1));
        let expected = [
            ("1000–1199", 4, "f1c4"),
            ("1000–1199", 6, "f3e5"),
            ("1000–1199", 8, "e5f7"),
            ("1000–1199", 10, "h1f1"),
            ("1000–1199", 12, "c4e2"),
            ("1000–1199", 4, "d1h5"),
            ("1000–1199", 6, "h5f7"),
            ("1400–1599", 5, "c6d4"),
            ("1400–1599", 7, "d8g5"),
            ("1400–1599", 9, "g5g2"),
            ("1400–1599", 11, "g2e4"),
            ("1400–1599", 13, "d4f3"),
            ("unrated", 5, "g8f6"),
        ];
        assert_eq!(found, expected.map(|(band, ply, mv)| (band.to_owned(), ply, mv.to_owned())));
        let some = names(&sample(2, 1, 7));
        assert_eq!(some.iter().filter(|(band, ..)| band == "1000–1199").count(), 2);
        assert_eq!((some.len(), &names(&sample(2, 1, 7))), (6, &some));
        assert!((0..20).any(|seed| names(&sample(2, 1, seed)) != some));
        // An only move is no choice.
        let forced = "[FEN \"7k/8/6K1/8/8/8/8/1R6 b - - 0 1\"]\n\n1... Kg8 2. Rb8# *";
        let found = names(&sample_of(forced, 9, 1, 1));
        assert_eq!(found, [("unrated".to_owned(), 1, "b1b8".to_owned())]);
    }

    #[test]
    fn engines_find_mates_that_people_found() {
        let moves = sample(100, 5, 1);
        let team = || -> Vec<AskedEngine> {
            [1, 3]
                .map(|depth| AskedEngine {
                    analyser: Analyser::new(1, 1).unwrap(),
                    name: format!("depth {depth}"),
                    limits: EngineLimits { depth: Some(depth), ..EngineLimits::default() },
                })
                .into()
        };
        let mut chosen = BTreeMap::new();
        let mates: Vec<usize> = (0..moves.len())
            .filter(|&number| {
                let person = &moves[number];
                person.game().position().play(person.played).unwrap().is_checkmate()
            })
            .collect();
        assert_eq!(mates.len(), 2);
        answers(&moves, mates.iter().copied(), vec![team(), team()], |number, answer| {
            chosen.insert(number, answer);
            Ok::<_, AgreementError>(())
        })
        .unwrap();
        let bands = agreement(&moves, &chosen);
        let counts: Vec<_> = bands.iter().map(|band| (band.positions, band.best, band.engines[1].agreed)).collect();
        assert_eq!(counts, [(1, 0, 1), (1, 0, 1)]);
        assert_eq!(bands[0].engines[0].share.value, 1.0);
        // A stopped engine answers nothing, and the error of the caller ends the questions.
        let stop = StopFlag::new();
        stop.stop();
        let stopped =
            team().into_iter().map(|engine| AskedEngine { analyser: engine.analyser.stop_by(&stop), ..engine });
        let none = |_, _| -> Result<(), AgreementError> { panic!("no answer was asked for") };
        answers(&moves, 0..3, vec![stopped.collect()], none).unwrap();
        let error = answers(&moves, 0..3, vec![team()], |_, _| {
            Err(AgreementError { engine: "x".to_owned(), fen: "y".to_owned(), source: Box::new(AnalysisError::Failed) })
        });
        assert_eq!(error.unwrap_err().to_string(), "engine 'x', position 'y'");
    }

    #[test]
    fn the_best_engine_is_compared_with_the_others() {
        let moves = sample(100, 5, 1);
        // Of the seven positions of the first band, the second engine agrees in six, the first one in one other.
        let answer = |number: usize| {
            let played = Some(moves[number].played);
            let agrees = number == 3;
            vec![played.filter(|_| agrees), played.filter(|_| !agrees), None]
        };
        let chosen: BTreeMap<usize, _> = (0..moves.len()).map(|number| (number, answer(number))).collect();
        let bands = agreement(&moves, &chosen);
        let band = &bands[0];
        assert_eq!((band.positions, band.best), (7, 1));
        assert_eq!(band.engines.iter().map(|engine| engine.agreed).collect::<Vec<_>>(), [1, 6, 0]);
        assert_eq!(band.engines[1].behind_best, None);
        let behind = band.engines[0].behind_best.unwrap();
        // 6 against 1: 2 · (1 + 7) / 128.
        assert!((behind.p - 0.125).abs() < 1e-9 && (behind.difference.value - 5.0 / 7.0).abs() < 1e-9);
        assert!((band.engines[2].behind_best.unwrap().p - 0.03125).abs() < 1e-9);
        assert_eq!(band.engines[0].share, wilson(1, 7).unwrap());
        // Positions without answers are left out.
        let few = BTreeMap::from([(12, answer(12))]);
        let bands = agreement(&moves, &few);
        assert_eq!((bands.len(), bands[0].positions, bands[0].band), (1, 1, RatingBand::Unrated));
        assert_eq!(agreement(&moves, &BTreeMap::new()), []);
    }
}
