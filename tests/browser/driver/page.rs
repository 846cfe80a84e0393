//! One page: what it shows, and what is done to it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::connection::Connection;
use super::{Browser, DEADLINE, key};

/// A page of its own: another test's does not show in it.
pub(crate) struct Page {
    connection: Connection,
    /// What the browser calls the loading of the document that is shown.
    document: Value,
    /// It outlives its pages.
    _browser: Arc<Browser>,
}

impl Page {
    pub(super) fn of(browser: Arc<Browser>) -> Self {
        let mut connection = Connection::open(browser.port, &browser.path);
        let context = connection.call("Target.createBrowserContext", json!({ "disposeOnDetach": true }));
        let wanted = json!({ "url": "about:blank", "browserContextId": context["browserContextId"] });
        let target = connection.call("Target.createTarget", wanted);
        let wanted = json!({ "targetId": target["targetId"], "flatten": true });
        let session = connection.call("Target.attachToTarget", wanted);
        connection.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "DOM"] {
            connection.call(&format!("{domain}.enable"), json!({}));
        }
        connection.call("Page.setLifecycleEventsEnabled", json!({ "enabled": true }));
        let mut page = Self { connection, document: Value::Null, _browser: browser };
        page.resize(1280, 800);
        page
    }

    /// Opens a file, and waits until all that it needs is there.
    #[track_caller]
    pub(crate) fn open(&mut self, path: &Path) {
        let path = fs::canonicalize(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let address = format!("file://{}", escaped(&path));
        self.load("Page.navigate", json!({ "url": address }));
    }

    /// Opens the page once more, as the browser's button for that does, until an expression is true there.
    ///
    /// What the page has stored a moment before may come too late for the first time.
    #[track_caller]
    pub(crate) fn reload_until(&mut self, condition: &str) {
        let end = Instant::now() + DEADLINE;
        loop {
            self.load("Page.reload", json!({}));
            if self.evaluate(&format!("Boolean({condition})")) == true {
                return;
            }
            assert!(
                Instant::now() <= end,
                "expected after opening once more, within {DEADLINE:?}: {condition}"
            );
        }
    }

    /// Waits until the document that a command begins to load is there; a former one may still report that it is.
    #[track_caller]
    fn load(&mut self, method: &str, parameters: Value) {
        let known = self.connection.events.len();
        let answer = self.connection.call(method, parameters);
        assert!(answer["errorText"].is_null(), "{method}: {}", answer["errorText"]);
        let is_new = |loader: &Value| match &answer["loaderId"] {
            Value::Null => *loader != self.document,
            told => loader == told,
        };
        let loaded = self.connection.wait_for("a loaded page", known, |event| {
            let event = &event["params"];
            event["name"] == "load" && is_new(&event["loaderId"])
        });
        self.document = loaded["params"]["loaderId"].clone();
    }

    /// What an expression has as its value; a promise is waited for.
    #[track_caller]
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let wanted = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let mut answer = self.connection.call("Runtime.evaluate", wanted);
        assert!(
            answer["exceptionDetails"].is_null(),
            "{expression}\n{}",
            thrown(&answer["exceptionDetails"])
        );
        answer["result"]["value"].take()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn wait_until(&mut self, condition: &str) {
        let end = Instant::now() + DEADLINE;
        while self.evaluate(&format!("Boolean({condition})")) != true {
            let errors = if Instant::now() > end { self.errors() } else { Vec::new() };
            assert!(Instant::now() <= end, "expected within {DEADLINE:?}: {condition}; errors: {errors:?}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Clicks the middle of an element, with the mouse.
    #[track_caller]
    pub(crate) fn click(&mut self, selector: &str) {
        let (x, y) = self.middle(selector);
        let mouse = |kind, buttons| {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1 })
        };
        for (kind, buttons) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)] {
            self.connection.call("Input.dispatchMouseEvent", mouse(kind, buttons));
        }
    }

    /// Where the middle of an element is, once it is in view; nothing may lie over it.
    #[track_caller]
    fn middle(&mut self, selector: &str) -> (f64, f64) {
        let place = self.evaluate(&format!(
            "(() => {{
                const element = document.querySelector({selector});
                if (!element) return 'an element in the page';
                element.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }});
                const {{ x, y, width, height }} = element.getBoundingClientRect();
                if (!width || !height) return 'an element that takes room';
                const [middle, center] = [x + width / 2, y + height / 2];
                const top = document.elementFromPoint(middle, center);
                if (!element.contains(top)) return `an element with nothing over it, not ${{top?.outerHTML.slice(0, 200)}}`;
                return [middle, center];
            }})()",
            selector = json!(selector),
        ));
        match (place[0].as_f64(), place[1].as_f64()) {
            (Some(x), Some(y)) => (x, y),
            _ => panic!("`{selector}`: expected {}", place.as_str().unwrap_or_default()),
        }
    }

    /// Presses a key and lets it go: a name such as `Enter` or `ArrowDown`, a character, or one with `Shift+` before it.
    #[track_caller]
    pub(crate) fn press(&mut self, key: &str) {
        let mut event = key::event(key);
        let types = event["text"].as_str().is_some_and(|text| !text.is_empty());
        event["type"] = if types { "keyDown" } else { "rawKeyDown" }.into();
        self.connection.call("Input.dispatchKeyEvent", event.clone());
        event["type"] = "keyUp".into();
        self.connection.call("Input.dispatchKeyEvent", event);
    }

    /// Types a text into what has the focus, key by key.
    #[track_caller]
    pub(crate) fn type_text(&mut self, text: &str) {
        text.chars().for_each(|character| self.press(&character.to_string()));
    }

    /// Picks a file in a file input, as its dialog does.
    #[track_caller]
    pub(crate) fn pick_file(&mut self, selector: &str, file: &Path) {
        let document = self.connection.call("DOM.getDocument", json!({}));
        let wanted = json!({ "nodeId": document["root"]["nodeId"], "selector": selector });
        let input = self.connection.call("DOM.querySelector", wanted);
        assert!(input["nodeId"] != 0, "`{selector}`: expected a file input in the page");
        let wanted = json!({ "nodeId": input["nodeId"], "files": [file] });
        self.connection.call("DOM.setFileInputFiles", wanted);
    }

    /// Gives the page's window another size, in pixels.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let wanted = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.connection.call("Emulation.setDeviceMetricsOverride", wanted);
    }

    /// Whether the person at the screen prefers dark pages.
    pub(crate) fn dark(&mut self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let wanted = json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
        self.connection.call("Emulation.setEmulatedMedia", wanted);
    }

    /// Draws what is in the window into `screenshots/<name>` under the folder for files of tests.
    #[track_caller]
    pub(crate) fn screenshot(&mut self, name: &str) -> PathBuf {
        let answer = self.connection.call("Page.captureScreenshot", json!({ "format": "png" }));
        let image = data_encoding::BASE64.decode(answer["data"].as_str().expect("an image").as_bytes());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screenshots").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for screenshots");
        fs::write(&path, image.expect("Base64"))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        path
    }

    /// Every error so far: on the console, thrown and not caught, not loaded.
    pub(crate) fn errors(&mut self) -> Vec<String> {
        // What the page reported before it answers has then arrived.
        self.evaluate("0");
        self.connection.events.iter().filter_map(error).collect()
    }
}

/// The error that an event reports, if it does.
fn error(event: &Value) -> Option<String> {
    let details = &event["params"];
    match event["method"].as_str()? {
        "Runtime.exceptionThrown" => Some(thrown(&details["exceptionDetails"])),
        "Runtime.consoleAPICalled" if ["error", "assert"].contains(&details["type"].as_str()?) => {
            Some(details["args"].to_string())
        }
        "Log.entryAdded" if details["entry"]["level"] == "error" => {
            Some(format!("{} {}", details["entry"]["text"], details["entry"]["url"]))
        }
        _ => None,
    }
}

/// What was thrown, with its place where there is one.
fn thrown(details: &Value) -> String {
    let exception = &details["exception"];
    exception["description"].as_str().map_or_else(|| details.to_string(), str::to_owned)
}

/// A path as an address has it.
fn escaped(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    bytes
        .map(|&byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
