//! A receiver over TCP and one over TLS, both real.

use super::{SyslogError, SyslogReceiver, SyslogRefused};
use crate::install_tls_provider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

const PATIENCE: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(200);
/// Of `localhost`, signed by itself, for tests alone; good until 2126.
const CERTIFICATE: &[u8] = include_bytes!("tests/localhost.crt");
const KEY: &[u8] = include_bytes!("tests/localhost.key");

async fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

async fn read(mut from: impl AsyncRead + Unpin) -> Vec<u8> {
    let mut all = Vec::new();
    from.read_to_end(&mut all).await.unwrap();
    all
}

#[test]
fn a_receiver_is_an_address_and_plain_tcp_stays_near() {
    for (text, shown) in [
        ("syslog://127.0.0.1:5514", "syslog://127.0.0.1:5514"),
        ("syslog://collector", "syslog://collector:601"),
        ("syslogs://logs.example.com", "syslogs://logs.example.com:6514"),
        ("syslog://[::1]:5514/", "syslog://[::1]:5514"),
    ] {
        assert_eq!(SyslogReceiver::parse(text).unwrap().to_string(), shown);
    }
    assert_eq!(SyslogReceiver::parse("syslog://logs.example.com"), Err(SyslogRefused::Plain));
    for text in ["logs", "http://a", "syslog://", "syslog://a/b", "syslog://u:p@a", "syslog://a?x"]
    {
        assert_eq!(SyslogReceiver::parse(text), Err(SyslogRefused::Format), "{text}");
    }
}

#[tokio::test]
async fn what_was_delivered_was_read_whole() {
    let (listener, port) = listen().await;
    let receiver = SyslogReceiver::parse(&format!("syslog://127.0.0.1:{port}")).unwrap();
    let messages = vec![b'x'; 3 * 1024 * 1024];
    let sent = messages.clone();
    let reading = tokio::spawn(async move { read(listener.accept().await.unwrap().0).await });
    receiver.deliver(&sent, PATIENCE).await.unwrap();
    assert_eq!(reading.await.unwrap(), messages);
}

#[tokio::test]
async fn one_that_breaks_off_or_reads_nothing_has_got_nothing() {
    let (listener, port) = listen().await;
    let receiver = SyslogReceiver::parse(&format!("syslog://127.0.0.1:{port}")).unwrap();
    let messages = vec![b'x'; 3 * 1024 * 1024];
    // Closed with bytes that nobody read: the connection is reset.
    let breaking = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.read_exact(&mut [0; 10]).await.unwrap();
        drop(stream);
        listener
    });
    let broken = receiver.deliver(&messages, PATIENCE).await.unwrap_err();
    assert!(matches!(broken, SyslogError::Interrupted { .. }), "{broken}");
    let listener = breaking.await.unwrap();
    let silent = receiver.deliver(b"1 x", SHORT).await.unwrap_err();
    assert_eq!(silent, SyslogError::Timeout { phase: "close" });
    drop(listener);
    let gone = receiver.deliver(b"1 x", PATIENCE).await.unwrap_err();
    assert!(matches!(gone, SyslogError::Unreachable { .. }), "{gone}");
}

#[tokio::test]
async fn over_tls_the_certificate_has_to_be_trusted() {
    install_tls_provider();
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE).unwrap();
    let key = PrivateKeyDer::from_pem_slice(KEY).unwrap();
    let server = ServerConfig::builder().with_no_client_auth();
    let server = server.with_single_cert(vec![certificate.clone()], key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(server));
    let (listener, port) = listen().await;
    let reading = tokio::spawn(async move {
        let mut got = Vec::new();
        for _ in 0..2 {
            let (stream, _) = listener.accept().await.unwrap();
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            stream.read_to_end(&mut got).await.unwrap();
            stream.shutdown().await.unwrap();
        }
        got
    });
    let receiver = SyslogReceiver::parse(&format!("syslogs://localhost:{port}")).unwrap();
    // Its issuer is unknown to this machine.
    let refused = receiver.deliver(b"1 x", PATIENCE).await.unwrap_err();
    assert!(matches!(refused, SyslogError::Unreachable { .. }), "{refused}");
    let mut roots = RootCertStore::empty();
    roots.add(certificate).unwrap();
    let trusting = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    receiver.deliver_by(b"5 hello", PATIENCE, Some(Arc::new(trusting))).await.unwrap();
    assert_eq!(reading.await.unwrap(), b"5 hello");
}
