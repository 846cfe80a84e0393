//! Commands to the browser and their answers, over a WebSocket.

use std::net::TcpStream;

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use super::DEADLINE;

/// A connection of its own to the browser.
pub(super) struct Connection {
    socket: WebSocket<TcpStream>,
    commands: u64,
    /// The session of the page that commands go to, once it is known.
    pub(super) session: Option<String>,
    /// What the page has reported, oldest first.
    pub(super) events: Vec<Value>,
}

impl Connection {
    pub(super) fn open(port: u16, path: &str) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port))
            .unwrap_or_else(|error| panic!("expected DevTools at port {port}: {error}"));
        stream.set_read_timeout(Some(DEADLINE)).expect("a deadline that is not zero");
        let address = format!("ws://127.0.0.1:{port}{path}");
        let (socket, _) = tungstenite::client(&address, stream)
            .unwrap_or_else(|error| panic!("expected a WebSocket at {address}: {error}"));
        Self { socket, commands: 0, session: None, events: Vec::new() }
    }

    /// The result of a command.
    #[track_caller]
    pub(super) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.commands += 1;
        let mut command = json!({ "id": self.commands, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            command["sessionId"] = session.as_str().into();
        }
        self.socket
            .send(Message::text(command.to_string()))
            .unwrap_or_else(|error| panic!("{method} was not sent: {error}"));
        loop {
            let mut message = self.read(&format!("an answer to {method}"));
            if message["id"] == self.commands {
                assert!(message["error"].is_null(), "{method} {parameters}: {}", message["error"]["message"]);
                return message["result"].take();
            }
            self.events.push(message);
        }
    }

    /// Waits for an event that is not among the first `known` ones.
    #[track_caller]
    pub(super) fn wait_for(
        &mut self,
        event: &str,
        known: usize,
        is_wanted: impl Fn(&Value) -> bool,
    ) -> &Value {
        let mut next = known;
        while !self.events.get(next).is_some_and(&is_wanted) {
            if next == self.events.len() {
                let message = self.read(event);
                self.events.push(message);
            } else {
                next += 1;
            }
        }
        &self.events[next]
    }

    #[track_caller]
    fn read(&mut self, wanted: &str) -> Value {
        loop {
            let message = self.socket.read().unwrap_or_else(|error| {
                panic!("expected {wanted} within {DEADLINE:?}: {error}");
            });
            if let Message::Text(text) = message {
                return serde_json::from_str(&text).expect("messages of the protocol are JSON");
            }
        }
    }
}
