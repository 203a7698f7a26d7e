//! Creates options only for the command that is called.

use clap::builder::Resettable;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Id};

/// The arguments of a command, which clap learns only when that command is called or described. To make the options of
/// all commands takes longer than most commands with a short input.
#[derive(Debug)]
pub(crate) struct Lazy<A>(pub(crate) A);

impl<A: Args> Args for Lazy<A> {
    fn group_id() -> Option<Id> {
        A::group_id()
    }

    fn augment_args(command: Command) -> Command {
        command.defer(|command| described(command, A::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| described(command, A::augment_args_for_update))
    }
}

/// Adds the options, and keeps the command's description, which the type's would otherwise replace.
fn described(command: Command, add: fn(Command) -> Command) -> Command {
    let (about, long_about) = (command.get_about().cloned(), command.get_long_about().cloned());
    add(command).about(Resettable::from(about)).long_about(Resettable::from(long_about))
}

impl<A: FromArgMatches> FromArgMatches for Lazy<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        A::from_arg_matches(matches).map(Self)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        A::from_arg_matches_mut(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }

    fn update_from_arg_matches_mut(&mut self, matches: &mut ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches_mut(matches)
    }
}
