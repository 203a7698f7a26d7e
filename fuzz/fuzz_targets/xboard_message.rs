//! See [`bartizan_fuzz::xboard_message`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(xboard_message);
