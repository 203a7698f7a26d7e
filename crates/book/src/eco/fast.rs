//! The tables of openings that the build script makes.

use super::Opening;

include!(concat!(env!("OUT_DIR"), "/openings.rs"));

pub(super) fn openings() -> &'static [Opening] {
    &OPENINGS
}

pub(super) fn find(key: u64) -> Option<&'static Opening> {
    // Few keys share their first bits.
    let bucket = usize::try_from(key >> BUCKET_SHIFT).ok()?;
    let range = usize::from(BUCKETS[bucket])..usize::from(BUCKETS[bucket + 1]);
    let (_, index) = KEYS[range].iter().find(|&&(known, _)| known == key)?;
    OPENINGS.get(usize::from(*index))
}
