//! See [`bartizan_fuzz::learning`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(learning);
