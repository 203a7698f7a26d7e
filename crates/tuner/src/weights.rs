//! Files of weights: whole centipawns, term by term, so that a file outlives changes of the evaluation.
//!
//! ```json
//! {
//!   "terms": [
//!     {"name": "material", "values": [[88,112],[330,300]]},
//!     {"name": "tempo", "values": [[12,12]]}
//!   ]
//! }
//! ```

use crate::model::{Layout, Pair};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt::Write as _;

/// The weights of a term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermWeights {
    /// Its name.
    pub name: String,
    /// Middlegame and endgame halves, in centipawns.
    pub values: Vec<(i16, i16)>,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// The terms.
    pub terms: Vec<TermWeights>,
}

/// What is wrong with a file of weights.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// It is no JSON, or not of this form.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A term is there twice.
    #[error("the term '{0}' is there twice")]
    Twice(String),
    /// A term has another number of weights than in the evaluation.
    #[error("the term '{name}' has {found} weights; the evaluation has {expected}")]
    Length {
        /// The term.
        name: String,
        /// In the file.
        found: usize,
        /// In the evaluation.
        expected: usize,
    },
}

/// The names in which a file and an evaluation differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Terms of the evaluation that the file lacks: they keep their weights.
    pub missing: Vec<String>,
    /// Terms of the file that the evaluation lacks: they are ignored.
    pub unknown: Vec<String>,
}

impl Weights {
    /// Rounds weights; what lies beyond an `i16` becomes the nearest one.
    ///
    /// # Panics
    /// When there are fewer weights than in the layout.
    pub fn round(layout: &Layout, weights: &[Pair]) -> Self {
        let rounded = |&[mg, eg]: &Pair| (mg.round() as i16, eg.round() as i16);
        let terms = layout.terms.iter().map(|term| TermWeights {
            name: term.name.clone(),
            values: weights[term.offset..term.offset + term.len].iter().map(rounded).collect(),
        });
        Self { terms: terms.collect() }
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// [`WeightsError`], with line and column where the text is wrong.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let weights: Self = serde_json::from_str(text)?;
        let mut names = std::collections::HashSet::new();
        match weights.terms.iter().find(|term| !names.insert(&term.name)) {
            Some(twice) => Err(WeightsError::Twice(twice.name.clone())),
            None => Ok(weights),
        }
    }

    /// The text of a file, one term a line.
    pub fn to_json(&self) -> String {
        let mut text = String::from("{\n  \"terms\": [");
        for (index, term) in self.terms.iter().enumerate() {
            let separator = if index == 0 { "" } else { "," };
            // Names and numbers cannot fail to be written.
            let name = serde_json::to_string(&term.name).unwrap_or_default();
            let values = serde_json::to_string(&term.values).unwrap_or_default();
            let _ = write!(text, "{separator}\n    {{\"name\": {name}, \"values\": {values}}}");
        }
        text.push_str("\n  ]\n}\n");
        text
    }

    /// Replaces the weights of all terms that the file has.
    ///
    /// # Errors
    /// [`WeightsError::Length`]; nothing is changed then.
    pub fn apply(&self, layout: &Layout, weights: &mut [Pair]) -> Result<Differences, WeightsError> {
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

    /// All values, term after term.
    pub fn flat(&self) -> Vec<(i16, i16)> {
        self.terms.iter().flat_map(|term| term.values.iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Term, TermKind};
    use crate::safety::SafetyForm;

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
        let weights = Weights::round(&layout, &[[88.4, 112.0], [-330.6, 1e9], [11.5, -0.4]]);
        assert_eq!(weights.flat(), [(88, 112), (-331, i16::MAX), (12, 0)]);
        let text = weights.to_json();
        assert_eq!(Weights::parse(&text).unwrap(), weights);
        assert_eq!(text.lines().count(), 6, "{text}");
        let mut read = [[0.0; 2]; 3];
        assert_eq!(weights.apply(&layout, &mut read).unwrap(), Differences::default());
        assert_eq!(read[1], [-331.0, 32767.0]);
    }

    #[test]
    fn files_of_other_versions_are_used_as_far_as_they_go() {
        let old =
            Weights::parse(r#"{"terms": [{"name": "tempo", "values": [[5,6]]}, {"name": "gone", "values": []}]}"#);
        let mut weights = [[1.0; 2]; 3];
        let differences = old.unwrap().apply(&layout(&[("material", 2), ("tempo", 1)]), &mut weights).unwrap();
        assert_eq!(differences, Differences { missing: vec!["material".into()], unknown: vec!["gone".into()] });
        assert_eq!(weights, [[1.0; 2], [1.0; 2], [5.0, 6.0]]);
    }

    #[test]
    fn broken_files_are_named() {
        let error = |text: &str| Weights::parse(text).unwrap_err().to_string();
        assert!(error("{\n  \"terms\": [\n  3]}").contains("line 3 column 3"), "{}", error("{\n  \"terms\": [\n  3]}"));
        assert!(error(r#"{"terms": [{"name": "a", "values": [[1,40000]]}]}"#).contains("40000"));
        let twice = r#"{"terms": [{"name": "a", "values": []}, {"name": "a", "values": []}]}"#;
        assert_eq!(error(twice), "the term 'a' is there twice");
        let weights = Weights::parse(r#"{"terms": [{"name": "a", "values": [[1,2]]}]}"#).unwrap();
        let error = weights.apply(&layout(&[("a", 2)]), &mut [[0.0; 2]; 2]).unwrap_err();
        assert_eq!(error.to_string(), "the term 'a' has 1 weights; the evaluation has 2");
    }
}
