//! Serialisation with serde of glyphs, as a list.

use super::{Nag, Nags};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Nags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// Drops the glyphs beyond [`Nags::MAX`].
impl<'de> Deserialize<'de> for Nags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Nag>::deserialize(deserializer)?.into_iter().collect())
    }
}
