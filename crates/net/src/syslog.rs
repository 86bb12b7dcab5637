//! Sends syslog messages over TCP or TLS, each counted in octets (RFC 6587, 3.4.1; RFC 5425).
//!
//! Syslog acknowledges nothing. So each delivery has a connection of its own, whose sending half is
//! closed behind the last message; the receiver has read them all when it closes its own half.

use crate::connector::{ClientUnavailable, REASON_CHARS_MAX, tls_config};
use crate::origin::models::is_near;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use url::{Host, Url};

/// IANA's ports of syslog over TCP and over TLS.
const PORT: u16 = 601;
const PORT_TLS: u16 = 6514;
/// What a receiver may say before it closes; nobody reads it.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// Whom messages are sent to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyslogReceiver {
    host: String,
    port: u16,
    tls: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyslogRefused {
    #[error("write the receiver as `syslog://host:port`, or `syslogs://host:port` for TLS")]
    Format,
    #[error(
        "over plain TCP everybody on the way reads the audit: write `syslogs://`. `syslog://` is for \
         loopback, private and link-local addresses, for names without a dot, and for names under \
         `.local`, `.localhost`, `.internal`, `.lan` and `.home.arpa`"
    )]
    Plain,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyslogError {
    #[error(transparent)]
    Tls(#[from] ClientUnavailable),
    #[error("the receiver cannot be reached: `{reason}`")]
    Unreachable { reason: String },
    #[error("the receiver took too long: `{phase}` timeout")]
    Timeout { phase: &'static str },
    #[error("the receiver broke off, and may lack some of it: `{reason}`")]
    Interrupted { reason: String },
}

impl SyslogReceiver {
    /// `syslog://host:port` or `syslogs://host:port`, without a path.
    pub fn parse(text: &str) -> Result<Self, SyslogRefused> {
        let url = Url::parse(text.trim()).map_err(|_| SyslogRefused::Format)?;
        let tls = match url.scheme() {
            "syslog" => false,
            "syslogs" => true,
            _ => return Err(SyslogRefused::Format),
        };
        let bare = matches!(url.path(), "" | "/") && url.query().is_none();
        let named = url.username().is_empty() && url.password().is_none();
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(SyslogRefused::Format)?;
        if !bare || !named || url.fragment().is_some() {
            return Err(SyslogRefused::Format);
        }
        // Other schemes than those of the web are not normalised by the parser.
        let host = Host::parse(host).map_err(|_| SyslogRefused::Format)?.to_string();
        if !tls && !is_near(&host) {
            return Err(SyslogRefused::Plain);
        }
        let port = url.port().unwrap_or(if tls { PORT_TLS } else { PORT });
        Ok(Self { host, port, tls })
    }

    /// Whole messages, counted already; all of them were read when it returns. Each part may take `patience`.
    pub async fn deliver(&self, messages: &[u8], patience: Duration) -> Result<(), SyslogError> {
        let tls = if self.tls { Some(Arc::new(config()?)) } else { None };
        self.deliver_by(messages, patience, tls).await
    }

    async fn deliver_by(
        &self,
        messages: &[u8],
        patience: Duration,
        tls: Option<Arc<ClientConfig>>,
    ) -> Result<(), SyslogError> {
        let bare = self.host.trim_start_matches('[').trim_end_matches(']');
        let connecting = timeout(patience, TcpStream::connect((bare, self.port))).await;
        let stream = connecting.map_err(|_| SyslogError::Timeout { phase: "connect" })?;
        let stream = stream.map_err(|error| unreachable(&error))?;
        let Some(tls) = tls else { return hand_over(stream, messages, patience).await };
        let name = ServerName::try_from(bare.to_owned());
        let name = name.map_err(|error| SyslogError::Unreachable { reason: error.to_string() })?;
        let shaking = timeout(patience, TlsConnector::from(tls).connect(name, stream)).await;
        let stream = shaking.map_err(|_| SyslogError::Timeout { phase: "TLS handshake" })?;
        hand_over(stream.map_err(|error| unreachable(&error))?, messages, patience).await
    }
}

impl fmt::Display for SyslogReceiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls { "syslogs" } else { "syslog" };
        write!(f, "{scheme}://{}:{}", self.host, self.port)
    }
}

fn config() -> Result<ClientConfig, ClientUnavailable> {
    let mut config = tls_config()?;
    config.alpn_protocols.clear();
    Ok(config)
}

async fn hand_over<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    messages: &[u8],
    patience: Duration,
) -> Result<(), SyslogError> {
    let writing = async {
        stream.write_all(messages).await?;
        stream.flush().await?;
        stream.shutdown().await
    };
    let written = timeout(patience, writing).await;
    let written = written.map_err(|_| SyslogError::Timeout { phase: "send" })?;
    written.map_err(|error| interrupted(&error))?;
    let mut answer = Vec::new();
    let closing = (&mut stream).take(ANSWER_BYTES_MAX as u64);
    let closed = timeout(patience, read_all(closing, &mut answer)).await;
    match closed.map_err(|_| SyslogError::Timeout { phase: "close" })? {
        Ok(()) if answer.len() < ANSWER_BYTES_MAX => Ok(()),
        Ok(()) => Err(SyslogError::Interrupted { reason: "it answers without end".to_owned() }),
        // Over TLS a receiver may close its half without a word of TLS: what it read came before.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(()),
        Err(error) => Err(interrupted(&error)),
    }
}

async fn read_all(mut from: impl AsyncRead + Unpin, to: &mut Vec<u8>) -> io::Result<()> {
    from.read_to_end(to).await.map(drop)
}

fn unreachable(error: &io::Error) -> SyslogError {
    SyslogError::Unreachable { reason: reason(error) }
}

fn interrupted(error: &io::Error) -> SyslogError {
    SyslogError::Interrupted { reason: reason(error) }
}

fn reason(error: &io::Error) -> String {
    error.to_string().chars().take(REASON_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests;
