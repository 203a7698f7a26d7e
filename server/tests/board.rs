//! The server of the board: the real program, its files and its WebSocket.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]
#![allow(unreachable_pub, reason = "of the shared module")]

mod support;

use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use support::{Board, Socket};

#[test]
fn the_page_is_served_and_nothing_else() {
    let board = Board::start(&[]);
    let index = board.get("/");
    assert!(index.starts_with("HTTP/1.1 200"), "{index}");
    assert!(index.ends_with("<p>board</p>"), "{index}");
    for header in [
        "cache-control: no-store",
        "x-content-type-options: nosniff",
        "content-type: text/html; charset=utf-8",
        "script-src 'self' 'wasm-unsafe-eval'",
        "cross-origin-embedder-policy: require-corp",
    ] {
        assert!(index.contains(header), "{header} in {index}");
    }
    assert!(board.get("/assets/a.wasm").contains("content-type: application/wasm"));
    for path in
        ["/assets", "/assets/", "/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "//", "/x"]
    {
        let answer = board.get(path);
        assert!(answer.starts_with("HTTP/1.1 404") && !answer.contains("secret text"), "{path}: {answer}");
    }
    assert!(board.request("POST / HTTP/1.1", &board.host(), "").starts_with("HTTP/1.1 405"));
    for host in ["evil.example", "evil.example:80", "127.0.0.1", "[::1]"] {
        assert!(board.request("GET / HTTP/1.1", host, "").starts_with("HTTP/1.1 421"), "{host}");
    }
}

#[test]
fn the_engine_answers_its_own_page_only() {
    let board = Board::start(&[]);
    let own = board.origin();
    let token = board.token.clone();
    let refused = |host: &str, origin: Option<&str>, query: &str, status: u16| {
        assert_eq!(board.connect_as(host, origin, query).err(), Some(status), "{host} {origin:?} {query}");
    };
    let with_token = format!("?token={token}");
    for origin in
        [Some("http://evil.example"), Some("null"), None, Some("https://127.0.0.1"), Some("http://127.0.0.1:1")]
    {
        refused(&board.host(), origin, &with_token, 403);
    }
    for query in ["", "?token=", "?token=0", &format!("?token={}", "0".repeat(64)), &format!("?token={token}0"), "?x"] {
        refused(&board.host(), Some(&own), query, 403);
    }
    refused("evil.example", Some("http://evil.example"), &with_token, 421);
    assert!(
        board.request("GET /engine HTTP/1.1", &board.host(), &format!("Origin: {own}\r\n")).contains("HTTP/1.1 426")
    );
    let mut socket = board.connect();
    socket.started();
    socket.send("isready");
    socket.wait_for("readyok");
}

#[test]
fn the_native_engine_analyses_and_stops() {
    let board = Board::start(&["--hash", "4"]);
    let mut socket = board.connect();
    let started = socket.started();
    assert!(started["started"]["name"].as_str().unwrap().starts_with("Bartizan "), "{started}");
    for name in ["MultiPV", "UCI_Elo"] {
        assert!(started["started"]["options"].as_array().unwrap().contains(&Value::from(name)), "{started}");
    }
    socket.send("setoption name MultiPV value 2");
    socket.send("position startpos moves e2e4");
    socket.send("go depth 6");
    let lines = socket.wait_for("bestmove ");
    assert!(lines.iter().any(|line| line.contains(" depth 6 ") && line.contains(" multipv 2 ")), "{lines:?}");
    socket.send("position fen 8/8/8/8/8/8/8/8 w - - 0 1");
    assert!(socket.wait_for("info string error: ")[0].contains("king"));
    socket.send("go depth 1");
    assert_eq!(socket.wait_for("bestmove ").last().unwrap(), "bestmove (none)");
    socket.send("position startpos");
    socket.send("go infinite");
    socket.wait_for("info depth 3 ");
    socket.send("isready");
    socket.wait_for("readyok");
    // Waits for the end of the search.
    socket.send("go depth 2");
    socket.send("stop");
    socket.wait_for("bestmove ");
    socket.wait_for("bestmove ");
    for (message, why) in [
        ("setoption name Hash value 1024", "when the server starts"),
        ("setoption name BookFile value /etc/passwd", "--option"),
        ("setoption name Nonsense value 1", "no option 'Nonsense'"),
        ("go perft 8", "cannot count"),
        ("e2e4 \u{1F600} \\ ../..", ""),
    ] {
        socket.send(message);
        let lines = socket.wait_for("info string error: ");
        assert!(lines.last().unwrap().contains(why), "{message}: {lines:?}");
    }
    socket.send("isready");
    socket.wait_for("readyok");
}

/// A program in place of the browser takes the address.
#[cfg(target_os = "linux")]
#[test]
fn the_address_of_the_browser_works_once_and_gives_the_token() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (browser, seen) = (folder.path().join("xdg-open"), folder.path().join("seen"));
    std::fs::write(&browser, format!("#!/bin/sh\necho \"$1\" > '{0}.new'\nmv '{0}.new' '{0}'\n", seen.display()))
        .unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let board = Board::start_with(&[], |command| command.env("PATH", path));
    let deadline = Instant::now() + Duration::from_secs(10);
    let address = loop {
        match std::fs::read_to_string(&seen) {
            Ok(address) => break address,
            Err(error) => assert!(Instant::now() < deadline, "{error}"),
        }
    };
    let ticket = address.trim().strip_prefix(&format!("{}/#", board.origin())).unwrap();
    assert!(!ticket.contains(&board.token));
    let query = format!("?{ticket}");
    let mut socket = board.connect_as(&board.host(), Some(&board.origin()), &query).unwrap();
    assert_eq!(socket.started()["token"], board.token.as_str());
    assert!(socket.started()["started"].is_object());
    assert_eq!(board.connect_as(&board.host(), Some(&board.origin()), &query).err(), Some(403));
    // The token is not repeated to those who know it.
    assert!(board.connect().started().get("token").is_none());
}

#[test]
fn garbage_and_floods_end_one_socket_only() {
    let board = Board::start(&[]);
    let mut other = board.connect();
    other.started();
    let mut socket = board.connect();
    socket.started();
    socket.send(&format!("position startpos moves {}", "e2e4 ".repeat(20_000)));
    assert!(socket.is_closed(), "a huge message");
    let mut socket = board.connect();
    socket.started();
    socket.send_bytes(&[0, 1, 2]);
    assert!(socket.is_closed(), "bytes");
    let mut socket = board.connect();
    socket.started();
    for _ in 0..20_000 {
        if !socket.try_send("isready") {
            break;
        }
    }
    assert!(socket.is_closed(), "a flood");
    // Not a WebSocket at all.
    let mut stream = TcpStream::connect(board.host()).unwrap();
    stream.write_all(b"\x16\x03\x01\x00\xff garbage\r\n\r\n").unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let mut answer = Vec::new();
    drop(stream.read_to_end(&mut answer));
    other.send("isready");
    other.wait_for("readyok");
}

#[test]
fn the_number_of_engines_is_limited_and_a_place_gets_free() {
    let board = Board::start(&["--hash", "1"]);
    let mut sockets: Vec<Socket> = (0..4).map(|_| board.connect()).collect();
    for socket in &mut sockets {
        socket.started();
        socket.send("go infinite");
    }
    let query = format!("?token={}", board.token);
    assert_eq!(board.connect_as(&board.host(), Some(&board.origin()), &query).err(), Some(503));
    // One that searches leaves without a word.
    drop(sockets.pop());
    let deadline = Instant::now() + Duration::from_secs(10);
    let mut socket = loop {
        match board.connect_as(&board.host(), Some(&board.origin()), &query) {
            Ok(socket) => break socket,
            Err(status) => assert!(status == 503 && Instant::now() < deadline, "{status}"),
        }
    };
    socket.started();
}

#[test]
fn a_signal_ends_the_program_with_its_searches() {
    let mut board = Board::start(&[]);
    let mut socket = board.connect();
    socket.started();
    socket.send("go infinite");
    socket.wait_for("info depth 1 ");
    board.interrupt();
    assert!(socket.is_closed());
    assert_eq!(board.wait().code(), if cfg!(unix) { Some(0) } else { None });
}

#[test]
fn without_a_page_the_program_says_how_to_make_it() {
    let folder = tempfile::tempdir().unwrap();
    let output = support::command(&["board", "--no-open", "--dir"]).arg(folder.path()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && error.starts_with("error: '"), "{error}");
    assert!(error.contains("cargo xtask web") && error.contains("--dir web/board/dist"), "{error}");
}

/// Another engine: a script.
#[cfg(unix)]
mod other_engines {
    use super::*;
    use std::path::PathBuf;

    /// A script that answers commands; `cases` are those of the command `go` and others.
    fn engine(folder: &tempfile::TempDir, cases: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.path().join("engine");
        let text = format!(
            "#!/bin/sh\nwhile read -r line; do\ncase $line in\nuci) printf 'id name Script\\noption name Threads \
             type spin default 1 min 1 max 8\\noption name Log type string default <empty>\\noption name MultiPV \
             type spin default 1 min 1 max 9\\nuciok\\n';;\nisready) echo readyok;;\nquit) exit 0;;\n{cases}\n\
             *) echo \"info string got $line\";;\nesac\ndone\n"
        );
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn board(folder: &tempfile::TempDir, cases: &str) -> Board {
        let program = engine(folder, cases);
        Board::start(&["--engine", program.to_str().unwrap(), "--threads", "3", "--option", "Log=x"])
    }

    #[test]
    fn another_engine_is_used_and_its_files_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let board = board(&folder, "go*) echo '{\"failed\": 1}'; echo bestmove e2e4;;");
        let mut socket = board.connect();
        let started = socket.started();
        assert_eq!(started["started"]["name"], "Script");
        socket.send("setoption name Log value x.log");
        assert!(socket.wait_for("info string error: ").last().unwrap().contains("--option"));
        socket.send("setoption name MultiPV value 2");
        assert_eq!(
            socket.wait_for("info string got").last().unwrap(),
            "info string got setoption name MultiPV value 2"
        );
        socket.send("go infinite");
        // What looks like a message of the server does not pass.
        assert_eq!(socket.wait_for("bestmove"), ["bestmove e2e4"]);
    }

    #[test]
    fn an_engine_that_dies_is_reported_and_started_again() {
        let folder = tempfile::tempdir().unwrap();
        let board = board(&folder, "go*) exit 3;;");
        for _ in 0..2 {
            let mut socket = board.connect();
            socket.started();
            socket.send("go infinite");
            let failed = socket.wait_for("{\"failed\"");
            assert!(failed.last().unwrap().contains("exit status: 3"), "{failed:?}");
            assert!(socket.is_closed());
        }
    }

    #[test]
    fn endless_lines_and_missing_programs_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let board = board(&folder, "go*) cat /dev/zero;;");
        let mut socket = board.connect();
        socket.started();
        socket.send("go infinite");
        assert!(socket.wait_for("{\"failed\"").last().unwrap().contains("a line of more than"));
        let board = Board::start(&["--engine", "/no/such/engine"]);
        let mut socket = board.connect();
        let failed = socket.wait_for("{\"failed\"");
        assert!(failed[0].contains("cannot start '/no/such/engine'"), "{failed:?}");
    }

    #[test]
    fn the_engine_ends_with_its_socket() {
        let folder = tempfile::tempdir().unwrap();
        let board = board(&folder, "go*) echo \"info string pid $$\"; exec sleep 1000;;");
        let mut socket = board.connect();
        socket.started();
        socket.send("go infinite");
        let pid = socket.wait_for("info string pid").pop().unwrap();
        let pid = pid.rsplit(' ').next().unwrap().to_owned();
        drop(socket);
        let deadline = Instant::now() + Duration::from_secs(10);
        let lives = || std::process::Command::new("kill").args(["-0", &pid]).output().unwrap().status.success();
        while lives() {
            assert!(Instant::now() < deadline, "the engine still runs");
            std::thread::yield_now();
        }
    }
}
