//! Searches a folder for games that reach a position or material.

use super::occurrence::material_of_text;
use super::{DatasetError, Manifest};
use crate::filter::MaterialPattern;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use bartizan_book::PolyglotKey;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReaderBuilder, RowSelection, RowSelector};
use parquet::file::statistics::Statistics;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The rows that are read at once.
const BATCH: usize = 16_384;

/// A game that reaches what is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// The number of the game, from 1, over all inputs.
    pub game: u64,
    /// The number of plies before the position is first reached; `None` in a search for material.
    pub ply: Option<u32>,
}

/// A folder of exported games that is searched.
#[derive(Clone, Debug)]
pub struct Dataset {
    folder: PathBuf,
    manifest: Manifest,
}

impl Dataset {
    /// Opens a folder.
    ///
    /// # Errors
    /// If it has no manifest that this version understands.
    pub fn open(folder: &Path) -> Result<Self, DatasetError> {
        let missing =
            || DatasetError::Manifest { path: folder.to_owned(), reason: "it has no manifest.json".to_owned() };
        let manifest = Manifest::read(folder)?.ok_or_else(missing)?;
        Ok(Self { folder: folder.to_owned(), manifest })
    }

    /// What the folder contains.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The games that reach a position, in order, each once. `is_stopped` is asked before each file.
    ///
    /// Reads the groups of rows whose smallest and largest key enclose the key: one or two of each part, because the
    /// rows of a part are sorted.
    ///
    /// # Errors
    /// If a file cannot be read, or the folder has no positions.
    pub fn find_position(&self, key: PolyglotKey, is_stopped: impl Fn() -> bool) -> Result<Vec<Hit>, DatasetError> {
        let key = key.0 as i64;
        let mut hits = Vec::new();
        for path in self.tables("positions")? {
            if is_stopped() {
                break;
            }
            let rows = Table::open(&path, &["key", "game", "ply"])?.with_groups_of(key);
            rows.read(None, |batch| {
                let keys = batch.column(0).as_primitive_opt::<Int64Type>()?;
                let games = batch.column(1).as_primitive_opt::<Int64Type>()?;
                let plies = batch.column(2).as_primitive_opt::<Int32Type>()?;
                let rows = keys.values().iter().zip(games.values()).zip(plies.values());
                let own = rows.filter(|&((&own, _), _)| own == key);
                hits.extend(own.map(|((_, &game), &ply)| Hit { game: game as u64, ply: Some(ply as u32) }));
                Some(())
            })?;
        }
        hits.sort_unstable();
        hits.dedup_by_key(|hit| hit.game);
        Ok(hits)
    }

    /// The games that reach some material, in order, each once. `is_stopped` is asked before each file.
    ///
    /// # Errors
    /// As [`Dataset::find_position`].
    pub fn find_material(
        &self,
        pattern: &MaterialPattern,
        is_stopped: impl Fn() -> bool,
    ) -> Result<Vec<Hit>, DatasetError> {
        let mut hits = Vec::new();
        for path in self.tables("material")? {
            if is_stopped() {
                break;
            }
            // First the texts, which are few, and then the lists of the rows that match.
            let mut selectors = Vec::new();
            Table::open(&path, &["material"])?.read(None, |batch| {
                for text in batch.column(0).as_string_opt::<i32>()? {
                    let is_found = pattern.matches_counts(&material_of_text(text?)?);
                    selectors.push(if is_found { RowSelector::select(1) } else { RowSelector::skip(1) });
                }
                Some(())
            })?;
            if selectors.iter().all(|selector| selector.skip) {
                continue;
            }
            Table::open(&path, &["games"])?.read(Some(selectors.into()), |batch| {
                let lists = batch.column(0).as_list_opt::<i32>()?;
                // The values of a batch that was read are those of its lists.
                let games = lists.values().as_primitive_opt::<Int64Type>()?;
                hits.extend(games.values().iter().map(|&game| Hit { game: game as u64, ply: None }));
                Some(())
            })?;
        }
        hits.sort_unstable();
        hits.dedup();
        Ok(hits)
    }

    /// Passes tags of games to `see`, by files and thus not always in order: the number of the game and the values of
    /// these columns, all of texts. The numbers must be in order.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn tags(
        &self,
        games: &[u64],
        columns: &[&str],
        mut see: impl FnMut(u64, &[Option<&str>]),
    ) -> Result<(), DatasetError> {
        let all: Vec<&str> = ["game"].iter().chain(columns).copied().collect();
        for path in self.manifest.files(&self.folder, "games") {
            let mut selectors = Vec::new();
            Table::open(&path, &["game"])?.read(None, |batch| {
                let numbers = batch.column(0).as_primitive_opt::<Int64Type>()?.values();
                selectors.extend(numbers.iter().map(|&number| match games.binary_search(&(number as u64)) {
                    Ok(_) => RowSelector::select(1),
                    Err(_) => RowSelector::skip(1),
                }));
                Some(())
            })?;
            if selectors.iter().all(|selector| selector.skip) {
                continue;
            }
            Table::open(&path, &all)?.read(Some(selectors.into()), |batch| {
                let (first, tags) = batch.columns().split_first()?;
                let numbers = first.as_primitive_opt::<Int64Type>()?.values();
                let tags: Vec<_> = tags.iter().map(|tag| tag.as_string_opt::<i32>()).collect::<Option<_>>()?;
                for (row, &number) in numbers.iter().enumerate() {
                    let values: Vec<_> = tags.iter().map(|tag| tag.is_valid(row).then(|| tag.value(row))).collect();
                    see(number as u64, &values);
                }
                Some(())
            })?;
        }
        Ok(())
    }

    fn tables(&self, name: &str) -> Result<Vec<PathBuf>, DatasetError> {
        if !self.manifest.options.positions {
            return Err(DatasetError::NoPositions { path: self.folder.clone() });
        }
        Ok(self.manifest.files(&self.folder, name).collect())
    }
}

/// Some columns of a file.
struct Table<'a> {
    path: &'a Path,
    builder: ParquetRecordBatchReaderBuilder<File>,
    columns: &'a [&'a str],
}

impl<'a> Table<'a> {
    fn open(path: &'a Path, columns: &'a [&'a str]) -> Result<Self, DatasetError> {
        let file = bartizan_files::open_regular(path).map_err(DatasetError::io(path))?;
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(DatasetError::parquet(path))?;
        let schema = builder.parquet_schema();
        let has = |name: &&&str| schema.root_schema().get_fields().iter().any(|field| field.name() == **name);
        if let Some(missing) = columns.iter().find(|name| !has(name)) {
            let text = format!("it has no column '{missing}'");
            return Err(DatasetError::parquet(path)(parquet::errors::ParquetError::General(text)));
        }
        let mask = ProjectionMask::columns(schema, columns.iter().copied());
        let builder = builder.with_projection(mask).with_batch_size(BATCH);
        Ok(Self { path, builder, columns })
    }

    /// Only the groups that may have this value in the first column of the file.
    fn with_groups_of(self, value: i64) -> Self {
        let groups = self.builder.metadata().row_groups().iter().enumerate();
        let may_have =
            groups.filter(|(_, group)| match group.columns().first().and_then(|column| column.statistics()) {
                Some(Statistics::Int64(range)) => {
                    range.min_opt().is_none_or(|&min| min <= value) && range.max_opt().is_none_or(|&max| value <= max)
                }
                _ => true,
            });
        let groups = may_have.map(|(index, _)| index).collect();
        Self { builder: self.builder.with_row_groups(groups), ..self }
    }

    /// Passes the rows to `see`, with the columns in the order that was asked for. `None` means that a column has
    /// another type.
    fn read(
        self,
        rows: Option<RowSelection>,
        mut see: impl FnMut(&RecordBatch) -> Option<()>,
    ) -> Result<(), DatasetError> {
        let Self { path, builder, columns } = self;
        let builder = if let Some(rows) = rows { builder.with_row_selection(rows) } else { builder };
        for batch in builder.build().map_err(DatasetError::parquet(path))? {
            let batch = batch.map_err(DatasetError::parquet(path))?;
            let order: Result<Vec<usize>, _> = columns.iter().map(|name| batch.schema_ref().index_of(name)).collect();
            let batch = order.and_then(|order| batch.project(&order)).map_err(DatasetError::parquet(path))?;
            let wrong = || parquet::errors::ParquetError::General("a column has an unexpected type".to_owned());
            see(&batch).ok_or_else(wrong).map_err(DatasetError::parquet(path))?;
        }
        Ok(())
    }
}
