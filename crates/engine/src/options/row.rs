//! One row of the table of options.

use super::OptionError;
use crate::{Config, Opponent};
use bartizan_engine::{Engine, split_folders};
use bartizan_protocol::OptionKind;
use bartizan_types::{Excerpt, Variant};
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// The protocols in which an option is declared. It can be set in all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocols {
    /// UCI and xboard.
    All,
    /// Only UCI: xboard has another command for it, or does not need it.
    Uci,
    /// Only xboard: UCI has no commands for draw offers and resignation.
    Xboard,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// On or off.
    Check(bool),
    /// A whole number.
    Spin(i64),
    /// A file, or none.
    Path(Option<PathBuf>),
    /// Folders.
    Folders(Vec<PathBuf>),
    /// A text, or one of several.
    Text(String),
    /// A button was pressed.
    Button,
}

/// As the settings file and the protocols write it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check(on) => on.fmt(f),
            Self::Spin(number) => number.fmt(f),
            Self::Path(path) => path.iter().try_for_each(|path| path.display().fmt(f)),
            Self::Folders(folders) => {
                let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
                folders.join(if cfg!(windows) { ";" } else { ":" }).fmt(f)
            }
            Self::Text(text) => text.fmt(f),
            Self::Button => Ok(()),
        }
    }
}

/// Locates a value of type `T` in a [`Config`].
type Field<T> = Box<dyn for<'a> Fn(&'a mut Config) -> &'a mut T + Send + Sync>;
/// Reads a value of another type than the option's.
type Get<T> = Box<dyn Fn(&mut Config) -> T + Send + Sync>;
/// Writes it.
type Set<T> = Box<dyn Fn(&mut Config, T) + Send + Sync>;

/// The kind of an option and where its value is.
enum Access {
    Check {
        get: Get<bool>,
        set: Set<bool>,
    },
    Spin {
        range: RangeInclusive<i64>,
        /// Whether settings files may say `"64M"` or `"2G"`.
        is_size: bool,
        get: Get<i64>,
        set: Set<i64>,
    },
    Choice {
        names: Vec<&'static str>,
        /// Reads the place of the value among the names.
        get: Get<usize>,
        set: Set<usize>,
    },
    Path(Field<Option<PathBuf>>),
    Folders(Field<Vec<PathBuf>>),
    Opponent(Field<Opponent>),
    Button(fn(&mut Engine)),
    /// A text for the client to show. Setting it has no effect.
    ReadOnly(String),
}

/// What setting an option to the value that it has does again: it may have failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    /// Opening endgame tables.
    Tables,
    /// Obtaining memory or threads.
    Memory,
    /// Opening the book.
    Book,
    /// Writing the debug log.
    DebugLog,
}

/// One option.
pub struct OptionRow {
    name: &'static str,
    key: Option<&'static str>,
    protocols: Protocols,
    retry: Option<Retry>,
    access: Access,
}

impl fmt::Debug for OptionRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OptionRow").field(&self.name).finish()
    }
}

/// What a check option can hold.
pub(super) trait Flag: Copy + Send + Sync + 'static {
    fn is_on(self) -> bool;
    fn from_bool(on: bool) -> Self;
}

impl Flag for bool {
    fn is_on(self) -> bool {
        self
    }

    fn from_bool(on: bool) -> Self {
        on
    }
}

/// On for Chess960.
impl Flag for Variant {
    fn is_on(self) -> bool {
        self == Self::Chess960
    }

    fn from_bool(on: bool) -> Self {
        Self::from_chess960(on)
    }
}

/// A number that a spin option can hold.
pub(super) trait Number: Copy + Send + Sync + 'static {
    fn to_i64(self) -> i64;
    /// `number` is in the range of the option.
    fn from_i64(number: i64) -> Self;
}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Number for $type {
            fn to_i64(self) -> i64 {
                self as i64
            }

            fn from_i64(number: i64) -> Self {
                number as $type
            }
        }
    )*};
}

numbers!(i32 u32 usize);

/// In milliseconds.
impl Number for Duration {
    fn to_i64(self) -> i64 {
        self.as_millis() as i64
    }

    fn from_i64(number: i64) -> Self {
        Self::from_millis(number as u64)
    }
}

/// Construction.
impl OptionRow {
    fn new(name: &'static str, access: Access) -> Self {
        Self { name, key: None, protocols: Protocols::All, retry: None, access }
    }

    pub(super) fn check<T: Flag>(
        name: &'static str,
        field: impl for<'a> Fn(&'a mut Config) -> &'a mut T + Copy + Send + Sync + 'static,
    ) -> Self {
        let access = Access::Check {
            get: Box::new(move |config| field(config).is_on()),
            set: Box::new(move |config, on| *field(config) = T::from_bool(on)),
        };
        Self::new(name, access)
    }

    pub(super) fn spin<T: Number>(
        name: &'static str,
        range: RangeInclusive<T>,
        field: impl for<'a> Fn(&'a mut Config) -> &'a mut T + Copy + Send + Sync + 'static,
    ) -> Self {
        let access = Access::Spin {
            range: range.start().to_i64()..=range.end().to_i64(),
            is_size: false,
            get: Box::new(move |config| field(config).to_i64()),
            set: Box::new(move |config, number| *field(config) = T::from_i64(number)),
        };
        Self::new(name, access)
    }

    /// One of several values, by name.
    pub(super) fn choice<T: Copy + PartialEq + Send + Sync + 'static>(
        name: &'static str,
        values: &'static [T],
        name_of: fn(T) -> &'static str,
        field: impl for<'a> Fn(&'a mut Config) -> &'a mut T + Copy + Send + Sync + 'static,
    ) -> Self {
        let access = Access::Choice {
            names: values.iter().map(|&value| name_of(value)).collect(),
            get: Box::new(move |config| {
                let value = *field(config);
                values.iter().position(|&other| other == value).unwrap_or(0)
            }),
            set: Box::new(move |config, place| *field(config) = values[place]),
        };
        Self::new(name, access)
    }

    pub(super) fn path(
        name: &'static str,
        field: impl for<'a> Fn(&'a mut Config) -> &'a mut Option<PathBuf> + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Access::Path(Box::new(field)))
    }

    pub(super) fn folders(
        name: &'static str,
        field: impl for<'a> Fn(&'a mut Config) -> &'a mut Vec<PathBuf> + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Access::Folders(Box::new(field))).retries(Retry::Tables)
    }

    pub(super) fn opponent(
        name: &'static str,
        field: impl for<'a> Fn(&'a mut Config) -> &'a mut Opponent + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Access::Opponent(Box::new(field)))
    }

    pub(super) fn button(name: &'static str, press: fn(&mut Engine)) -> Self {
        Self::new(name, Access::Button(press))
    }

    pub(super) fn read_only(name: &'static str, text: String) -> Self {
        Self::new(name, Access::ReadOnly(text))
    }

    /// The option's key in the settings file.
    pub(super) fn key_is(self, key: &'static str) -> Self {
        Self { key: Some(key), ..self }
    }

    /// A size in MiB, which settings files may write as `"64M"` or `"2G"`.
    pub(super) fn size(mut self) -> Self {
        if let Access::Spin { is_size, .. } = &mut self.access {
            *is_size = true;
        }
        self
    }

    pub(super) fn retries(self, retry: Retry) -> Self {
        Self { retry: Some(retry), ..self }
    }

    pub(super) fn only_in(self, protocols: Protocols) -> Self {
        Self { protocols, ..self }
    }
}

/// Use.
impl OptionRow {
    /// The name, as UCI declares it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The key in the settings file, with its section: `learning.depth`.
    pub fn key(&self) -> Option<&'static str> {
        self.key
    }

    /// The protocols in which the option is declared.
    pub fn protocols(&self) -> Protocols {
        self.protocols
    }

    /// The kind of the option, with its value in `config` as the default.
    pub fn kind(&self, config: &Config) -> OptionKind {
        let mut config = config.clone();
        match &self.access {
            Access::Check { get, .. } => OptionKind::Check { default: get(&mut config) },
            Access::Spin { range, get, .. } => {
                OptionKind::Spin { default: get(&mut config), min: *range.start(), max: *range.end() }
            }
            Access::Choice { names, get, .. } => OptionKind::Combo {
                default: names[get(&mut config)].to_owned(),
                vars: names.iter().map(|&name| name.to_owned()).collect(),
            },
            Access::Path(field) => OptionKind::File { default: Value::Path(field(&mut config).take()).to_string() },
            Access::Folders(field) => {
                let folders = std::mem::take(field(&mut config));
                OptionKind::String { default: Value::Folders(folders).to_string() }
            }
            Access::Opponent(field) => OptionKind::String { default: field(&mut config).to_string() },
            Access::Button(_) => OptionKind::Button,
            Access::ReadOnly(text) => OptionKind::String { default: text.clone() },
        }
    }

    /// The value in `config`; `None` for a button or a text that cannot be set.
    pub fn value(&self, config: &Config) -> Option<Value> {
        let mut config = config.clone();
        Some(match &self.access {
            Access::Check { get, .. } => Value::Check(get(&mut config)),
            Access::Spin { get, .. } => Value::Spin(get(&mut config)),
            Access::Choice { names, get, .. } => Value::Text(names[get(&mut config)].to_owned()),
            Access::Path(field) => Value::Path(field(&mut config).take()),
            Access::Folders(field) => Value::Folders(std::mem::take(field(&mut config))),
            Access::Opponent(field) => Value::Text(field(&mut config).to_string()),
            Access::Button(_) | Access::ReadOnly(_) => return None,
        })
    }

    /// Reads a value as a client writes it: `true` and `false` or 1 and 0, decimal numbers, `<empty>` for an empty
    /// text.
    ///
    /// # Errors
    /// [`OptionError`] when the value is missing or not of the right kind.
    pub fn parse(&self, text: Option<&str>) -> Result<Value, OptionError> {
        let text = text.map(str::trim);
        let required = || text.ok_or(OptionError::Missing { name: self.name });
        let optional = || text.filter(|&text| text != "<empty>").unwrap_or_default();
        Ok(match &self.access {
            Access::Check { .. } => match required()? {
                text if text.eq_ignore_ascii_case("true") || text == "1" => Value::Check(true),
                text if text.eq_ignore_ascii_case("false") || text == "0" => Value::Check(false),
                text => return Err(self.invalid(text, "true or false")),
            },
            Access::Spin { range, .. } => Value::Spin(self.parse_number(required()?, range)?),
            Access::Choice { names, .. } => {
                let text = required()?;
                let name = names.iter().find(|name| name.eq_ignore_ascii_case(text));
                Value::Text((*name.ok_or_else(|| self.not_a_name(text, names))?).to_owned())
            }
            Access::Path(_) => Value::Path(Some(optional()).filter(|path| !path.is_empty()).map(PathBuf::from)),
            Access::Folders(_) => Value::Folders(split_folders(optional())),
            Access::Opponent(_) | Access::ReadOnly(_) => Value::Text(optional().to_owned()),
            Access::Button(_) => Value::Button,
        })
    }

    fn parse_number(&self, text: &str, range: &RangeInclusive<i64>) -> Result<i64, OptionError> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.invalid(text, "a whole number"));
        }
        // What does not fit the type is out of range, too.
        text.parse().map_err(|_| self.out_of_range(text, range))
    }

    /// Sets the option in `config`. A button has no value: see [`OptionRow::button_action`].
    ///
    /// # Errors
    /// [`OptionError`] when the value is out of range or not of the right kind; `config` stays as it was.
    pub fn set(&self, config: &mut Config, value: Value) -> Result<(), OptionError> {
        match (&self.access, value) {
            (Access::Check { set, .. }, Value::Check(on)) => set(config, on),
            (Access::Spin { range, set, .. }, Value::Spin(number)) => {
                if !range.contains(&number) {
                    return Err(self.out_of_range(&number.to_string(), range));
                }
                set(config, number);
            }
            (Access::Choice { names, set, .. }, Value::Text(text)) => {
                let place = names.iter().position(|name| name.eq_ignore_ascii_case(&text));
                set(config, place.ok_or_else(|| self.not_a_name(&text, names))?);
            }
            (Access::Path(field), Value::Path(path)) => {
                if let Some(path) = path.as_ref().filter(|path| path.as_os_str().len() > LONGEST_PATH) {
                    return Err(self.invalid(&path.to_string_lossy(), "a path of at most 4096 bytes"));
                }
                *field(config) = path;
            }
            (Access::Folders(field), Value::Folders(folders)) => {
                let len = |folder: &PathBuf| folder.as_os_str().len();
                let is_long = folders.iter().any(|folder| len(folder) > LONGEST_PATH);
                if is_long || folders.iter().map(len).sum::<usize>() > LONGEST_LIST {
                    let text = Value::Folders(folders).to_string();
                    return Err(self.invalid(&text, "a list of 64 KiB with paths of at most 4096 bytes"));
                }
                *field(config) = folders;
            }
            (Access::Opponent(field), Value::Text(text)) => {
                let expected = "TITLE RATING human|computer NAME";
                *field(config) = text.parse().map_err(|_| self.invalid(&text, expected))?;
            }
            (Access::ReadOnly(_), Value::Text(_)) | (Access::Button(_), Value::Button) => {}
            (_, value) => return Err(self.invalid(&value.to_string(), "a value of this option's kind")),
        }
        Ok(())
    }

    /// What pressing a button does; `None` for other options.
    pub fn button_action(&self) -> Option<fn(&mut Engine)> {
        match self.access {
            Access::Button(press) => Some(press),
            _ => None,
        }
    }

    /// Whether the value is a list of folders.
    pub(crate) fn is_folders(&self) -> bool {
        matches!(self.access, Access::Folders(_))
    }

    /// What setting the option to the value that it has does again.
    pub(crate) fn retry(&self) -> Option<Retry> {
        self.retry
    }

    /// Whether the value is a size in MiB.
    pub(crate) fn is_size(&self) -> bool {
        matches!(self.access, Access::Spin { is_size: true, .. })
    }

    fn invalid(&self, value: &str, expected: &'static str) -> OptionError {
        OptionError::Invalid { name: self.name, value: excerpt(value), expected }
    }

    fn not_a_name(&self, value: &str, names: &[&'static str]) -> OptionError {
        OptionError::Choice { name: self.name, value: excerpt(value), names: names.join(", ") }
    }

    fn out_of_range(&self, value: &str, range: &RangeInclusive<i64>) -> OptionError {
        OptionError::Range { name: self.name, value: excerpt(value), min: *range.start(), max: *range.end() }
    }
}

/// The longest path that an operating system takes, in bytes. Errors quote a path as a whole.
pub(crate) const LONGEST_PATH: usize = 4096;

/// The longest list of folders, in bytes.
const LONGEST_LIST: usize = 16 * LONGEST_PATH;

/// Whether two names mean the same option: case and blanks do not matter, since some clients drop the blanks.
pub(super) fn same_name(a: &str, b: &str) -> bool {
    fn letters(name: &str) -> impl Iterator<Item = char> {
        name.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase())
    }
    letters(a).eq(letters(b))
}

/// A text for a message, cut to fit a line and without control characters, which a terminal would obey.
pub(super) fn excerpt(text: &str) -> String {
    Excerpt::new(text).to_string().replace(char::is_control, " ")
}
