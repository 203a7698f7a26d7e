//! See [`bartizan_fuzz::uci_message`].
#![cfg_attr(fuzzing, no_main)]

bartizan_fuzz::target!(uci_message);
