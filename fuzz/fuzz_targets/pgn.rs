//! See [`bartizan_fuzz::pgn`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(pgn);
