//! The server of the board, and its clients.

use super::{WAIT, command};
use serde_json::Value;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{Error, Message, WebSocket};

/// A server with a page of two files.
pub struct Board {
    child: Child,
    port: u16,
    /// The secret of the printed address.
    pub token: String,
    _folder: TempDir,
}

impl Board {
    /// Starts the server on a free port.
    pub fn start(args: &[&str]) -> Self {
        Self::start_with(args, |command| command.arg("--no-open"))
    }

    /// Starts the server after a change of its command, without which it opens the browser.
    pub fn start_with(args: &[&str], change: impl FnOnce(&mut Command) -> &mut Command) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("dist");
        std::fs::create_dir_all(page.join("assets")).unwrap();
        std::fs::write(folder.path().join("secret.txt"), "secret text").unwrap();
        std::fs::write(page.join("index.html"), "<p>board</p>").unwrap();
        std::fs::write(page.join("assets/a.wasm"), b"\0asm").unwrap();
        let mut command = command(&["board"]);
        command.arg("--dir").arg(&page).args(args).stdout(Stdio::piped());
        change(&mut command);
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (address, token) = line.trim().split_once("/#token=").unwrap_or_else(|| panic!("address: {line:?}"));
        let port = address.strip_prefix("http://127.0.0.1:").unwrap().parse().unwrap();
        Self { child, port, token: token.to_owned(), _folder: folder }
    }

    /// The host in requests of the page.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The origin of the page.
    pub fn origin(&self) -> String {
        format!("http://{}", self.host())
    }

    /// The answer to a request for a file, with its headers.
    pub fn get(&self, path: &str) -> String {
        self.request(&format!("GET {path} HTTP/1.1"), &self.host(), "")
    }

    /// The answer to a request with other headers, each with its line end.
    pub fn request(&self, line: &str, host: &str, headers: &str) -> String {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        stream.set_read_timeout(Some(WAIT)).unwrap();
        write!(stream, "{line}\r\nHost: {host}\r\n{headers}Connection: close\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// A socket of the page.
    pub fn connect(&self) -> Socket {
        let connected = self.connect_as(&self.host(), Some(&self.origin()), &format!("?token={}", self.token));
        connected.unwrap_or_else(|status| panic!("refused with {status}"))
    }

    /// A socket of any page, or the HTTP status of its refusal.
    pub fn connect_as(&self, host: &str, origin: Option<&str>, query: &str) -> Result<Socket, u16> {
        let mut request = format!("ws://{}/engine{query}", self.host()).into_client_request().unwrap();
        let headers = request.headers_mut();
        headers.insert("Host", HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            headers.insert("Origin", HeaderValue::from_str(origin).unwrap());
        }
        let stream = TcpStream::connect(self.host()).unwrap();
        stream.set_read_timeout(Some(WAIT)).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Socket(socket)),
            Err(tungstenite::HandshakeError::Failure(Error::Http(answer))) => Err(answer.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    /// Sends the signal of Ctrl-C, where there are signals.
    pub fn interrupt(&mut self) {
        if cfg!(unix) {
            let kill = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
            assert!(kill.success());
        } else {
            self.child.kill().unwrap();
        }
    }

    /// Waits for the end of the program.
    pub fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + WAIT;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "the program does not end");
            std::thread::yield_now();
        }
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A connection to an engine.
pub struct Socket(WebSocket<TcpStream>);

impl Socket {
    /// Waits for the message that the engine is ready.
    pub fn started(&mut self) -> Value {
        let lines = self.wait_for("{");
        serde_json::from_str(lines.last().unwrap()).unwrap()
    }

    /// Sends a line; the server may have closed the socket.
    pub fn try_send(&mut self, text: &str) -> bool {
        self.0.send(Message::text(text)).is_ok()
    }

    /// Sends a line.
    pub fn send(&mut self, text: &str) {
        self.0.send(Message::text(text)).unwrap();
    }

    /// Sends a message of bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.0.send(Message::binary(bytes.to_vec())).unwrap();
    }

    /// Reads lines up to one that begins with a text.
    pub fn wait_for(&mut self, prefix: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let deadline = Instant::now() + WAIT;
        loop {
            assert!(Instant::now() < deadline, "no '{prefix}' in {lines:?}");
            match self.0.read() {
                Ok(Message::Text(text)) => lines.push(text.to_string()),
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                // A signal, such as the end of a program that another test has started.
                Err(Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {}
                other => panic!("no '{prefix}' in {lines:?}: {other:?}"),
            }
            if lines.last().is_some_and(|line| line.starts_with(prefix)) {
                return lines;
            }
        }
    }

    /// Waits for the end of the connection.
    pub fn is_closed(&mut self) -> bool {
        let deadline = Instant::now() + WAIT;
        while Instant::now() < deadline {
            match self.0.read() {
                Ok(Message::Close(_)) | Err(Error::ConnectionClosed | Error::Protocol(_)) => return true,
                Err(Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {}
                Err(Error::Io(error)) => return error.kind() != ErrorKind::WouldBlock,
                Err(_) => return true,
                Ok(_) => {}
            }
        }
        false
    }
}
