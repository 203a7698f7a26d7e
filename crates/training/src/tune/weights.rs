//! Files of weights, in whole centipawns. Terms have names, so that a file stays usable when the evaluation changes.
//!
//! ```json
//! {
//!   "terms": [
//!     {"name": "material", "values": [[88,112],[330,300]]},
//!     {"name": "tempo", "values": [[12,12]]}
//!   ]
//! }
//! ```

use crate::tune::model::{Layout, WeightPair};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt::Write as _;

/// The weights of a term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermWeights {
    /// Name of the term.
    pub name: String,
    /// Middlegame and endgame halves of each weight, in centipawns.
    pub values: Vec<(i16, i16)>,
}

/// The content of a file of weights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightsFile {
    /// The terms.
    pub terms: Vec<TermWeights>,
}

/// A file of weights is invalid.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The file is not JSON, or not of this form.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// Two terms have the same name.
    #[error("duplicate term '{0}'")]
    Duplicate(String),
    /// A term does not have the number of weights that the evaluation expects.
    #[error("term '{name}' has {found} weights, expected {expected}")]
    Length {
        /// Name of the term.
        name: String,
        /// Number of weights in the file.
        found: usize,
        /// Number of weights in the evaluation.
        expected: usize,
    },
}

/// The terms in which a file and an evaluation differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Terms of the evaluation that the file lacks. They keep their weights.
    pub missing: Vec<String>,
    /// Terms of the file that the evaluation lacks. They are ignored.
    pub unknown: Vec<String>,
}

impl WeightsFile {
    /// Rounds weights to whole centipawns and clamps them to the range of `i16`.
    ///
    /// # Panics
    /// If there are fewer weights than in the layout.
    pub fn round(layout: &Layout, weights: &[WeightPair]) -> Self {
        let rounded = |&[mg, eg]: &WeightPair| (mg.round() as i16, eg.round() as i16);
        let terms = layout.terms.iter().map(|term| TermWeights {
            name: term.name.clone(),
            values: weights[term.offset..term.offset + term.len].iter().map(rounded).collect(),
        });
        Self { terms: terms.collect() }
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    /// [`WeightsError::Json`], which names line and column, or [`WeightsError::Duplicate`].
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let weights: Self = serde_json::from_str(text)?;
        let mut names = std::collections::HashSet::new();
        match weights.terms.iter().find(|term| !names.insert(&term.name)) {
            Some(term) => Err(WeightsError::Duplicate(term.name.clone())),
            None => Ok(weights),
        }
    }

    /// The text of a file, one term per line.
    pub fn to_json(&self) -> String {
        let mut text = String::from("{\n  \"terms\": [");
        for (index, term) in self.terms.iter().enumerate() {
            let separator = if index == 0 { "" } else { "," };
            // Strings and integers always serialise.
            let name = serde_json::to_string(&term.name).unwrap_or_default();
            let values = serde_json::to_string(&term.values).unwrap_or_default();
            let _ = write!(text, "{separator}\n    {{\"name\": {name}, \"values\": {values}}}");
        }
        text.push_str("\n  ]\n}\n");
        text
    }

    /// Replaces the weights of all terms in the file.
    ///
    /// # Errors
    /// [`WeightsError::Length`]; then no weight is changed.
    pub fn apply(&self, layout: &Layout, weights: &mut [WeightPair]) -> Result<Differences, WeightsError> {
        let by_name: HashMap<&str, &TermWeights> = self.terms.iter().map(|term| (term.name.as_str(), term)).collect();
        let found = |name: &str| by_name.get(name).copied();
        for term in &layout.terms {
            if let Some(values) = found(&term.name).map(|found| found.values.len()).filter(|&len| len != term.len) {
                return Err(WeightsError::Length { name: term.name.clone(), found: values, expected: term.len });
            }
        }
        let mut differences = Differences::default();
        for term in &layout.terms {
            match found(&term.name) {
                Some(found) => {
                    for (weight, &(mg, eg)) in weights[term.offset..].iter_mut().zip(&found.values) {
                        *weight = [f64::from(mg), f64::from(eg)];
                    }
                }
                None => differences.missing.push(term.name.clone()),
            }
        }
        let unknown = self.terms.iter().filter(|term| layout.term(&term.name).is_none());
        differences.unknown = unknown.map(|term| term.name.clone()).collect();
        Ok(differences)
    }

    /// All values, term by term.
    pub fn flat(&self) -> Vec<(i16, i16)> {
        self.terms.iter().flat_map(|term| term.values.iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::model::{SafetyForm, Term, TermKind};

    fn layout(terms: &[(&str, usize)]) -> Layout {
        let mut offset = 0;
        let terms = terms.iter().map(|&(name, len)| {
            offset += len;
            Term { name: name.to_owned(), offset: offset - len, len, kind: TermKind::Linear }
        });
        Layout { terms: terms.collect(), safety: SafetyForm::default() }
    }

    #[test]
    fn files_round_trip() {
        let layout = layout(&[("material", 2), ("tempo", 1)]);
        let weights = WeightsFile::round(&layout, &[[88.4, 112.0], [-330.6, 1e9], [11.5, -0.4]]);
        assert_eq!(weights.flat(), [(88, 112), (-331, i16::MAX), (12, 0)]);
        let text = weights.to_json();
        assert_eq!(WeightsFile::parse(&text).unwrap(), weights);
        assert_eq!(text.lines().count(), 6, "{text}");
        let mut read = [[0.0; 2]; 3];
        assert_eq!(weights.apply(&layout, &mut read).unwrap(), Differences::default());
        assert_eq!(read[1], [-331.0, 32767.0]);
    }

    #[test]
    fn files_of_other_versions_are_applied_where_terms_match() {
        let old =
            WeightsFile::parse(r#"{"terms": [{"name": "tempo", "values": [[5,6]]}, {"name": "gone", "values": []}]}"#);
        let mut weights = [[1.0; 2]; 3];
        let differences = old.unwrap().apply(&layout(&[("material", 2), ("tempo", 1)]), &mut weights).unwrap();
        assert_eq!(differences, Differences { missing: vec!["material".into()], unknown: vec!["gone".into()] });
        assert_eq!(weights, [[1.0; 2], [1.0; 2], [5.0, 6.0]]);
    }

    #[test]
    fn invalid_files_are_reported() {
        let error = |text: &str| WeightsFile::parse(text).unwrap_err().to_string();
        assert!(error("{\n  \"terms\": [\n  3]}").contains("line 3 column 3"), "{}", error("{\n  \"terms\": [\n  3]}"));
        assert!(error(r#"{"terms": [{"name": "a", "values": [[1,40000]]}]}"#).contains("40000"));
        let twice = r#"{"terms": [{"name": "a", "values": []}, {"name": "a", "values": []}]}"#;
        assert_eq!(error(twice), "duplicate term 'a'");
        let weights = WeightsFile::parse(r#"{"terms": [{"name": "a", "values": [[1,2]]}]}"#).unwrap();
        let error = weights.apply(&layout(&[("a", 2)]), &mut [[0.0; 2]; 2]).unwrap_err();
        assert_eq!(error.to_string(), "term 'a' has 1 weights, expected 2");
    }
}
