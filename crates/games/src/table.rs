//! Games as tables in the Arrow format, for data frames, databases and Parquet: a row for each game or each move.

use arrow_buffer::{Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema};
use bartizan_notation::pgn::{Annotations, PgnError, PgnErrorKind, PgnGame, PgnReader, PgnScore};
use bartizan_notation::san::San;
use bartizan_position::Position;
use bartizan_types::{Move, PieceType, Square, UciMove, Variant};
use std::io::Read;
use std::sync::Arc;

/// How moves are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveForm {
    /// Coordinates: `e2e4`.
    Uci,
    /// Algebraic notation: `Nf3`.
    San,
    /// The coordinates in 16 bits: the origin in the lowest six, then the target, then the number of the piece that a
    /// pawn becomes (2 knight, 3 bishop, 4 rook, 5 queen), or 0.
    Packed,
}

/// The columns of a table.
#[derive(Clone, Debug)]
pub struct TableOptions {
    /// The tags, each a column of its name. Those that end with `Elo` are numbers, the others texts.
    pub tags: Vec<String>,
    /// The column `moves` or, by moves, `move`.
    pub moves: Option<MoveForm>,
    /// The column of the clocks after the moves, in seconds.
    pub clocks: bool,
    /// The columns of the evaluations after the moves, from White's view: centipawns, or moves to mate.
    pub evals: bool,
    /// The column of what is wrong in the text of a game. Not in a table by moves.
    pub problems: bool,
    /// Whether there is a row for each move, with the position before it, instead of one for each game.
    pub by_moves: bool,
    /// The number of rows of a batch.
    pub rows: usize,
}

impl Default for TableOptions {
    fn default() -> Self {
        const TAGS: [&str; 12] = [
            "Event",
            "Site",
            "Date",
            "Round",
            "White",
            "Black",
            "Result",
            "WhiteElo",
            "BlackElo",
            "ECO",
            "TimeControl",
            "Termination",
        ];
        Self {
            tags: TAGS.map(str::to_owned).to_vec(),
            moves: Some(MoveForm::Uci),
            clocks: false,
            evals: false,
            problems: false,
            by_moves: false,
            rows: 16_384,
        }
    }
}

impl TableOptions {
    /// The names and types of the columns.
    pub fn schema(&self) -> Schema {
        let mut fields = vec![Field::new("game", DataType::UInt64, false)];
        for tag in &self.tags {
            let kind = if is_rating(tag) { DataType::UInt32 } else { DataType::Utf8 };
            fields.push(Field::new(tag, kind, true));
        }
        let by_moves = self.by_moves;
        let each = |kind, nullable| if by_moves { kind } else { list(kind, nullable) };
        let name = |one: &str| if by_moves { one.to_owned() } else { format!("{one}s") };
        fields.push(Field::new(if by_moves { "ply" } else { "plies" }, DataType::UInt32, false));
        fields.push(Field::new("fen", DataType::Utf8, !by_moves));
        if let Some(form) = self.moves {
            fields.push(Field::new(name("move"), each(Moves::kind(form), false), false));
        }
        if self.clocks {
            fields.push(Field::new(name("clock"), each(DataType::Float64, true), by_moves));
        }
        if self.evals {
            fields.push(Field::new(name("eval"), each(DataType::Int32, true), by_moves));
            fields.push(Field::new(name("mate"), each(DataType::Int32, true), by_moves));
        }
        if self.problems && !by_moves {
            fields.push(Field::new("problems", list(DataType::Utf8, false), false));
        }
        Schema::new(fields)
    }
}

/// A batch ends early when its texts have this number of bytes, far below the 2 GiB that a column can hold.
const MOST_BYTES: usize = 1 << 28;

/// A column of texts.
#[derive(Default)]
struct Texts {
    offsets: Vec<i32>,
    bytes: Vec<u8>,
    valid: Vec<bool>,
}

/// A column of numbers.
struct Numbers<T> {
    values: Vec<T>,
    valid: Vec<bool>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self { values: Vec::new(), valid: Vec::new() }
    }
}

fn invalid(text: &str) -> ArrowError {
    ArrowError::InvalidArgumentError(text.to_owned())
}

/// The place in a column of offsets.
fn offset(length: usize) -> Result<i32, ArrowError> {
    i32::try_from(length).map_err(|_| invalid("a column of more than 2 GiB"))
}

impl Texts {
    /// Ends the value whose bytes have been written.
    fn end(&mut self, is_valid: bool) -> Result<(), ArrowError> {
        self.offsets.push(offset(self.bytes.len())?);
        self.valid.push(is_valid);
        Ok(())
    }

    fn push(&mut self, text: Option<&str>) -> Result<(), ArrowError> {
        self.bytes.extend_from_slice(text.unwrap_or_default().as_bytes());
        self.end(text.is_some())
    }

    fn finish(self) -> Result<ArrayData, ArrowError> {
        let mut offsets = vec![0];
        offsets.extend(&self.offsets);
        ArrayData::builder(DataType::Utf8)
            .len(self.valid.len())
            .add_buffer(Buffer::from_vec(offsets))
            .add_buffer(Buffer::from_vec(self.bytes))
            .nulls(nulls(self.valid))
            .build()
    }
}

impl<T: arrow_buffer::ArrowNativeType> Numbers<T> {
    fn push(&mut self, value: Option<T>) {
        self.values.push(value.unwrap_or_default());
        self.valid.push(value.is_some());
    }

    fn finish(self, kind: DataType) -> Result<ArrayData, ArrowError> {
        let builder = ArrayData::builder(kind).len(self.valid.len()).add_buffer(Buffer::from_vec(self.values));
        builder.nulls(nulls(self.valid)).build()
    }
}

/// `None` if every value is there.
fn nulls(valid: Vec<bool>) -> Option<NullBuffer> {
    valid.contains(&false).then(|| NullBuffer::from(valid))
}

/// The moves of a table.
enum Moves {
    Texts(Texts),
    Packed(Numbers<u16>),
}

impl Moves {
    fn new(form: MoveForm) -> Self {
        if form == MoveForm::Packed { Self::Packed(Numbers::default()) } else { Self::Texts(Texts::default()) }
    }

    fn kind(form: MoveForm) -> DataType {
        if form == MoveForm::Packed { DataType::UInt16 } else { DataType::Utf8 }
    }

    fn push(&mut self, form: MoveForm, position: &Position, mv: Move, variant: Variant) -> Result<(), ArrowError> {
        match self {
            Self::Packed(numbers) => numbers.push(Some(packed(mv.to_uci(variant)))),
            Self::Texts(texts) if form == MoveForm::San => texts.push(Some(San::new(position, mv).as_str()))?,
            Self::Texts(texts) => {
                let UciMove { from, to, promotion } = mv.to_uci(variant);
                texts.bytes.extend(letters(from).into_iter().chain(letters(to)));
                texts.bytes.extend(promotion.map(|piece| piece.to_char() as u8));
                texts.end(true)?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<ArrayData, ArrowError> {
        match self {
            Self::Texts(texts) => texts.finish(),
            Self::Packed(numbers) => numbers.finish(DataType::UInt16),
        }
    }

    fn bytes(&self) -> usize {
        if let Self::Texts(texts) = self { texts.bytes.len() } else { 0 }
    }
}

fn letters(square: Square) -> [u8; 2] {
    [b'a' + (square.index() & 7) as u8, b'1' + (square.index() >> 3) as u8]
}

/// A move in 16 bits: see [`MoveForm::Packed`].
pub fn packed(UciMove { from, to, promotion }: UciMove) -> u16 {
    let piece = promotion.map_or(0, |piece: PieceType| piece.index() as u16 + 1);
    from.index() as u16 | (to.index() as u16) << 6 | piece << 12
}

/// The columns of a batch that is being filled.
struct Columns {
    games: Numbers<u64>,
    texts: Vec<Texts>,
    ratings: Vec<Numbers<u32>>,
    plies: Numbers<u32>,
    fens: Texts,
    moves: Option<Moves>,
    clocks: Numbers<f64>,
    evals: Numbers<i32>,
    mates: Numbers<i32>,
    problems: Texts,
    /// The ends of the lists of moves and of problems.
    move_ends: Vec<i32>,
    problem_ends: Vec<i32>,
}

/// A PGN file as a table: an iterator over its batches, each a struct array with the fields of [`GameTable::schema`].
///
/// Games that cannot be read have the moves before their fault; the column `problems` tells it.
///
/// ```
/// use bartizan_games::table::{GameTable, TableOptions};
///
/// let text = "[White \"Anna\"]\n\n1. e4 e5 *\n\n[White \"Ben\"]\n\n1. d4 *\n";
/// let mut table = GameTable::new(text.as_bytes(), TableOptions::default());
/// let batch = table.next().unwrap()?;
/// assert_eq!((batch.len(), table.schema().fields().len()), (2, batch.child_data().len()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GameTable<R> {
    reader: PgnReader<R>,
    options: TableOptions,
    schema: Arc<Schema>,
    game: PgnGame,
    number: u64,
    fault: Option<String>,
    /// By moves: the position and the number of the next move of the game.
    next: Option<(Position, usize)>,
    is_finished: bool,
}

fn is_rating(tag: &str) -> bool {
    tag.ends_with("Elo")
}

fn list(kind: DataType, nullable: bool) -> DataType {
    DataType::List(Arc::new(Field::new("item", kind, nullable)))
}

impl<R: Read> GameTable<R> {
    /// Begins to read.
    pub fn new(reader: R, options: TableOptions) -> Self {
        Self {
            reader: PgnReader::new(reader),
            schema: Arc::new(options.schema()),
            options,
            game: PgnGame::default(),
            number: 0,
            fault: None,
            next: None,
            is_finished: false,
        }
    }

    /// The names and types of the columns.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The number of games read so far.
    pub fn games(&self) -> u64 {
        self.number
    }

    /// Reads the next game. `false` at the end.
    fn advance(&mut self) -> Result<bool, ArrowError> {
        let read = self.reader.read_next(&mut self.game);
        self.fault = match read {
            None => return Ok(false),
            Some(Ok(())) => None,
            Some(Err(PgnError { kind: PgnErrorKind::Io(error), .. })) => {
                return Err(ArrowError::IoError(error.to_string(), error));
            }
            Some(Err(error)) => Some(error.to_string()),
        };
        self.number += 1;
        Ok(true)
    }

    fn batch(&mut self) -> Result<Option<ArrayData>, ArrowError> {
        let mut columns = Columns::new(&self.options);
        while columns.games.values.len() < self.options.rows.max(1) && columns.bytes() < MOST_BYTES {
            if self.options.by_moves {
                if self.next.as_ref().is_none_or(|(_, ply)| *ply >= self.game.moves.len()) {
                    if !self.advance()? {
                        break;
                    }
                    self.next = Some((self.game.start.clone(), 0));
                    continue;
                }
                let Some((position, ply)) = &mut self.next else { break };
                columns.push_move(&self.options, self.number, &self.game, position, *ply)?;
                *ply += 1;
            } else if !self.advance()? {
                break;
            } else {
                columns.push_game(&self.options, self.number, &self.game, self.fault.as_deref())?;
            }
        }
        let rows = columns.games.values.len();
        if rows == 0 {
            return Ok(None);
        }
        let children = columns.finish(&self.options)?;
        let kind = DataType::Struct(Fields::from(self.schema.fields().to_vec()));
        ArrayData::builder(kind).len(rows).child_data(children).build().map(Some)
    }
}

impl<R: Read> Iterator for GameTable<R> {
    type Item = Result<ArrayData, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_finished {
            return None;
        }
        let batch = self.batch().transpose();
        self.is_finished = !matches!(batch, Some(Ok(_)));
        batch
    }
}

/// A batch that is filled game by game, for callers that read the games themselves. A row for each game: `by_moves` and
/// `rows` have no effect.
pub struct GameRows {
    options: TableOptions,
    columns: Columns,
}

impl GameRows {
    /// Without rows.
    pub fn new(options: TableOptions) -> Self {
        let options = TableOptions { by_moves: false, ..options };
        Self { columns: Columns::new(&options), options }
    }

    /// Adds a game with its number and what is wrong with its text.
    ///
    /// # Errors
    /// If a column gets more than 2 GiB.
    pub fn push(&mut self, number: u64, game: &PgnGame, fault: Option<&str>) -> Result<(), ArrowError> {
        self.columns.push_game(&self.options, number, game, fault)
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.columns.games.values.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The approximate size of the texts and clocks in bytes.
    pub fn bytes(&self) -> usize {
        self.columns.bytes()
    }

    /// The rows so far, as the columns of [`TableOptions::schema`]. Begins a new batch.
    ///
    /// # Errors
    /// If a column has more than 2 GiB.
    pub fn take(&mut self) -> Result<Vec<ArrayData>, ArrowError> {
        std::mem::replace(&mut self.columns, Columns::new(&self.options)).finish(&self.options)
    }
}

impl Columns {
    fn new(options: &TableOptions) -> Self {
        let ratings = options.tags.iter().filter(|tag| is_rating(tag)).count();
        Self {
            games: Numbers::default(),
            texts: (0..options.tags.len() - ratings).map(|_| Texts::default()).collect(),
            ratings: (0..ratings).map(|_| Numbers::default()).collect(),
            plies: Numbers::default(),
            fens: Texts::default(),
            moves: options.moves.map(Moves::new),
            clocks: Numbers::default(),
            evals: Numbers::default(),
            mates: Numbers::default(),
            problems: Texts::default(),
            move_ends: Vec::new(),
            problem_ends: Vec::new(),
        }
    }

    fn bytes(&self) -> usize {
        let tags: usize = self.texts.iter().map(|texts| texts.bytes.len()).sum();
        let moves = self.moves.as_ref().map_or(0, Moves::bytes);
        tags + moves + self.fens.bytes.len() + self.problems.bytes.len() + 8 * self.clocks.values.len()
    }

    fn push_tags(&mut self, options: &TableOptions, number: u64, game: &PgnGame) -> Result<(), ArrowError> {
        self.games.push(Some(number));
        let (mut texts, mut ratings) = (self.texts.iter_mut(), self.ratings.iter_mut());
        for tag in &options.tags {
            let value = game.tag(tag);
            if is_rating(tag) {
                let rating = value.and_then(|text| text.trim().parse().ok()).filter(|&rating: &u32| rating > 0);
                ratings.next().into_iter().for_each(|column| column.push(rating));
            } else {
                texts.next().map_or(Ok(()), |column| column.push(value))?;
            }
        }
        Ok(())
    }

    /// What a comment says.
    fn push_comment(&mut self, options: &TableOptions, position: &Position, comment: Option<&str>) {
        if !options.clocks && !options.evals {
            return;
        }
        let read = comment.map(|comment| Annotations::of_move(comment, position.turn())).unwrap_or_default();
        if options.clocks {
            self.clocks.push(read.clock.map(|time| time.as_secs_f64()));
        }
        if options.evals {
            let score = read.eval.map(|(score, _)| score);
            self.evals
                .push(score.and_then(|score| if let PgnScore::Centipawns(value) = score { Some(value) } else { None }));
            self.mates.push(score.and_then(|score| if let PgnScore::Mate(moves) = score { Some(moves) } else { None }));
        }
    }

    fn push_game(
        &mut self,
        options: &TableOptions,
        number: u64,
        game: &PgnGame,
        fault: Option<&str>,
    ) -> Result<(), ArrowError> {
        self.push_tags(options, number, game)?;
        self.plies.push(Some(game.moves.len() as u32));
        self.fens.push(game.fen().as_deref())?;
        let needs_position = options.moves == Some(MoveForm::San) || options.clocks || options.evals;
        let variant = Variant::from_chess960(game.chess960);
        let mut position = game.start.clone();
        for played in &game.moves {
            if let (Some(form), Some(moves)) = (options.moves, &mut self.moves) {
                moves.push(form, &position, played.mv, variant)?;
            }
            self.push_comment(options, &position, played.comment.as_deref());
            if needs_position {
                position.make_unchecked(played.mv);
            }
        }
        let end = self.move_ends.last().copied().unwrap_or_default();
        self.move_ends.push(offset(end as usize + game.moves.len())?);
        if options.problems {
            for problem in &game.problems {
                self.problems.push(Some(&problem.to_string()))?;
            }
            if let Some(fault) = fault {
                self.problems.push(Some(fault))?;
            }
            self.problem_ends.push(offset(self.problems.valid.len())?);
        }
        Ok(())
    }

    fn push_move(
        &mut self,
        options: &TableOptions,
        number: u64,
        game: &PgnGame,
        position: &mut Position,
        ply: usize,
    ) -> Result<(), ArrowError> {
        let played = &game.moves[ply];
        self.push_tags(options, number, game)?;
        self.plies.push(Some(ply as u32));
        self.fens.push(Some(&position.to_fen()))?;
        if let (Some(form), Some(moves)) = (options.moves, &mut self.moves) {
            moves.push(form, position, played.mv, Variant::from_chess960(game.chess960))?;
        }
        self.push_comment(options, position, played.comment.as_deref());
        position.make_unchecked(played.mv);
        Ok(())
    }

    /// The arrays, in the order of the schema.
    fn finish(self, options: &TableOptions) -> Result<Vec<ArrayData>, ArrowError> {
        let by_moves = options.by_moves;
        let each = |data: ArrayData, nullable: bool| {
            if by_moves { Ok(data) } else { lists(data, &self.move_ends, nullable) }
        };
        let mut arrays = vec![self.games.finish(DataType::UInt64)?];
        let (mut texts, mut ratings) = (self.texts.into_iter(), self.ratings.into_iter());
        for tag in &options.tags {
            let array = if is_rating(tag) {
                ratings.next().map(|column| column.finish(DataType::UInt32))
            } else {
                texts.next().map(Texts::finish)
            };
            arrays.extend(array.transpose()?);
        }
        arrays.push(self.plies.finish(DataType::UInt32)?);
        arrays.push(self.fens.finish()?);
        if let Some(moves) = self.moves {
            arrays.push(each(moves.finish()?, false)?);
        }
        if options.clocks {
            arrays.push(each(self.clocks.finish(DataType::Float64)?, true)?);
        }
        if options.evals {
            arrays.push(each(self.evals.finish(DataType::Int32)?, true)?);
            arrays.push(each(self.mates.finish(DataType::Int32)?, true)?);
        }
        if options.problems && !by_moves {
            arrays.push(lists(self.problems.finish()?, &self.problem_ends, false)?);
        }
        Ok(arrays)
    }
}

/// A column of lists, which end at these places of their values.
fn lists(values: ArrayData, ends: &[i32], nullable: bool) -> Result<ArrayData, ArrowError> {
    let mut offsets = vec![0];
    offsets.extend(ends);
    let kind = list(values.data_type().clone(), nullable);
    ArrayData::builder(kind).len(ends.len()).add_buffer(Buffer::from_vec(offsets)).add_child_data(values).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[White \"Anna\"]\n[WhiteElo \"2500\"]\n[BlackElo \"?\"]\n\n\
        1. e4 {[%eval 0.30] [%clk 0:05:00]} e5 {[%eval #-3]} 2. Ke3 1-0\n\n\
        [FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=N *\n\n[FEN \"x\"]\n\n1. e4 *\n";

    fn batches(options: TableOptions) -> (Arc<Schema>, Vec<ArrayData>) {
        let table = GameTable::new(TEXT.as_bytes(), options);
        (table.schema().clone(), table.collect::<Result<_, _>>().unwrap())
    }

    fn column<'a>(schema: &Schema, batch: &'a ArrayData, name: &str) -> &'a ArrayData {
        &batch.child_data()[schema.index_of(name).unwrap()]
    }

    #[test]
    fn games_are_rows() {
        let all = TableOptions {
            clocks: true,
            evals: true,
            problems: true,
            moves: Some(MoveForm::San),
            ..Default::default()
        };
        let (schema, found) = batches(all);
        let [batch] = &found[..] else { panic!("{}", found.len()) };
        assert_eq!(batch.len(), 3);
        batch.validate_full().unwrap();
        let moves = column(&schema, batch, "moves");
        assert_eq!(moves.buffers()[0].typed_data::<i32>(), [0, 2, 3, 3]);
        assert_eq!(moves.child_data()[0].buffers()[1].as_slice(), b"e4e5a8=N");
        let rating = column(&schema, batch, "WhiteElo");
        assert_eq!((rating.buffers()[0].typed_data::<u32>()[0], rating.null_count()), (2500, 2));
        assert_eq!(column(&schema, batch, "BlackElo").null_count(), 3);
        assert_eq!(column(&schema, batch, "mates").child_data()[0].null_count(), 2);
        assert_eq!(column(&schema, batch, "problems").buffers()[0].typed_data::<i32>(), [0, 1, 1, 2]);
    }

    #[test]
    fn moves_are_rows_of_batches_of_any_size() {
        let options = TableOptions { by_moves: true, rows: 2, moves: Some(MoveForm::Packed), ..Default::default() };
        let (schema, found) = batches(options);
        assert_eq!(found.iter().map(ArrayData::len).collect::<Vec<_>>(), [2, 1]);
        let last = column(&schema, &found[1], "move").buffers()[0].typed_data::<u16>()[0];
        assert_eq!(last, 48 | 56 << 6 | 2 << 12);
        assert!(column(&schema, &found[1], "fen").buffers()[1].starts_with(b"8/P6k/"));
    }
}
