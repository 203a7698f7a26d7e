//! See [`bartizan_fuzz::positions`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(positions);
