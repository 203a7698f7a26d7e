//! See [`bartizan_fuzz::selfplay`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(selfplay);
