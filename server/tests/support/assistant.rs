//! An assistant, by lines of JSON.

use super::{WAIT, command};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};

/// A conversation with the program.
pub struct Assistant {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    asked: u64,
}

impl Assistant {
    /// Starts the program and introduces itself.
    pub fn start(args: &[&str]) -> Self {
        let mut command = command(&["mcp"]);
        let mut child = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take().unwrap();
        let mut assistant = Self { child, input, lines, asked: 0 };
        let client = json!({ "name": "test", "version": "1" });
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        let info = assistant.ask("initialize", hello);
        assert_eq!(info["result"]["serverInfo"]["name"], "bartizan", "{info}");
        assistant.notify("notifications/initialized", json!({}));
        assistant
    }

    /// Sends any line.
    pub fn send_line(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.send_line(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    /// Sends a request; returns its number.
    pub fn send(&mut self, method: &str, params: Value) -> u64 {
        self.asked += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        self.send_line(&request.to_string());
        self.asked
    }

    /// Waits for a message.
    pub fn wait_for(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let line = self.lines.recv_timeout(WAIT).expect("an answer");
            let message: Value = serde_json::from_str(&line).unwrap();
            if is_it(&message) {
                return message;
            }
        }
    }

    /// The answer to a request.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.wait_for(|message| message["id"] == id)
    }

    /// The data of a tool's answer, which also has words.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        let result = &answer["result"];
        assert!(result["isError"] != true && result["structuredContent"].is_object(), "{tool} {arguments}: {answer}");
        let words = result["content"][0]["text"].as_str().unwrap();
        let fen = result["structuredContent"]["position"]["fen"].as_str().unwrap();
        assert!(words.contains(fen), "{words}");
        result["structuredContent"].clone()
    }

    /// The error of a tool.
    pub fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(answer["result"]["isError"], true, "{tool}: {answer}");
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }
}

impl Drop for Assistant {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
