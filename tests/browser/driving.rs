//! The driver itself: it sees what a page does, and does what a person can.

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::driver::{Browser, Page};

/// A page of its own with a text in it.
fn opened(browser: &Arc<Browser>, name: &str, text: &str) -> Page {
    let mut page = browser.page();
    page.open(&file(name, text));
    page
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn keys_and_clicks_reach_the_page_as_a_persons_do() {
    let Some(browser) = Browser::start() else { return };
    let mut page = opened(
        &browser,
        "keys and clicks.html",
        "<!doctype html><button>count</button><div style='height: 3000px'></div><input><script>
            const [input, button, seen] = [document.querySelector('input'), document.querySelector('button'), []];
            button.onclick = event => seen.push(event.isTrusted);
            onkeydown = event => seen.push(event.code + (event.shiftKey ? ' with shift' : ''));
        </script>",
    );
    page.click("button");
    page.click("input");
    page.type_text("a +ß");
    page.press("Enter");
    page.press("Shift+Tab");
    page.wait_until("seen.length === 7");
    let expected = serde_json::json!([true, "KeyA", "Space", "", "", "Enter", "Tab with shift"]);
    assert_eq!(page.evaluate("seen"), expected);
    assert_eq!(page.evaluate("input.value"), "a +ß");
    assert_eq!(page.evaluate("document.activeElement === button"), true);
    assert_eq!(page.errors(), [""; 0]);
}

#[test]
fn a_size_a_color_scheme_and_a_file_reach_the_page() {
    let Some(browser) = Browser::start() else { return };
    let mut page =
        opened(&browser, "media.html", "<!doctype html><input type=file><body style='background: teal'>");
    page.resize(400, 300);
    assert_eq!(page.evaluate("[innerWidth, innerHeight]"), serde_json::json!([400, 300]));
    for dark in [true, false] {
        page.dark(dark);
        assert_eq!(page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches"), dark);
    }
    page.pick_file("input", &file("picked.txt", "words"));
    assert_eq!(page.evaluate("document.querySelector('input').files[0].text()"), "words");
    let image = png::Decoder::new(fs::File::open(page.screenshot("media.png")).unwrap()).read_info().unwrap();
    assert_eq!((image.info().width, image.info().height), (400, 300));
    assert_eq!(page.errors(), [""; 0]);
}

#[test]
fn a_page_that_is_opened_once_more_finds_what_it_has_stored() {
    let Some(browser) = Browser::start() else { return };
    let once = "<!doctype html><script>const before = localStorage.here; localStorage.here = 'yes'</script>";
    let mut page = opened(&browser, "once more.html", once);
    assert_eq!(page.evaluate("before ?? 'no'"), "no");
    page.reload_until("before === 'yes'");
    assert_eq!(page.evaluate("performance.getEntriesByType('navigation')[0].type"), "reload");
    assert_eq!(page.errors(), [""; 0]);
    let mut other = opened(&browser, "once more.html", once);
    assert_eq!(other.evaluate("before ?? 'no'"), "no", "pages do not share what they store");
}

#[test]
fn every_error_of_a_page_is_seen() {
    let Some(browser) = Browser::start() else { return };
    let mut page = opened(
        &browser,
        "errors.html",
        "<!doctype html><img src='missing.png'><script>
            console.log('fine');
            console.error('on the console');
            Promise.reject(new Error('not caught'));
            throw new Error('thrown');
        </script>",
    );
    page.wait_until("document.images[0].complete");
    let errors = page.errors();
    for part in ["on the console", "not caught", "thrown", "missing.png"] {
        assert_eq!(errors.iter().filter(|error| error.contains(part)).count(), 1, "{part}: {errors:?}");
    }
    assert_eq!(errors.len(), 4, "{errors:?}");
}

#[test]
fn what_a_person_could_not_click_is_not_clicked() {
    let Some(browser) = Browser::start() else { return };
    let cover = "<!doctype html><button>a</button><div style='position: fixed; inset: 0'></div>";
    let mut page = opened(&browser, "covered.html", cover);
    let clicked = panic::catch_unwind(AssertUnwindSafe(|| page.click("button"))).unwrap_err();
    let message = clicked.downcast::<String>().unwrap();
    assert!(message.starts_with("`button`: expected an element with nothing over it, not <div"), "{message}");
}
