//! The interface through which a parser passes on a game.

use super::{Comment, GameResult, MoveText, Nag, PgnError, PgnErrorKind, TagValue};

/// Whether a visitor wants to see what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interest {
    /// What follows is read.
    Read,
    /// What follows is skipped.
    Skip,
}

/// Receives the parts of a game from a [`PgnParser`](super::PgnParser), in the order of the input.
///
/// The parser knows the grammar but not the rules: it does not check moves. An error that a method returns is passed to
/// [`Visitor::fault`] with its place in the input, and reading continues: behind the line if the error is
/// [`PgnProblemKind::Move`](super::PgnProblemKind::Move), behind the game if it is not a
/// [problem](PgnErrorKind::Problem).
pub trait Visitor {
    /// The result of visiting a game.
    type Output;

    /// Called before the other methods. A text without tags and moves, such as a comment at the end of a file, is not a
    /// game: [`Visitor::end_game`] is not called for it.
    fn begin_game(&mut self) {}

    /// A tag.
    ///
    /// # Errors
    /// As the visitor decides.
    fn tag(&mut self, name: &str, value: TagValue<'_>) -> Result<(), PgnErrorKind> {
        let _ = (name, value);
        Ok(())
    }

    /// Called after the tags, before the first move. A visitor may skip the movetext, except the result. Comments
    /// before the first tag come before this call.
    ///
    /// # Errors
    /// As the visitor decides.
    fn begin_moves(&mut self) -> Result<Interest, PgnErrorKind> {
        Ok(Interest::Read)
    }

    /// A move, or a null move. Marks such as `!?` follow as [`Visitor::nag`].
    ///
    /// # Errors
    /// As the visitor decides, for example if the move is not legal.
    fn san(&mut self, text: MoveText<'_>) -> Result<(), PgnErrorKind>;

    /// A word that adds nothing to the move before it: `check`, `mate`, `ep` and the like.
    ///
    /// # Errors
    /// As the visitor decides.
    fn remark(&mut self, text: MoveText<'_>) -> Result<(), PgnErrorKind> {
        let _ = text;
        Ok(())
    }

    /// A numeric annotation glyph or a mark such as `!?`.
    fn nag(&mut self, nag: Nag) {
        let _ = nag;
    }

    /// A comment. Those between the result and a blank line or another game belong to the game, too.
    ///
    /// # Errors
    /// As the visitor decides.
    fn comment(&mut self, comment: Comment<'_>) -> Result<(), PgnErrorKind> {
        let _ = comment;
        Ok(())
    }

    /// `(`: a variation of the previous move begins. By default, it is skipped with all variations inside it.
    fn begin_variation(&mut self) -> Interest {
        Interest::Skip
    }

    /// `)`, or the end of the game: a variation that was not skipped ends.
    fn end_variation(&mut self) {}

    /// The text that follows a problem at which a line has ended: the rest of the main line without the result, or of
    /// the variation. At most 16 MiB.
    fn rest(&mut self, text: Comment<'_>) {
        let _ = text;
    }

    /// The result at the end of the movetext, also of one that is skipped.
    ///
    /// # Errors
    /// As the visitor decides.
    fn result(&mut self, result: GameResult) -> Result<(), PgnErrorKind> {
        let _ = result;
        Ok(())
    }

    /// An error in the text, or one that another method has returned. Most are [problems](PgnErrorKind::Problem).
    fn fault(&mut self, error: PgnError) {
        let _ = error;
    }

    /// Called after the other methods.
    fn end_game(&mut self) -> Self::Output;
}
