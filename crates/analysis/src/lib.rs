#![doc = include_str!("../README.md")]

pub mod agreement;
mod analyser;
mod annotate;
mod bands;
pub mod book;
pub mod conduct;
mod contradiction;
pub mod depth;
mod error;
mod game_review;
pub mod label;
mod line;
pub mod mine;
mod puzzles;
mod review;
mod searcher;
pub mod suite;
pub mod tree;

pub use analyser::{Analyser, analyse, analyse_with};
pub use annotate::annotate;
pub use bands::{RatingBand, RatingBands, RatingBandsError};
pub use bartizan_client::{EngineSpec, Score};
pub use bartizan_review::{
    AnnotationStyle, CriticalMoment, JudgedGame, Judgement, JudgementCounts, PositionEval, Puzzle, ReviewDetails,
};
pub use bartizan_types::Limits;
pub use contradiction::ResultChecker;
pub use error::AnalysisError;
pub use game_review::{DetailOptions, GameReview, ReviewStep, details, review_game};
pub use line::{Analysis, AnalysisResult, SearchLine, describe, pawns};
pub use puzzles::{PuzzleOptions, find_puzzles};
pub use review::{GameError, ReviewOptions, ReviewStatistics, ReviewedGame, ReviewedText, Texts, review};
pub use searcher::AnalyserSearcher;
