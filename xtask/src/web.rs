//! `cargo xtask web`: builds the npm package of `web`, and the board, which is a page over it.
//!
//! Cargo compiles the modules for `wasm32-unknown-unknown`, wasm-bindgen makes their glue, Binaryen makes them smaller,
//! TypeScript checks the scripts and writes their declarations. Vite builds the board, as a folder for a server and as
//! one file. If the toolchain lacks the target, Debian's own compiler builds the standard library for it (packages
//! `rustc-web`, `cargo-web`, `rust-web-src`, `lld-19`).

use crate::dist::{Shipped, standard_library, third_party};
use crate::error::{Error, Result};
use crate::{files, run};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The target of the modules.
const TARGET: &str = "wasm32-unknown-unknown";

/// The flags of web/.cargo/config.toml, which Debian's compiler needs on the command line.
const FLAGS: &str = "-Clink-arg=-zstack-size=8388608";

/// The vector instructions, for modules that need them.
const SIMD: &str = "-Ctarget-feature=+simd128";

/// What the compiler uses beyond the first version of WebAssembly.
const WASM_FEATURES: [&str; 8] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// How Binaryen makes a module smaller. Data that is packed compresses less well.
const SMALLER: [&str; 4] = ["-Oz", "--skip-pass=memory-packing", "--strip-debug", "--strip-producers"];

/// The board as one file.
const ONE_FILE: &str = "bartizan.html";

/// The compiler's settings for tests.
const QUICK: [(&str, &str); 3] = [
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
];

/// The npm package and the board.
#[derive(Debug, clap::Args)]
pub(crate) struct Web {
    /// Also write the package as npm publishes it, and the board as one file, to this folder
    #[arg(long, value_name = "FOLDER")]
    pack: Option<PathBuf>,
    /// Compile in half the time, for tests: modules that are larger and slower
    #[arg(long, conflicts_with = "pack")]
    quick: bool,
}

/// A module of the package.
struct Module {
    name: &'static str,
    /// Arguments of cargo.
    args: &'static [&'static str],
    /// The optimisation level of its crates, if it is not that of the workspace.
    level: Option<&'static str>,
    has_simd: bool,
}

const MODULES: [Module; 3] = [
    Module { name: "engine", args: &[], level: None, has_simd: true },
    // It is loaded with the page, and no search waits for it.
    Module { name: "rules", args: &["--no-default-features"], level: Some("s"), has_simd: false },
    // For browsers without vector instructions, such as Safari before 16.4. Its glue is that of the engine.
    Module { name: PLAIN, args: &[], level: None, has_simd: false },
];

const PLAIN: &str = "engine-plain";

/// Builds the package. Calls `report` with each step. Returns the sizes.
pub(crate) fn run(options: &Web, report: impl Fn(&str)) -> Result<String> {
    let web = files::root().join("web");
    let compiler = Compiler::find()?;
    let dist = web.join("dist");
    // What an earlier build has left would be taken for part of this one.
    for folder in [&dist, &web.join("types")] {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(Error::io(folder))?;
        }
    }
    fs::create_dir_all(&dist).map_err(Error::io(&dist))?;
    report("installing npm packages");
    npm(&web, &["ci", "--no-fund", "--no-audit", "--loglevel=error"])?;
    report("compiling the generator of the glue");
    let package = ["--manifest-path", run::WEB, "-p", "bartizan-bindgen"];
    run::cargo(&run::args(&[&["build", "--quiet", "--profile", "generator"][..], &package].concat()))?;
    let target = run::target_folder(run::WEB)?;
    let bindgen = target.join("generator").join(format!("bartizan-bindgen{}", std::env::consts::EXE_SUFFIX));
    let mut sizes = String::new();
    for module in MODULES.iter().filter(|module| !options.quick || module.name != PLAIN) {
        report(&format!("compiling the module {}", module.name));
        compiler.compile(&web, module, options.quick)?;
        let compiled = target.join(TARGET).join("release/bartizan_wasm.wasm");
        let glue = Command::new(&bindgen).arg(&compiled).arg(&dist).arg(module.name).status();
        succeeded("bartizan-bindgen", glue)?;
        if module.name == PLAIN {
            same_glue(&dist)?;
        }
        let [large, small] = ["_bg.wasm", ".wasm"].map(|end| dist.join(format!("{}{end}", module.name)));
        if options.quick {
            fs::rename(&large, &small).map_err(Error::io(&small))?;
        } else {
            report(&format!("making the module {} smaller", module.name));
            let mut optimise = Command::new(web.join("node_modules/.bin/wasm-opt"));
            optimise.args(SMALLER).args(WASM_FEATURES).arg(&large).arg("-o").arg(&small);
            succeeded("wasm-opt", optimise.status())?;
            fs::remove_file(&large).map_err(Error::io(&large))?;
        }
        let bytes = fs::read(&small).map_err(Error::io(&small))?;
        let (size, zipped) = (kilobytes(bytes.len()), kilobytes(gzipped(&bytes)));
        sizes += &format!("{}: {size} kB, {zipped} kB gzipped\n", module.name);
    }
    if options.quick {
        // Every module is named by the package's sources, which bundlers follow.
        let [engine, plain] = ["engine", PLAIN].map(|name| dist.join(format!("{name}.wasm")));
        fs::copy(&engine, &plain).map_err(Error::io(&plain))?;
    }
    let book = dist.join("book.bin");
    let built_in = files::root().join("crates/book/built-in.bin");
    fs::copy(&built_in, &book).map_err(Error::io(&book))?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let copy = web.join(licence);
        fs::copy(files::root().join(licence), &copy).map_err(Error::io(&copy))?;
    }
    let notices = third_party(&Shipped {
        manifest: run::WEB,
        packages: &["bartizan-wasm"],
        features: &[],
        target: TARGET,
        what: "The modules of this package contain",
        standard_library: "rust-standard-library.html",
    })?;
    files::replace(&web.join("NOTICES.txt"), &notices)?;
    if let Ok(text) = standard_library() {
        let path = web.join("rust-standard-library.html");
        fs::write(&path, text).map_err(Error::io(&path))?;
    }
    report("checking the types");
    succeeded("tsc", Command::new(web.join("node_modules/.bin/tsc")).arg("-p").arg(&web).status())?;
    let types = web.join("types/src/review.d.ts");
    fs::copy(web.join("src/review.d.ts"), &types).map_err(Error::io(&types))?;
    let board = web.join("board");
    report("building the board");
    npm(&board, &["ci", "--no-fund", "--no-audit", "--loglevel=error"])?;
    succeeded("tsc", node(&board, "tsc").arg("--noEmit").status())?;
    let mut vite = node(&board, "vite");
    succeeded("vite", vite.args(["build", "--logLevel", "warn"]).status())?;
    let mut vite = node(&board, "vite");
    succeeded("vite", vite.args(["build", "--logLevel", "warn", "--mode", "onefile"]).status())?;
    let one_file = board.join("dist-onefile").join(ONE_FILE);
    let size = fs::metadata(&one_file).map_err(Error::io(&one_file))?.len();
    sizes += &format!("{ONE_FILE}: {} kB\n", size.div_ceil(1000));
    if let Some(folder) = &options.pack {
        let folder = std::path::absolute(folder).map_err(Error::io(folder))?;
        fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        npm(&web, &["pack", "--silent", "--pack-destination", &folder.display().to_string()])?;
        let copy = folder.join(ONE_FILE);
        fs::copy(&one_file, &copy).map_err(Error::io(&copy))?;
    }
    Ok(sizes.trim_end().to_owned())
}

/// What compiles for the target.
enum Compiler {
    /// This toolchain.
    Own,
    /// Debian's compiler, which builds the standard library first.
    Debian,
}

impl Compiler {
    fn find() -> Result<Self> {
        let library = run::output("rustc", &["--print", "target-libdir", "--target", TARGET])?;
        if Path::new(&library).is_dir() {
            return Ok(Self::Own);
        }
        let is_there = |path: &str| Path::new(path).exists();
        if is_there("/usr/bin/cargo") && is_there("/usr/bin/rustc") && is_there("/usr/bin/wasm-ld-19") {
            return Ok(Self::Debian);
        }
        let how = "install it with `rustup target add wasm32-unknown-unknown`, or Debian's packages rustc-web, \
                   cargo-web, rust-web-src and lld-19";
        Err(Error::Skipped(format!("there is no compiler for {TARGET}: {how}")))
    }

    fn compile(&self, web: &Path, module: &Module, quick: bool) -> Result<()> {
        let mut command = match self {
            Self::Own => Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())),
            Self::Debian => {
                let mut command = Command::new("/usr/bin/cargo");
                command.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1");
                command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld-19");
                command
            }
        };
        let linker = if let Self::Debian = self { "-Clinker-flavor=wasm-ld " } else { "" };
        let simd = if module.has_simd { SIMD } else { "" };
        command.env("RUSTFLAGS", format!("{linker}{FLAGS} {simd}"));
        command.current_dir(web).stdin(Stdio::null());
        for (name, value) in QUICK {
            if quick {
                command.env(name, value)
            } else {
                command.env_remove(name)
            };
        }
        if let (Some(level), false) = (module.level, quick) {
            command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level);
        }
        command.args(["build", "--release", "--quiet", "--locked", "-p", "bartizan-wasm", "--target", TARGET]);
        command.args(module.args);
        if let Self::Debian = self {
            command.arg("-Zbuild-std=std,panic_abort");
        }
        succeeded("cargo build", command.status())
    }
}

/// A program of a folder's npm packages, to run there.
fn node(folder: &Path, program: &str) -> Command {
    let mut command = Command::new(folder.join("node_modules/.bin").join(program));
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// Removes the glue of the plain module, which must be that of the engine.
fn same_glue(dist: &Path) -> Result<()> {
    let [engine, plain] = ["engine", PLAIN].map(|name| dist.join(format!("{name}_bg.js")));
    let text = |path: &Path| fs::read(path).map_err(Error::io(path));
    if text(&engine)? != text(&plain)? {
        return Err(Error::Check(format!("the glue of the module {PLAIN} is not that of the engine")));
    }
    fs::remove_file(&plain).map_err(Error::io(&plain))
}

fn npm(folder: &Path, args: &[&str]) -> Result<()> {
    let status = Command::new("npm").args(args).current_dir(folder).stdin(Stdio::null()).status();
    match status {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(Error::Skipped("npm is not installed".to_owned()))
        }
        status => succeeded("npm", status),
    }
}

fn succeeded(command: &str, status: std::io::Result<std::process::ExitStatus>) -> Result<()> {
    let status = status.map_err(|source| Error::Start { command: command.to_owned(), source })?;
    if status.success() { Ok(()) } else { Err(Error::Failed { command: command.to_owned(), status }) }
}

/// Kilobytes of a thousand bytes, rounded.
fn kilobytes(bytes: usize) -> usize {
    (bytes + 500) / 1000
}

fn gzipped(bytes: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_or(0, |zipped| zipped.len())
}
