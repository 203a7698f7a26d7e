//! See [`bartizan_fuzz::book`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(book);
