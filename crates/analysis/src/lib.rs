#![doc = include_str!("../README.md")]

mod analyser;
pub mod book;
mod contradiction;
pub mod depth;
mod error;
mod judge;
pub mod label;
mod line;
pub mod mine;
mod review;
pub mod suite;
pub mod tree;

pub use analyser::{Analyser, analyse, analyse_with};
pub use bartizan_client::{EngineSpec, Score};
pub use bartizan_types::Limits;
pub use contradiction::ResultChecker;
pub use error::AnalysisError;
pub use judge::{AnnotationStyle, Judgement, JudgementCounts, PositionEval, annotate};
pub use line::{Analysis, AnalysisResult, SearchLine, describe, pawns};
pub use review::{GameError, ReviewStatistics, ReviewedGame, ReviewedText, Texts, review};
