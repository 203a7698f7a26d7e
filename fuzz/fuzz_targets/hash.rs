//! See [`bartizan_fuzz::hash`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(hash);
