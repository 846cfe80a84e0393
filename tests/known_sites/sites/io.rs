//! Readers, writers, errors and channels.

use super::*;

pub(super) fn readers_and_writers() -> Vec<Site> {
    const WRITER: &[&str] = &["BufWriter<Vec<u8>>"];
    let lines = || BufReader::new(&b"one line\nanother\n"[..]);
    vec![
        site("a reader's buffer", &["BufReader<&[u8]>"], &["Box<[u8]>"], nothing, |()| {
            BufReader::new(black_box(&b"abc"[..]))
        }),
        site("a writer's buffer", WRITER, BYTES, nothing, |()| BufWriter::new(Vec::new())),
        site("a writer's buffer with room", WRITER, BYTES, length, |n| {
            BufWriter::with_capacity(n, Vec::new())
        }),
        site("a line writer's buffer", &["LineWriter<Vec<u8>>"], BYTES, nothing, |()| {
            LineWriter::new(Vec::new())
        }),
        site("written through a cursor", BYTES, BYTES, abc, |s| {
            let mut cursor = Cursor::new(Vec::new());
            cursor.write_all(s.as_bytes()).expect("a vector takes all");
            cursor
        }),
        site("written to a vector", BYTES, BYTES, abc, |s| {
            let mut bytes = Vec::new();
            bytes.write_all(s.as_bytes()).expect("a vector takes all");
            write!(bytes, "{}", 5).expect("a vector takes all");
            bytes
        }),
        site("read to the end", BYTES, BYTES, abc, |s| {
            let mut bytes = Vec::new();
            s.as_bytes().read_to_end(&mut bytes).expect("there is no error in memory");
            bytes
        }),
        site("read to text", STRING, BYTES, abc, |s| {
            let mut string = String::new();
            s.as_bytes().read_to_string(&mut string).expect("it is text");
            string
        }),
        site("a line read", STRING, BYTES, lines, |mut reader| {
            let mut line = String::new();
            reader.read_line(&mut line).expect("there is no error in memory");
            line
        }),
        site("lines collected", &["Vec<String>", "String"], &["Vec<String>", "Vec<u8>"], lines, |reader| {
            reader.lines().map_while(Result::ok).collect::<Vec<_>>()
        }),
        site("a file read", BYTES, BYTES, nothing, |()| std::fs::read("/proc/self/comm")),
        site("a file read to text", STRING, BYTES, nothing, |()| std::fs::read_to_string("/proc/self/comm")),
    ]
}

pub(super) fn errors_and_channels() -> Vec<Site> {
    const ARRAY: &str = "mpmc::array::Channel<Apple>";
    const LIST: &str = "mpmc::list::Channel<Apple>";
    const BOXED: &[&str] = &["Box<StringError>", "String"];
    vec![
        site(
            "an error of I/O",
            &["Box<Custom>", "Box<StringError>", "String"],
            &["Box<Custom>", "Box<StringError>", "Vec<u8>"],
            nothing,
            |()| std::io::Error::other("x"),
        ),
        site("a boxed error from text", BOXED, &["Box<StringError>", "Vec<u8>"], abc, |s| {
            Box::<dyn Error + Send + Sync>::from(s)
        }),
        site(
            "a boxed error from another",
            &["Box<ParseIntError>"],
            &["Box<ParseIntError>"],
            || "x".parse::<u32>().expect_err("it is no number"),
            |e| Box::<dyn Error>::from(e),
        ),
        site("a channel", &["Sender<Apple>", LIST], &["Box<Block<Apple>>", LIST], number, |n| {
            let (sender, receiver) = mpsc::channel();
            for i in 0..n {
                sender.send(apple(i)).expect("the receiver is alive");
            }
            (sender, receiver)
        }),
        site("a channel of one size", &[ARRAY], &[ARRAY, "Vec<Slot<Apple>>"], nothing, |()| {
            mpsc::sync_channel::<Apple>(5)
        }),
    ]
}
