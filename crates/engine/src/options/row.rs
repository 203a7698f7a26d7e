//! One row of the table of options.

use super::error::OptionError;
use super::values::{EvaluationKind, Options};
use bartizan_protocol::OptionKind;
use bartizan_tablebase::split_folders;
use bartizan_types::{Excerpt, Variant};
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
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

/// In the notation of the settings file and the protocols.
impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check(on) => on.fmt(f),
            Self::Spin(number) => number.fmt(f),
            Self::Path(path) => path.iter().try_for_each(|path| path.to_string_lossy().fmt(f)),
            Self::Folders(folders) => {
                let folders: Vec<String> = folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect();
                folders.join(if cfg!(windows) { ";" } else { ":" }).fmt(f)
            }
            Self::Text(text) => text.fmt(f),
            Self::Button => Ok(()),
        }
    }
}

/// A type whose values an option can hold.
pub trait OptionType {
    /// The value of the option.
    fn get(&self) -> OptionValue;

    /// Sets the value, which is in range; returns `false` and leaves the old one if it is not of this type.
    fn set(&mut self, value: OptionValue) -> bool;
}

macro_rules! values {
    ($($(#[$doc:meta])* $type:ty, $kind:ident: |$of:ident| $get:expr, |$to:ident| $set:expr;)*) => {$(
        $(#[$doc])*
        impl OptionType for $type {
            fn get(&self) -> OptionValue {
                let $of = self;
                OptionValue::$kind($get)
            }

            fn set(&mut self, value: OptionValue) -> bool {
                match value {
                    OptionValue::$kind($to) => {
                        *self = $set;
                        true
                    }
                    _ => false,
                }
            }
        }
    )*};
}

values! {
    bool, Check: |on| *on, |on| on;
    /// Off until it is set. Setting it to its current value is then a choice: see
    /// [`BookOptions::enabled`](super::BookOptions::enabled).
    Option<bool>, Check: |on| on.unwrap_or(false), |on| Some(on);
    /// On for Chess960.
    Variant, Check: |variant| *variant == Self::Chess960, |on| Self::from_chess960(on);
    i32, Spin: |number| i64::from(*number), |number| number as i32;
    u32, Spin: |number| i64::from(*number), |number| number as u32;
    usize, Spin: |number| *number as i64, |number| number as usize;
    /// In milliseconds.
    Duration, Spin: |time| time.as_millis() as i64, |number| Self::from_millis(number as u64);
    Option<PathBuf>, Path: |path| path.clone(), |path| path;
    Vec<PathBuf>, Folders: |folders| folders.clone(), |folders| folders;
}

/// By its name.
impl OptionType for EvaluationKind {
    fn get(&self) -> OptionValue {
        OptionValue::Text(self.name().to_owned())
    }

    fn set(&mut self, value: OptionValue) -> bool {
        let named = Self::ALL.into_iter().find(|kind| kind.get() == value);
        *self = named.unwrap_or(*self);
        named.is_some()
    }
}

/// The values that an option accepts.
enum Kind {
    Check,
    Spin {
        range: RangeInclusive<i64>,
        /// Whether settings files may say `"64M"` or `"2G"`.
        is_size: bool,
    },
    Choice(Vec<&'static str>),
    Path,
    Folders,
    /// A text of a form.
    Text {
        expected: &'static str,
    },
    Button(Action),
    ReadOnly,
}

/// Reads the value from a configuration.
type Get<C> = Box<dyn Fn(&mut C) -> OptionValue + Send + Sync>;
/// Writes the value; returns `false` if it has the wrong form for the option.
type Set<C> = Box<dyn Fn(&mut C, OptionValue) -> bool + Send + Sync>;

/// The action of a button: see [`Engine::press`](crate::Engine::press).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// Clears the hash table and everything else that searches have learnt.
    ClearHash,
}

/// What to retry when an option is set to its current value: see [`Engine::retry`](crate::Engine::retry).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Retry {
    /// Requests threads and hash table, if the system provided less than requested.
    Memory,
    /// Opens the opening book, if it could not be read.
    Book,
    /// Opens endgame tables that could not be opened or read.
    Tables,
}

/// One option of a configuration: [`Options`], or a front end's larger one.
pub struct OptionRow<C = Options> {
    name: &'static str,
    key: Option<&'static str>,
    retry: Option<Retry>,
    kind: Kind,
    get: Get<C>,
    set: Set<C>,
}

impl<C> fmt::Debug for OptionRow<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OptionRow").field(&self.name).finish()
    }
}

/// Construction. `field` locates the value in the configuration.
impl<C: 'static> OptionRow<C> {
    fn new<T: OptionType>(
        name: &'static str,
        kind: Kind,
        field: impl for<'a> Fn(&'a mut C) -> &'a mut T + Copy + Send + Sync + 'static,
    ) -> Self {
        let get = Box::new(move |config: &mut C| field(config).get());
        let set = Box::new(move |config: &mut C, value| field(config).set(value));
        Self { name, key: None, retry: None, kind, get, set }
    }

    /// On or off.
    pub fn check<T: OptionType>(
        name: &'static str,
        field: impl for<'a> Fn(&'a mut C) -> &'a mut T + Copy + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Kind::Check, field)
    }

    /// A number in a range.
    pub fn spin<T: OptionType>(
        name: &'static str,
        range: RangeInclusive<T>,
        field: impl for<'a> Fn(&'a mut C) -> &'a mut T + Copy + Send + Sync + 'static,
    ) -> Self {
        let number = |end: &T| match end.get() {
            OptionValue::Spin(number) => number,
            _ => 0,
        };
        let range = number(range.start())..=number(range.end());
        Self::new(name, Kind::Spin { range, is_size: false }, field)
    }

    /// One of several names.
    pub fn choice<T: OptionType>(
        name: &'static str,
        names: impl IntoIterator<Item = &'static str>,
        field: impl for<'a> Fn(&'a mut C) -> &'a mut T + Copy + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Kind::Choice(names.into_iter().collect()), field)
    }

    /// A file, or none.
    pub fn path(
        name: &'static str,
        field: impl for<'a> Fn(&'a mut C) -> &'a mut Option<PathBuf> + Copy + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Kind::Path, field)
    }

    /// Folders.
    pub fn folders(
        name: &'static str,
        field: impl for<'a> Fn(&'a mut C) -> &'a mut Vec<PathBuf> + Copy + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Kind::Folders, field)
    }

    /// A text whose form `expected` describes in errors.
    pub fn text<T: OptionType>(
        name: &'static str,
        expected: &'static str,
        field: impl for<'a> Fn(&'a mut C) -> &'a mut T + Copy + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Kind::Text { expected }, field)
    }

    /// An action, which has no value.
    pub fn button(name: &'static str, action: Action) -> Self {
        Self::computed(name, Kind::Button(action), |_| OptionValue::Button, |_, _| true)
    }

    /// A text that cannot be changed: setting it has no effect.
    pub fn read_only(name: &'static str, text: String) -> Self {
        Self::computed(name, Kind::ReadOnly, move |_| OptionValue::Text(text.clone()), |_, _| true)
    }

    fn computed(
        name: &'static str,
        kind: Kind,
        get: impl Fn(&mut C) -> OptionValue + Send + Sync + 'static,
        set: impl Fn(&mut C, OptionValue) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self { name, key: None, retry: None, kind, get: Box::new(get), set: Box::new(set) }
    }

    /// A flag that is not stored in a separate field.
    #[cfg(feature = "tuning")]
    pub(super) fn flag(
        name: &'static str,
        get: impl Fn(&C) -> bool + Send + Sync + 'static,
        set: impl Fn(&mut C, bool) + Send + Sync + 'static,
    ) -> Self {
        let set = move |config: &mut C, value| {
            set(config, value == OptionValue::Check(true));
            true
        };
        Self::computed(name, Kind::Check, move |config| OptionValue::Check(get(config)), set)
    }

    /// The option's key in a settings file.
    #[must_use]
    pub fn key_is(self, key: &'static str) -> Self {
        Self { key: Some(key), ..self }
    }

    /// A size in MiB, which settings files may write as `"64M"` or `"2G"`.
    pub(super) fn size(mut self) -> Self {
        if let Kind::Spin { is_size, .. } = &mut self.kind {
            *is_size = true;
        }
        self
    }

    pub(super) fn retries(self, retry: Retry) -> Self {
        Self { retry: Some(retry), ..self }
    }

    /// The same option, in a configuration that contains `part`.
    #[must_use]
    pub fn within<D: 'static>(self, part: for<'a> fn(&'a mut D) -> &'a mut C) -> OptionRow<D> {
        let Self { name, key, retry, kind, get, set } = self;
        OptionRow {
            name,
            key,
            retry,
            kind,
            get: Box::new(move |config| get(part(config))),
            set: Box::new(move |config, value| set(part(config), value)),
        }
    }
}

/// Use.
impl<C: Clone> OptionRow<C> {
    /// The name as declared in UCI.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The key in the settings file, with its section: `learning.depth`.
    pub fn key(&self) -> Option<&'static str> {
        self.key
    }

    /// The type of the option, with its value in `config` as the default.
    pub fn kind(&self, config: &C) -> OptionKind {
        let value = (self.get)(&mut config.clone());
        let default = value.to_string();
        match &self.kind {
            Kind::Check => OptionKind::Check { default: value == OptionValue::Check(true) },
            Kind::Spin { range, .. } => {
                let number = if let OptionValue::Spin(number) = value { number } else { *range.start() };
                OptionKind::Spin { default: number, min: *range.start(), max: *range.end() }
            }
            Kind::Choice(names) => {
                OptionKind::Combo { default, vars: names.iter().map(|&name| name.to_owned()).collect() }
            }
            Kind::Path => OptionKind::File { default },
            Kind::Folders | Kind::Text { .. } | Kind::ReadOnly => OptionKind::String { default },
            Kind::Button(_) => OptionKind::Button,
        }
    }

    /// The value in `config`; `None` for a button or a text that cannot be set.
    pub fn value(&self, config: &C) -> Option<OptionValue> {
        let has_value = !matches!(self.kind, Kind::Button(_) | Kind::ReadOnly);
        has_value.then(|| (self.get)(&mut config.clone()))
    }

    /// Parses a value in the client's notation: `true` and `false` or 1 and 0, decimal numbers, `<empty>` for an empty
    /// text.
    ///
    /// # Errors
    /// [`OptionError`] when the value is missing or has the wrong type.
    pub fn parse(&self, text: Option<&str>) -> Result<OptionValue, OptionError> {
        let text = text.map(str::trim);
        let required = || text.ok_or(OptionError::Missing { name: self.name });
        let optional = || text.filter(|&text| text != "<empty>").unwrap_or_default();
        Ok(match &self.kind {
            Kind::Check => match required()? {
                text if text.eq_ignore_ascii_case("true") || text == "1" => OptionValue::Check(true),
                text if text.eq_ignore_ascii_case("false") || text == "0" => OptionValue::Check(false),
                text => return Err(self.invalid(text, "true or false")),
            },
            Kind::Spin { range, .. } => OptionValue::Spin(self.parse_number(required()?, range)?),
            Kind::Choice(names) => OptionValue::Text(self.choose(required()?, names)?.to_owned()),
            Kind::Path => OptionValue::Path(Some(optional()).filter(|path| !path.is_empty()).map(PathBuf::from)),
            Kind::Folders => OptionValue::Folders(split_folders(optional())),
            Kind::Text { .. } | Kind::ReadOnly => OptionValue::Text(optional().to_owned()),
            Kind::Button(_) => OptionValue::Button,
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

    /// The choice that a text denotes.
    fn choose(&self, text: &str, names: &[&'static str]) -> Result<&'static str, OptionError> {
        let name = names.iter().find(|name| name.eq_ignore_ascii_case(text)).copied();
        name.ok_or_else(|| OptionError::Choice { name: self.name, value: excerpt(text), names: names.join(", ") })
    }

    /// Sets the option in `config`. A button has no value: see [`OptionRow::button_action`].
    ///
    /// # Errors
    /// [`OptionError`] when the value is out of range or has the wrong type; `config` is unchanged.
    pub fn set(&self, config: &mut C, mut value: OptionValue) -> Result<(), OptionError> {
        let mut expected = "a value of this option's kind";
        match (&self.kind, &mut value) {
            (Kind::Spin { range, .. }, OptionValue::Spin(number)) if !range.contains(number) => {
                return Err(self.out_of_range(&number.to_string(), range));
            }
            (Kind::Choice(names), OptionValue::Text(text)) => *text = self.choose(text, names)?.to_owned(),
            (Kind::Path, OptionValue::Path(Some(path))) if path.as_os_str().len() > LONGEST_PATH => {
                return Err(self.invalid(&path.to_string_lossy(), "a path of at most 4096 bytes"));
            }
            (Kind::Folders, OptionValue::Folders(folders)) => {
                let len = |folder: &PathBuf| folder.as_os_str().len();
                let is_long = folders.iter().any(|folder| len(folder) > LONGEST_PATH);
                if is_long || folders.iter().map(len).sum::<usize>() > LONGEST_LIST {
                    let expected = "a list of 64 KiB with paths of at most 4096 bytes";
                    return Err(self.invalid(&value.to_string(), expected));
                }
            }
            (Kind::Text { expected: form }, OptionValue::Text(_)) => expected = form,
            (Kind::ReadOnly, OptionValue::Text(_)) | (Kind::Button(_), OptionValue::Button) => return Ok(()),
            (Kind::ReadOnly | Kind::Button(_), _) => return Err(self.invalid(&value.to_string(), expected)),
            // The field only accepts values of its type.
            _ => {}
        }
        let text = value.to_string();
        if (self.set)(config, value) { Ok(()) } else { Err(self.invalid(&text, expected)) }
    }

    /// The action of a button; `None` for other options.
    pub fn button_action(&self) -> Option<Action> {
        match self.kind {
            Kind::Button(action) => Some(action),
            _ => None,
        }
    }

    /// What to retry when the option is set to its current value.
    pub fn retry(&self) -> Option<Retry> {
        self.retry
    }

    /// Whether the value is a list of folders.
    pub fn is_folders(&self) -> bool {
        matches!(self.kind, Kind::Folders)
    }

    /// Whether the value is a size in MiB.
    pub fn is_size(&self) -> bool {
        matches!(self.kind, Kind::Spin { is_size: true, .. })
    }

    fn invalid(&self, value: &str, expected: &'static str) -> OptionError {
        OptionError::Invalid { name: self.name, value: excerpt(value), expected }
    }

    fn out_of_range(&self, value: &str, range: &RangeInclusive<i64>) -> OptionError {
        OptionError::Range { name: self.name, value: excerpt(value), min: *range.start(), max: *range.end() }
    }
}

/// The maximum length of a path in an operating system, in bytes. Errors quote a path in full.
pub const LONGEST_PATH: usize = 4096;

/// The maximum length of a list of folders, in bytes.
const LONGEST_LIST: usize = 16 * LONGEST_PATH;

/// A text for a message, truncated to a line and escaped.
pub(super) fn excerpt(text: &str) -> String {
    Excerpt::new(text).to_string()
}
