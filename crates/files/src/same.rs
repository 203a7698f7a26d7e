//! Whether two paths name one file.

use std::path::Path;

/// Whether both paths lead to one file, over links too. Programs that read one and replace the other would lose it. A
/// path that leads nowhere is the same as no other.
pub fn is_same(one: impl AsRef<Path>, other: impl AsRef<Path>) -> bool {
    let (one, other) = (one.as_ref().canonicalize(), other.as_ref().canonicalize());
    one.is_ok_and(|one| other.is_ok_and(|other| one == other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_has_many_names() {
        let folder = tempfile::tempdir().unwrap();
        let [file, other] = ["file", "other"].map(|name| folder.path().join(name));
        assert!(!is_same(&file, &file));
        fs::write(&file, "").unwrap();
        fs::write(&other, "").unwrap();
        assert!(is_same(&file, folder.path().join(".").join("file")));
        assert!(!is_same(&file, &other));
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink(&file, &link).unwrap();
            assert!(is_same(link, file));
        }
    }
}
