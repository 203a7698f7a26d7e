//! See [`bartizan_fuzz::dtm`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(dtm);
