//! See [`bartizan_fuzz::openings`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(openings);
