//! A model server that says the same bytes to everybody, whatever it was asked, and keeps what it
//! was asked last.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex,
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
    asked: Arc<Mutex<String>>,
    task: JoinHandle<()>,
}

impl Wire {
    /// Under status 200, with this content type and body.
    pub async fn says(kind: &str, body: &str) -> Self {
        Self::answers(200, kind, body).await
    }
    pub async fn answers(status: u16, kind: &str, body: &str) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        Self::serve(listener, status, kind, body)
    }
    pub fn on(listener: TcpListener, kind: &str, body: &str) -> Self {
        Self::serve(listener, 200, kind, body)
    }
    fn serve(listener: TcpListener, status: u16, kind: &str, body: &str) -> Self {
        let address = listener.local_addr().unwrap();
        let head = format!("HTTP/1.1 {status} So\r\ncontent-type: {kind}\r\nconnection: close");
        let answer = format!("{head}\r\n\r\n{body}");
        let calls = Arc::new(AtomicUsize::new(0));
        let asked = Arc::new(Mutex::new(String::new()));
        let (counted, kept) = (calls.clone(), asked.clone());
        let task = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                *kept.lock().unwrap() = whole_request(&mut stream).await;
                counted.fetch_add(1, Ordering::SeqCst);
                // A caller that has gone away is no fault of the server.
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        Self { address, calls, asked, task }
    }
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
    /// The head of the last request, and its body as it came.
    pub fn asked(&self) -> (String, String) {
        let asked = self.asked.lock().unwrap().clone();
        let (head, body) = asked.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Reads to the end of the body, as its length says.
async fn whole_request(stream: &mut TcpStream) -> String {
    let mut read = Vec::new();
    let mut part = [0; 16_384];
    loop {
        let count = stream.read(&mut part).await.unwrap_or(0);
        read.extend(part.iter().take(count));
        let text = String::from_utf8_lossy(&read).into_owned();
        let Some((head, _)) = text.split_once("\r\n\r\n") else {
            if count == 0 {
                return text;
            }
            continue;
        };
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
        });
        let body_at = head.len() + 4;
        if count == 0 || read.len() >= body_at + length.unwrap_or(0_usize) {
            return text;
        }
    }
}
