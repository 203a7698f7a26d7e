//! What the UCI and the xboard program share: options by name, settings files, console commands, event loop.
