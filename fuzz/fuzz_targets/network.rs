//! See [`bartizan_fuzz::network`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(network);
