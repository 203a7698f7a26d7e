//! Which tables are present and which are missing.

use crate::Tablebases;
use crate::material::Material;
use std::fmt;

/// The tables for one number of pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inventory {
    /// The number of pieces, kings and pawns included.
    pub men: usize,
    /// The number of tables of a complete set.
    pub complete: usize,
    /// The tables of which the WDL file is missing, by their names, such as `KRPvKR`.
    pub missing_wdl: Vec<String>,
    /// The tables of which the DTZ file is missing.
    pub missing_dtz: Vec<String>,
}

/// The numbers of files, and the first names of those missing from a set.
impl fmt::Display for Inventory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// The number of missing files that are named.
        const NAMED: usize = 5;
        let Self { men, complete, missing_wdl, missing_dtz } = self;
        let (wdl, dtz) = (complete - missing_wdl.len(), complete - missing_dtz.len());
        write!(f, "{men} pieces: {wdl} of {complete} WDL, {dtz} of {complete} DTZ")?;
        for (missing, extension) in [(missing_wdl, "rtbw"), (missing_dtz, "rtbz")] {
            // An empty set needs no list.
            if missing.is_empty() || missing.len() == *complete {
                continue;
            }
            let named: Vec<String> = missing.iter().take(NAMED).map(|name| format!("{name}.{extension}")).collect();
            write!(f, "; missing: {}", named.join(", "))?;
            if missing.len() > NAMED {
                write!(f, " and {} more", missing.len() - NAMED)?;
            }
        }
        Ok(())
    }
}

impl Tablebases {
    /// Which tables are missing, for each number of pieces up to the largest covered.
    ///
    /// ```
    /// use bartizan_tablebase::Tablebases;
    ///
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/syzygy");
    /// let three = &Tablebases::open(folder)?.inventory()[0];
    /// assert_eq!(three.to_string(), "3 pieces: 5 of 5 WDL, 5 of 5 DTZ");
    /// # Ok::<(), bartizan_tablebase::TablebaseError>(())
    /// ```
    pub fn inventory(&self) -> Vec<Inventory> {
        (3..=self.max_pieces()).map(|men| self.inventory_of(men)).collect()
    }

    fn inventory_of(&self, men: usize) -> Inventory {
        let all = Material::all(men);
        let missing = |has: &dyn Fn(Material) -> bool| -> Vec<String> {
            all.iter().filter(|&&material| !has(material)).map(|material| material.name()).collect()
        };
        Inventory {
            men,
            complete: all.len(),
            missing_wdl: missing(&|material| self.has_wdl(material)),
            missing_dtz: missing(&|material| self.has_dtz(material)),
        }
    }
}
