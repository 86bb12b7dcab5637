//! A model server that says the same bytes to everybody, whatever it was asked.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

pub struct Wire {
    address: SocketAddr,
    calls: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Wire {
    /// Under status 200, with this content type and body.
    pub async fn says(kind: &str, body: &str) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        Self::on(listener, kind, body)
    }
    pub fn on(listener: TcpListener, kind: &str, body: &str) -> Self {
        let address = listener.local_addr().unwrap();
        let answer =
            format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n{body}");
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = calls.clone();
        let task = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                whole_request(&mut stream).await;
                counted.fetch_add(1, Ordering::SeqCst);
                // A caller that has gone away is no fault of the server.
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        Self { address, calls, task }
    }
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Reads to the end of the body, as its length says.
async fn whole_request(stream: &mut TcpStream) {
    let mut read = Vec::new();
    let mut part = [0; 16_384];
    loop {
        let count = stream.read(&mut part).await.unwrap_or(0);
        read.extend(part.iter().take(count));
        let text = String::from_utf8_lossy(&read).into_owned();
        let Some((head, _)) = text.split_once("\r\n\r\n") else {
            if count == 0 {
                return;
            }
            continue;
        };
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
        });
        let body_at = head.len() + 4;
        if count == 0 || read.len() >= body_at + length.unwrap_or(0_usize) {
            return;
        }
    }
}
