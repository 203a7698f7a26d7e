//! Learning file and game log survive killing the engine at any moment.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

use bartizan_frontend::GameLog;
use bartizan_frontend::learning::LearningFile;
use bartizan_notation::pgn::PgnReader;
use bartizan_types::{SplitMix64, Variant};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How often the engine is killed; `BARTIZAN_KILLS=200` runs the full test.
fn kills() -> usize {
    std::env::var("BARTIZAN_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(15)
}

struct Engine {
    child: Child,
    stdin: ChildStdin,
    /// Each `move` and its time.
    moves: Receiver<String>,
}

fn start(folder: &Path) -> Engine {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bartizan-xboard"))
        .env("HOME", folder)
        .env("XDG_CONFIG_HOME", folder)
        .env("APPDATA", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let (sender, moves) = channel();
    std::thread::spawn(move || {
        for line in stdout.lines().map_while(Result::ok) {
            if let Some(mv) = line.strip_prefix("move ") {
                let _ = sender.send(mv.to_owned());
            } else if line.contains(" {") {
                let _ = sender.send("over".to_owned());
            }
        }
    });
    let mut stdin = child.stdin.take().unwrap();
    let options = format!(
        "xboard\nprotover 2\noption Game Log={0}/games.pgn\noption Learning File={0}/learning.epd\noption Learning=1\n\
         option Learning Depth=1\noption Learning Threshold=1\neasy\nst 100\nsd 3\nnew\nsd 3\n",
        folder.display()
    );
    stdin.write_all(options.as_bytes()).unwrap();
    Engine { child, stdin, moves }
}

/// Lets the engine play against itself, with `go` after each of its moves, and kills it after a while. Returns the
/// moves that it printed in the last game, and the number of games before.
fn play_and_kill(folder: &Path, life: Duration) -> (usize, Vec<String>) {
    let mut engine = start(folder);
    let end = Instant::now() + life;
    let (mut games, mut printed) = (0, Vec::new());
    let _ = engine.stdin.write_all(b"go\n");
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match engine.moves.recv_timeout(left) {
            // The result is announced again for the pending `go`.
            Ok(word) if word == "over" && printed.is_empty() => {}
            Ok(word) if word == "over" => {
                games += 1;
                printed.clear();
                let _ = engine.stdin.write_all(b"new\nsd 3\ngo\n");
            }
            Ok(mv) => {
                printed.push(mv);
                let _ = engine.stdin.write_all(b"go\n");
            }
            Err(_) => break,
        }
    }
    // On Unix this is SIGKILL: the engine cannot react.
    engine.child.kill().unwrap();
    engine.child.wait().unwrap();
    // The moves printed before it was killed. `over` ends their games, as above.
    while let Ok(word) = engine.moves.recv_timeout(Duration::from_secs(5)) {
        if word == "over" {
            games += usize::from(!printed.is_empty());
            printed.clear();
        } else {
            printed.push(word);
        }
    }
    (games, printed)
}

#[test]
fn killed_at_random_moments() {
    let folder = tempfile::tempdir().unwrap();
    let (log, learning) = (folder.path().join("games.pgn"), folder.path().join("learning.epd"));
    let (mut complete, mut random) = (0, SplitMix64::new(1));
    let mut learnt = 0;
    for kill in 0..kills() {
        let (games, printed) = play_and_kill(folder.path(), Duration::from_millis(30 + random.below(400) as u64));
        // Opening the log recovers the journals.
        drop(GameLog::open(&log).unwrap());
        let bytes = std::fs::read(&log).unwrap_or_default();
        let all: Vec<_> = PgnReader::new(&bytes[..]).collect::<Result<_, _>>().unwrap_or_else(|error| {
            panic!("kill {kill}: {error}\n{}", String::from_utf8_lossy(&bytes));
        });
        complete += games;
        if !printed.is_empty() {
            complete += 1;
            let last = all.last().unwrap();
            // The engine may have been killed after printing its last move and before logging it.
            let noted: Vec<String> =
                last.moves.iter().map(|played| played.mv.to_uci(Variant::Standard).to_string()).collect();
            let least = printed.len() - 1;
            assert!(
                noted.len() >= least && noted[..least] == printed[..least] || least == 0,
                "kill {kill}: printed {printed:?}, noted {noted:?}"
            );
        }
        // A one-move game may or may not be logged.
        assert!(all.len() + 1 >= complete && all.len() <= complete + 1, "kill {kill}: {} games, {complete}", all.len());
        complete = all.len();
        let file = LearningFile::read(&learning).unwrap();
        assert!(file.damages.is_empty(), "kill {kill}: {:?}", file.damages);
        assert!(file.records.len() >= learnt, "kill {kill}: {} records, {learnt} before", file.records.len());
        learnt = file.records.len();
    }
    println!("{} kills: {complete} games, {learnt} positions", kills());
    assert!(learnt > 0 && complete > 0);
}

#[test]
fn two_engines_share_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let games: usize = std::thread::scope(|scope| {
        let players: Vec<_> =
            (0..2).map(|_| scope.spawn(|| play_and_kill(folder.path(), Duration::from_secs(2)))).collect();
        players
            .into_iter()
            .map(|player| player.join().unwrap())
            .map(|(games, printed)| games + usize::from(!printed.is_empty()))
            .sum()
    });
    let log = folder.path().join("games.pgn");
    drop(GameLog::open(&log).unwrap());
    let all: Vec<_> = PgnReader::new(&std::fs::read(&log).unwrap()[..]).collect::<Result<_, _>>().unwrap();
    assert!(all.len() + 2 >= games && all.len() <= games + 2, "{} games of {games}", all.len());
    let file = LearningFile::read(&folder.path().join("learning.epd")).unwrap();
    assert!(file.damages.is_empty() && !file.records.is_empty());
}
