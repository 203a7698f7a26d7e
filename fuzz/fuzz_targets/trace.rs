//! See [`bartizan_fuzz::trace`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(trace);
