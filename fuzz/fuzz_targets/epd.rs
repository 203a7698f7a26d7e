//! See [`bartizan_fuzz::epd`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(epd);
