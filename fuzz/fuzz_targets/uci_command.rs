//! See [`bartizan_fuzz::uci_command`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(uci_command);
