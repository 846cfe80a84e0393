use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::sync::{Mutex, mpsc};

use super::Program;
use crate::input::scatter;

pub(super) const PROGRAM: Program = Program {
    name: "tokio",
    run,
    is_single_threaded: false,
    // A task for each client; a socket at each end, and the one that listens.
    known_types: &[
        ("Box<Cell<ask::{closure#0}, Arc<Handle>>>", Some(32)),
        ("Arc<ScheduledIo>", Some(65)),
        ("Block<String>", None),
    ],
};

const CLIENTS: u64 = 32;
const REQUESTS: u64 = 40;

/// A service over TCP under load: many clients at once ask it line by line, and it keeps a log.
fn run() -> String {
    let runtime =
        Builder::new_multi_thread().worker_threads(3).enable_io().build().expect("the system has threads");
    let (sum, mut log) = runtime.block_on(serve_and_ask()).expect("this machine can talk to itself");
    log.sort();
    format!("{sum:x}, {} lines, from {:?} to {:?}", log.len(), log.first(), log.last())
}

async fn serve_and_ask() -> io::Result<(u64, Vec<String>)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let log = Arc::new(Mutex::new(Vec::new()));
    let server = tokio::spawn(serve(listener, log.clone()));
    let (sender, mut answers) = mpsc::unbounded_channel();
    let clients: Vec<_> =
        (0..CLIENTS).map(|client| tokio::spawn(ask(address, client, sender.clone()))).collect();
    drop(sender);
    let mut sum = 0_u64;
    while let Some(answer) = answers.recv().await {
        sum = sum.wrapping_add(answer.parse().expect("the server answers numbers"));
    }
    for client in clients {
        client.await.expect("no client panics")?;
    }
    server.await.expect("the server does not panic")?;
    let log = std::mem::take(&mut *log.lock().await);
    Ok((sum, log))
}

async fn serve(listener: TcpListener, log: Arc<Mutex<Vec<String>>>) -> io::Result<()> {
    let mut connections = Vec::new();
    for _ in 0..CLIENTS {
        let (stream, _) = listener.accept().await?;
        connections.push(tokio::spawn(answer(stream, log.clone())));
    }
    for connection in connections {
        connection.await.expect("no connection panics")?;
    }
    Ok(())
}

async fn answer(stream: TcpStream, log: Arc<Mutex<Vec<String>>>) -> io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    while let Some(line) = lines.next_line().await? {
        let number: u64 = line.parse().expect("the clients send numbers");
        write.write_all(format!("{}\n", scatter(number)).as_bytes()).await?;
        log.lock().await.push(line);
    }
    Ok(())
}

async fn ask(address: SocketAddr, client: u64, answers: mpsc::UnboundedSender<String>) -> io::Result<()> {
    let (read, mut write) = TcpStream::connect(address).await?.into_split();
    let mut lines = BufReader::new(read).lines();
    for request in 0..REQUESTS {
        write.write_all(format!("{}\n", client * REQUESTS + request).as_bytes()).await?;
        let answer = lines.next_line().await?.expect("the server answers each line");
        answers.send(answer).expect("somebody waits for answers");
    }
    Ok(())
}
