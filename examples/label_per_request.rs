//! Which route of a server allocates what: `cargo run --release --example label_per_request --features tracing`.
//!
//! Every request is a span with its route, and a layer makes a label of it. Requests are served by several threads, in
//! turns; what they allocate has their label all the same.

use std::collections::BTreeMap;
use std::io;

use alloclab::attribute::Summary;
use alloclab::label_layer::LabelLayer;
use alloclab::recorder::{Recorder, Window};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tracing::{Instrument, info_span};
use tracing_subscriber::layer::SubscriberExt;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// What the clients ask for, each of them `ROUNDS` times.
const REQUESTS: [&str; 4] = ["/users/7", "/users/8", "/report", "/missing"];
const ROUNDS: usize = 25;

struct User {
    name: String,
    tags: Vec<String>,
}

fn find_user(id: u64) -> Box<User> {
    let tags = (0..3).map(|tag| format!("tag {tag} of {id}")).collect();
    Box::new(User { name: format!("user {id}"), tags })
}

fn make_report() -> BTreeMap<u64, Box<User>> {
    (0..20).map(|id| (id, find_user(id))).collect()
}

/// The route of a path: there are few of them, however many paths are asked for.
fn route_of(path: &str) -> &'static str {
    match path.split('/').nth(1) {
        Some("users") => "/users/{id}",
        Some("report") => "/report",
        _ => "(none)",
    }
}

fn answer(route: &str, path: &str) -> String {
    match route {
        "/users/{id}" => {
            let user = find_user(path.rsplit('/').next().and_then(|id| id.parse().ok()).unwrap_or_default());
            format!("200 {}: {}", user.name, user.tags.join(", "))
        }
        "/report" => format!("200 {} users", make_report().len()),
        _ => format!("404 {path}"),
    }
}

async fn read_path(stream: &mut TcpStream) -> io::Result<String> {
    let mut line = Vec::new();
    loop {
        match stream.read_u8().await? {
            b'\n' => return Ok(String::from_utf8_lossy(&line).into_owned()),
            byte => line.push(byte),
        }
    }
}

async fn serve(mut stream: TcpStream) -> io::Result<()> {
    let path = read_path(&mut stream).await?;
    let route = route_of(&path);
    let request = info_span!("request", route);
    let respond = async { stream.write_all(answer(route, &path).as_bytes()).await };
    respond.instrument(request).await
}

async fn accept(listener: TcpListener) -> io::Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(serve(stream));
    }
}

async fn ask(address: std::net::SocketAddr, path: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(format!("{path}\n").as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

/// Serves until all clients have their answers; the last answer of each.
async fn serve_clients() -> Outcome<Vec<String>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let server = tokio::spawn(accept(listener));
    let clients = REQUESTS.map(|path| {
        tokio::spawn(async move {
            let mut answer = String::new();
            for _ in 0..ROUNDS {
                answer = ask(address, path).await?;
            }
            io::Result::Ok(answer)
        })
    });
    let mut answers = Vec::new();
    for client in clients {
        answers.push(client.await??);
    }
    server.abort();
    Ok(answers)
}

fn main() -> Outcome<()> {
    let layer = LabelLayer::new().by_field("route");
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(layer))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_io().build()?;
    let window = Window::over_process()?;
    let served = runtime.block_on(serve_clients());
    let snapshot = window.close();
    served?.iter().for_each(|answer| println!("{answer}"));
    println!("\n{}", Summary::by_label(&snapshot)?);
    Ok(())
}
