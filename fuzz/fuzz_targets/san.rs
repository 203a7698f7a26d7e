//! See [`bartizan_fuzz::san`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(san);
