//! See [`bartizan_fuzz::moves`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(moves);
