//! Makes the JavaScript glue of a WebAssembly module: `bartizan-bindgen MODULE.wasm FOLDER NAME`.

use anyhow::{Result, bail};
use std::fs;
use std::path::Path;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder, name] = args.as_slice() else { bail!("usage: bartizan-bindgen MODULE.wasm FOLDER NAME") };
    // The glue of a bundler exports the functions that the module imports: the package instantiates the module itself.
    let mut bindgen = Bindgen::new();
    bindgen.bundler(true)?.input_path(module).out_name(name).typescript(false).generate(folder)?;
    // Its types are those of its comments.
    let glue = Path::new(folder).join(format!("{name}_bg.js"));
    let text = fs::read_to_string(&glue)?;
    fs::write(&glue, format!("// @ts-nocheck\n{text}"))?;
    // The package loads the module by itself.
    fs::remove_file(Path::new(folder).join(format!("{name}.js")))?;
    Ok(())
}
