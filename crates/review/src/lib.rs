#![doc = include_str!("../README.md")]

mod annotate;
mod details;
pub mod judgement;
mod opinion;
pub mod page;
mod points;
mod puzzle;
pub mod reasons;
mod text;

pub use annotate::{AnnotationStyle, annotate_judged};
pub use details::{CriticalMoment, ReviewDetails};
pub use judgement::moves_of;
pub use judgement::{JudgedGame, JudgedMove, Judgement, JudgementCounts, MoveClass};
pub use opinion::{PositionEval, WhiteEval};
pub use points::points;
pub use puzzle::Puzzle;
pub use text::{DrawBoard, TextStyle, text, wrap};
