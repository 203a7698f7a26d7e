//! See [`bartizan_fuzz::setup`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(setup);
