//! The script of pages: the modules of `web/report` in one, because a page opened from a file can import nothing.

use sha2::{Digest, Sha256};

/// The names and the source of the modules, each after those that it imports.
const MODULES: [(&str, &str); 10] = [
    ("dom", include_str!("../../../../web/report/dom.js")),
    ("rules", include_str!("../../../../web/report/rules.js")),
    ("text", include_str!("../../../../web/report/text.js")),
    ("board", include_str!("../../../../web/report/board.js")),
    ("copy", include_str!("../../../../web/report/copy.js")),
    ("graph", include_str!("../../../../web/report/graph.js")),
    ("viewer", include_str!("../../../../web/report/viewer.js")),
    ("quiz", include_str!("../../../../web/report/quiz.js")),
    ("trainer", include_str!("../../../../web/report/trainer.js")),
    ("report", include_str!("../../../../web/report/report.js")),
];

/// A module as a constant, `$name`, that holds what it exports, so that names in different modules do not meet.
///
/// It may import by `import { a, b } from "./name.js";` and export functions and constants where they are declared.
fn wrap(name: &str, source: &str) -> String {
    let mut body = String::new();
    let mut exports = Vec::new();
    let mut import: Option<String> = None;
    for line in source.lines() {
        if line.starts_with("import ") || import.is_some() {
            let mut statement = import.take().unwrap_or_default();
            statement.push_str(line);
            let Some((names, module)) = statement.split_once(" from \"./") else {
                import = Some(statement);
                continue;
            };
            let names = names.trim_start_matches("import ");
            let module = module.trim_end_matches(".js\";");
            body.push_str(&format!("const {names} = ${module};\n"));
            continue;
        }
        let declaration = line.strip_prefix("export ");
        if let Some((_, rest)) = declaration.and_then(|rest| rest.trim_start_matches("async ").split_once(' ')) {
            let end = rest.find(|char: char| !char.is_alphanumeric() && char != '_').unwrap_or(rest.len());
            exports.push(rest[..end].to_owned());
        }
        body.push_str(declaration.unwrap_or(line));
        body.push('\n');
    }
    format!("const ${name} = (() => {{\n{body}return {{ {} }};\n}})();\n", exports.join(", "))
}

/// The whole script, to be put into an element of type `module`.
pub(super) fn bundle() -> String {
    MODULES.iter().map(|(name, source)| wrap(name, source)).collect()
}

/// The SHA-256 hash of a text in base 64, as a content security policy names a script.
pub(super) fn hash(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut written = String::new();
    for bytes in Sha256::digest(text.as_bytes()).chunks(3) {
        let group = bytes.iter().fold(0, |group: u32, &byte| (group << 8) | u32::from(byte)) << (8 * (3 - bytes.len()));
        for index in 0..4 {
            let digit = DIGITS[(group >> (18 - 6 * index)) as usize & 63];
            written.push(if index <= bytes.len() { char::from(digit) } else { '=' });
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_becomes_a_constant() {
        let source = "// Says hello.\nimport {\n  a, b,\n} from \"./base.js\";\n\nexport const X = 1;\nconst y = 2;\n\
                      export async function f(x) {\n  return a + y;\n}\n";
        let expected = "const $m = (() => {\n// Says hello.\nconst {  a, b,} = $base;\n\nconst X = 1;\nconst y = 2;\n\
                        async function f(x) {\n  return a + y;\n}\nreturn { X, f };\n})();\n";
        assert_eq!(wrap("m", source), expected);
    }

    #[test]
    fn modules_follow_those_that_they_import() {
        let script = bundle();
        for (index, (name, source)) in MODULES.iter().enumerate() {
            let imports: Vec<&str> =
                source.split(" from \"./").skip(1).map(|rest| rest.split_once(".js\";").unwrap().0).collect();
            for import in imports {
                assert!(MODULES[..index].iter().any(|(earlier, _)| *earlier == import), "{name} imports {import}");
            }
            assert!(!source.contains("export default") && !source.contains("export {"), "{name}");
        }
        assert!(!script.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")), "{script}");
        assert!(!script.contains("</") && !script.contains("<!--"), "the script must not end its element");
        assert!(!script.contains('\r'));
    }

    #[test]
    fn hashes_are_those_of_other_programs() {
        // printf abc | openssl dgst -sha256 -binary | base64
        assert_eq!(hash("abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    }
}
