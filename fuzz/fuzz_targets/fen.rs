//! See [`bartizan_fuzz::fen`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(fen);
