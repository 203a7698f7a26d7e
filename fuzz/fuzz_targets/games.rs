//! See [`bartizan_fuzz::games`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(games);
