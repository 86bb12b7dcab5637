//! A loopback server that ends with its handle.

use axum::Router;
use std::{io, net::SocketAddr};
use tokio::{net::TcpListener, task::JoinHandle};

pub struct Served {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Served {
    /// Port 0 takes a free one. Loopback only.
    pub async fn on(port: u16, app: Router) -> io::Result<Self> {
        let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let task = tokio::spawn(async move {
            // It ends with its handle; an error of one connection is that connection's.
            let _ = axum::serve(listener, app).await;
        });
        Ok(Self { address, task })
    }
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.task.abort();
    }
}
