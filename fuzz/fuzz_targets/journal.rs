//! See [`bartizan_fuzz::journal`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(journal);
