//! See [`bartizan_fuzz::syzygy`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(syzygy);
