//! See [`bartizan_fuzz::xboard_command`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(xboard_command);
