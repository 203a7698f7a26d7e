//! Plays matches between chess engines: schedule, referee, clocks, adjudication, journal.
