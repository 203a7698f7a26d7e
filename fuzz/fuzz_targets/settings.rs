//! See [`bartizan_fuzz::settings`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(settings);
