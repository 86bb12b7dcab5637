//! A collector of its own: real HTTP on loopback, and the protobuf that came is decoded.

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

pub struct Received {
    pub path: String,
    pub head: String,
    pub body: Vec<u8>,
}

#[derive(Clone)]
pub struct Collector {
    pub address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Collector {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let collector = Self { address, received: Arc::default() };
        let desk = collector.received.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let received = take(stream.unwrap());
                desk.lock().unwrap().push(received);
            }
        });
        collector
    }

    pub fn with<T>(&self, look: impl FnOnce(&[Received]) -> T) -> T {
        look(&self.received.lock().unwrap())
    }

    pub fn spans(&self) -> Vec<Span> {
        let decode = |one: &Received| ExportTraceServiceRequest::decode(&*one.body).unwrap();
        let requests: Vec<_> = self
            .with(|all| all.iter().filter(|one| one.path == "/v1/traces").map(decode).collect());
        let resources = requests.into_iter().flat_map(|request| request.resource_spans);
        let scopes = resources.flat_map(|resource| resource.scope_spans);
        scopes.flat_map(|scope| scope.spans).collect()
    }

    pub fn metrics(&self) -> BTreeSet<String> {
        let decode = |one: &Received| ExportMetricsServiceRequest::decode(&*one.body).unwrap();
        let requests: Vec<_> = self
            .with(|all| all.iter().filter(|one| one.path == "/v1/metrics").map(decode).collect());
        let resources = requests.into_iter().flat_map(|request| request.resource_metrics);
        let scopes = resources.flat_map(|resource| resource.scope_metrics);
        scopes.flat_map(|scope| scope.metrics).map(|metric| metric.name).collect()
    }
}

/// One request a connection.
fn take(mut stream: TcpStream) -> Received {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut first = String::new();
    reader.read_line(&mut first).unwrap();
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let lower = line.to_lowercase();
        if let Some(count) = lower.strip_prefix("content-length:") {
            length = count.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    Received { path, head, body }
}

/// As text, whatever their kind.
pub fn attributes(span: &Span) -> BTreeMap<String, String> {
    let text = |value: &Value| match value {
        Value::StringValue(text) => text.clone(),
        Value::BoolValue(flag) => flag.to_string(),
        Value::IntValue(number) => number.to_string(),
        other => format!("{other:?}"),
    };
    let read = |pair: &opentelemetry_proto::tonic::common::v1::KeyValue| {
        let value = pair.value.as_ref().and_then(|value| value.value.as_ref());
        (pair.key.clone(), value.map(text).unwrap_or_default())
    };
    span.attributes.iter().map(read).collect()
}
