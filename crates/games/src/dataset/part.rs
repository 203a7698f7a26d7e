//! Writes the files of a part.

use super::occurrence::{Step, material_text};
use super::{Cursor, DatasetError, DatasetOptions, GameRecord, PartSummary, Place, SCHEMA_VERSION, VERSION_KEY};
use crate::table::{GameRows, MoveForm, TableOptions};
use arrow_array::builder::{Int32Builder, Int64Builder, ListBuilder, StringBuilder, UInt16Builder};
use arrow_array::{ArrayRef, RecordBatch, make_array};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use bartizan_files::Replacement;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::schema::types::ColumnPath;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The rows of a group of games: some 10 MB of the file. The unit of parallel work in DuckDB, polars and Spark.
const GAME_ROWS: usize = 32_768;

/// The rows of a group of positions: a search by key reads one group of most parts.
const POSITION_ROWS: usize = 65_536;

/// The games that become columns at once.
const BATCH: usize = 1_024;

/// Maximum number of values of a partition in a part, each with an open file.
const MOST_FOLDERS: usize = 512;

/// The size of the columns in memory above which the largest group is written early.
const MOST_BYTES: usize = 192 << 20;

/// A Parquet file that is being written.
struct File {
    /// Relative to the folder.
    name: String,
    path: PathBuf,
    schema: SchemaRef,
    writer: ArrowWriter<BufWriter<Replacement>>,
}

/// The games of a folder.
struct Games {
    rows: GameRows,
    file: File,
}

/// A row of the table of positions, in its order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    /// Signed, because Spark has no unsigned integers of 64 bits.
    key: i64,
    game: i64,
    ply: i32,
    mv: Option<u16>,
}

/// Writes the games of a part, which appears when it is finished. A dropped one leaves no files.
pub struct PartWriter<'a> {
    folder: &'a Path,
    options: &'a DatasetOptions,
    summary: PartSummary,
    games: BTreeMap<String, Games>,
    positions: Vec<Position>,
    /// Material and the games that reach it.
    material: Vec<(u64, i64)>,
    /// Lines of JSON.
    problems: String,
}

impl<'a> PartWriter<'a> {
    /// Begins the part that follows a place.
    pub fn new(folder: &'a Path, options: &'a DatasetOptions, number: u32, start: Cursor) -> Self {
        let summary = PartSummary { number, games: 0, broken: 0, problems: 0, files: Vec::new(), end: start };
        let (positions, material, problems) = (Vec::new(), Vec::new(), String::new());
        Self { folder, options, summary, games: BTreeMap::new(), positions, material, problems }
    }

    /// Whether the part has all of its games.
    pub fn is_full(&self) -> bool {
        self.summary.games + self.summary.broken >= self.options.part_games
    }

    /// Adds the next game.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn push(&mut self, record: &GameRecord, place: Place) -> Result<(), DatasetError> {
        let end = &mut self.summary.end;
        *end = Cursor { input: place.input, line: place.line, games: end.games + 1 };
        let number = end.games;
        let game = match &record.game {
            Ok(game) => game,
            Err(fault) => {
                self.summary.broken += 1;
                self.note(number, place, fault, true);
                return Ok(());
            }
        };
        self.summary.games += 1;
        for problem in &game.problems {
            self.summary.problems += 1;
            self.note(number, place, &problem.to_string(), false);
        }
        let own = number as i64;
        let steps = record.positions.iter().zip(0..);
        let row = |(&Step { key, mv }, ply)| Position { key: key as i64, game: own, ply, mv };
        self.positions.extend(steps.map(row));
        self.material.extend(record.material.iter().map(|&material| (material, own)));
        let folder = record.folder.as_deref().unwrap_or_default();
        let games = match self.games.get_mut(folder) {
            Some(games) => games,
            None => self.open(folder)?,
        };
        games.rows.push(number, game, None).map_err(DatasetError::parquet(&games.file.path))?;
        if games.rows.len() >= BATCH || games.rows.bytes() > 1 << 24 {
            games.flush()?;
            self.limit()?;
        }
        Ok(())
    }

    /// Writes the files and returns what the part contains.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(mut self) -> Result<PartSummary, DatasetError> {
        let mut files = Vec::new();
        for mut games in std::mem::take(&mut self.games).into_values() {
            games.flush()?;
            files.push(games.file);
        }
        let mut done = files.into_iter().map(File::end).collect::<Result<Vec<_>, _>>()?;
        if self.options.positions {
            done.push(self.write_positions()?);
            done.push(self.write_material()?);
        }
        let number = self.summary.number;
        let problems = format!("problems/part-{number:05}.jsonl");
        if !self.problems.is_empty() {
            let path = self.folder.join(&problems);
            create_folder_of(&path)?;
            bartizan_files::replace(&path, self.problems.as_bytes()).map_err(DatasetError::io(&path))?;
            self.summary.files.push(problems);
        }
        for (name, path, file) in done {
            file.commit().map_err(DatasetError::io(&path))?;
            self.summary.files.push(name);
        }
        Ok(self.summary)
    }

    fn note(&mut self, game: u64, place: Place, problem: &str, is_broken: bool) {
        let Place { input, number, line } = place;
        let line = serde_json::json!({
            "game": game, "input": input, "number": number, "line": line, "broken": is_broken, "problem": problem,
        });
        self.problems += &format!("{line}\n");
    }

    fn open(&mut self, folder: &str) -> Result<&mut Games, DatasetError> {
        if self.games.len() >= MOST_FOLDERS {
            let partition = self.options.partition.as_ref().map(ToString::to_string).unwrap_or_default();
            return Err(DatasetError::Partitions { partition, most: MOST_FOLDERS });
        }
        let table = if folder.is_empty() { "games".to_owned() } else { format!("games/{folder}") };
        let options = game_options();
        let properties = properties(GAME_ROWS, &[("game", Encoding::DELTA_BINARY_PACKED)]);
        let schema = Schema::new(options.schema().fields().iter().map(|field| signed_field(field)).collect::<Vec<_>>());
        let file = File::create(self.folder, &table, self.summary.number, Arc::new(schema), properties)?;
        Ok(self.games.entry(folder.to_owned()).or_insert(Games { rows: GameRows::new(options), file }))
    }

    /// Writes groups early if the columns are large.
    fn limit(&mut self) -> Result<(), DatasetError> {
        let size = |games: &Games| games.file.writer.memory_size();
        while self.games.values().map(size).sum::<usize>() > MOST_BYTES {
            let Some(largest) = self.games.values_mut().max_by_key(|games| size(games)) else { break };
            largest.file.writer.flush().map_err(DatasetError::parquet(&largest.file.path))?;
        }
        Ok(())
    }

    fn write_positions(&mut self) -> Result<(String, PathBuf, Replacement), DatasetError> {
        let mut rows = std::mem::take(&mut self.positions);
        rows.sort_unstable();
        let schema = Arc::new(Schema::new(vec![
            Field::new("key", DataType::Int64, false),
            Field::new("game", DataType::Int64, false),
            Field::new("ply", DataType::Int32, false),
            Field::new("move", DataType::UInt16, true),
        ]));
        let delta = Encoding::DELTA_BINARY_PACKED;
        let ascending = |column_idx| SortingColumn { column_idx, descending: false, nulls_first: false };
        let properties = properties(POSITION_ROWS, &[("key", delta), ("game", delta)])
            .set_sorting_columns(Some([0, 1].map(ascending).to_vec()));
        let mut file = File::create(self.folder, "positions", self.summary.number, schema, properties)?;
        for rows in rows.chunks(POSITION_ROWS) {
            let (mut keys, mut games) = (Int64Builder::new(), Int64Builder::new());
            let (mut plies, mut moves) = (Int32Builder::new(), UInt16Builder::new());
            for row in rows {
                keys.append_value(row.key);
                games.append_value(row.game);
                plies.append_value(row.ply);
                moves.append_option(row.mv);
            }
            let columns: Vec<ArrayRef> = vec![
                Arc::new(keys.finish()),
                Arc::new(games.finish()),
                Arc::new(plies.finish()),
                Arc::new(moves.finish()),
            ];
            file.write(columns)?;
        }
        file.end()
    }

    fn write_material(&mut self) -> Result<(String, PathBuf, Replacement), DatasetError> {
        let mut rows: Vec<(String, Vec<i64>)> = {
            let mut rows = std::mem::take(&mut self.material);
            rows.sort_unstable();
            let same = rows.chunk_by(|one, other| one.0 == other.0);
            same.map(|rows| (material_text(rows[0].0), rows.iter().map(|row| row.1).collect())).collect()
        };
        rows.sort_unstable();
        let item = Arc::new(Field::new("item", DataType::Int64, false));
        let schema = Arc::new(Schema::new(vec![
            Field::new("material", DataType::Utf8, false),
            Field::new("games", DataType::List(item.clone()), false),
        ]));
        let properties = properties(GAME_ROWS, &[("games.list.element", Encoding::DELTA_BINARY_PACKED)]);
        let mut file = File::create(self.folder, "material", self.summary.number, schema, properties)?;
        for rows in rows.chunks(BATCH) {
            let mut material = StringBuilder::new();
            let mut games = ListBuilder::new(Int64Builder::new()).with_field(item.clone());
            for (text, numbers) in rows {
                material.append_value(text);
                games.values().append_slice(numbers);
                games.append(true);
            }
            file.write(vec![Arc::new(material.finish()), Arc::new(games.finish())])?;
        }
        file.end()
    }
}

impl Games {
    /// Passes the rows to the file.
    fn flush(&mut self) -> Result<(), DatasetError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let columns: Result<Vec<ArrayRef>, ArrowError> =
            self.rows.take().and_then(|columns| columns.into_iter().map(signed).collect());
        let columns = columns.map_err(DatasetError::parquet(&self.file.path))?;
        self.file.write(columns)
    }
}

impl File {
    fn create(
        folder: &Path,
        table: &str,
        part: u32,
        schema: SchemaRef,
        properties: WriterPropertiesBuilder,
    ) -> Result<Self, DatasetError> {
        let name = format!("{table}/part-{part:05}.parquet");
        let path = folder.join(&name);
        create_folder_of(&path)?;
        let file = Replacement::new(&path).map_err(DatasetError::io(&path))?;
        let options = ArrowWriterOptions::new().with_properties(properties.build());
        let writer = ArrowWriter::try_new_with_options(BufWriter::new(file), schema.clone(), options)
            .map_err(DatasetError::parquet(&path))?;
        Ok(Self { name, path, schema, writer })
    }

    fn write(&mut self, columns: Vec<ArrayRef>) -> Result<(), DatasetError> {
        let batch = RecordBatch::try_new(self.schema.clone(), columns).map_err(DatasetError::parquet(&self.path))?;
        self.writer.write(&batch).map_err(DatasetError::parquet(&self.path))
    }

    /// Ends the file, which gets its name later.
    fn end(self) -> Result<(String, PathBuf, Replacement), DatasetError> {
        let Self { name, path, writer, .. } = self;
        let mut buffer = writer.into_inner().map_err(DatasetError::parquet(&path))?;
        buffer.flush().map_err(DatasetError::io(&path))?;
        let file = buffer.into_inner().map_err(|error| DatasetError::io(&path)(error.into()))?;
        Ok((name, path, file))
    }
}

fn create_folder_of(path: &Path) -> Result<(), DatasetError> {
    let folder = bartizan_files::folder_of(path);
    fs::create_dir_all(folder).map_err(DatasetError::io(folder))
}

/// The columns of games.
pub(super) fn game_options() -> TableOptions {
    TableOptions { moves: Some(MoveForm::Uci), clocks: true, evals: true, problems: true, ..Default::default() }
}

fn properties(rows: usize, encodings: &[(&str, Encoding)]) -> WriterPropertiesBuilder {
    let version = KeyValue::new(VERSION_KEY.to_owned(), SCHEMA_VERSION.to_string());
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(rows))
        .set_created_by(concat!("bartizan ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_coerce_types(true)
        .set_key_value_metadata(Some(vec![version]));
    for &(column, encoding) in encodings {
        let path = ColumnPath::new(column.split('.').map(str::to_owned).collect());
        properties = properties.set_column_dictionary_enabled(path.clone(), false).set_column_encoding(path, encoding);
    }
    properties
}

/// The signed type of the same width: Spark has no unsigned ones.
fn signed_type(kind: &DataType) -> DataType {
    match kind {
        DataType::UInt64 => DataType::Int64,
        DataType::UInt32 => DataType::Int32,
        other => other.clone(),
    }
}

fn signed_field(field: &Field) -> Field {
    field.clone().with_data_type(signed_type(field.data_type()))
}

fn signed(data: ArrayData) -> Result<ArrayRef, ArrowError> {
    let kind = signed_type(data.data_type());
    data.into_builder().data_type(kind).build().map(make_array)
}
