//! See [`bartizan_fuzz::checkpoint`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(checkpoint);
