//! A receiver of the audit, and one delivery to it.

use super::line::FeedLine;
use crate::clock;
use crate::secret::SecretError;
use secrecy::SecretString;
use std::fmt;
use std::time::Duration;
use wiiiv_net::{
    Bytes, ClientUnavailable, ModelOriginRefused, Origin, OriginFormat, ProviderClient,
    ProviderError, ProviderRequest, SyslogError, SyslogReceiver, SyslogRefused, Timeouts, Url,
};
use wiiiv_vault::{WEBHOOK_SECRET_BYTES_MIN, webhook_signature};

/// Where the command line finds the secret of a webhook.
pub const WEBHOOK_SECRET_VARIABLE: &str = "WIIIV_AUDIT_WEBHOOK_SECRET";
/// RFC 5424, 6.2.1: facility 13 (log audit), severity 6 (informational).
const PRIORITY: u32 = 13 * 8 + 6;
const APP_NAME: &str = "wiiiv";
/// RFC 5424, 6.2.7.
const MSGID_CHARS_MAX: usize = 32;
/// Each part of a delivery is waited for so long.
const PATIENCE: Duration = Duration::from_secs(30);
/// Nobody reads what a receiver answers.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum ReceiverRefused {
    /// It is not quoted: an address may hold a secret.
    #[error(
        "a receiver is no address such as `syslog://127.0.0.1:5514`, `syslogs://logs.example.com` or \
         `https://siem.example.com/wiiiv`"
    )]
    NoUrl,
    #[error(transparent)]
    Syslog(#[from] SyslogRefused),
    #[error("a webhook's address: {0}")]
    Format(#[from] OriginFormat),
    #[error("a webhook's address: {0}")]
    Origin(#[from] ModelOriginRefused),
    #[error(
        "a webhook needs a secret of at least `{WEBHOOK_SECRET_BYTES_MIN}` characters: a server takes it from \
         `audit.export.secret_file` or `WIIIV__AUDIT__EXPORT__SECRET`, the command line from `--secret-file` or \
         `{WEBHOOK_SECRET_VARIABLE}`"
    )]
    NoSecret,
    #[error(
        "`secret_file` and `WIIIV__AUDIT__EXPORT__SECRET` both give a secret: keep one of them"
    )]
    TwoSecrets,
    #[error(transparent)]
    Secret(#[from] SecretError),
    #[error(transparent)]
    Client(#[from] ClientUnavailable),
}

/// Nothing of it is told but a receiver's origin: an address may hold a secret.
#[derive(Debug, thiserror::Error)]
pub enum DeliveryError {
    #[error(transparent)]
    Syslog(#[from] SyslogError),
    #[error("the receiver answered with status `{code}`")]
    Status { code: u16 },
    #[error("the receiver took too long: `{phase}` timeout")]
    Timeout { phase: String },
    #[error("the receiver cannot be reached: `{reason}`")]
    Unreachable { reason: String },
    #[error("{0}")]
    Refused(String),
}

impl DeliveryError {
    /// For a metric's label.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Syslog(SyslogError::Unreachable { .. }) | Self::Unreachable { .. } => {
                "unreachable"
            }
            Self::Syslog(SyslogError::Timeout { .. }) | Self::Timeout { .. } => "timeout",
            Self::Syslog(SyslogError::Interrupted { .. }) => "interrupted",
            Self::Status { .. } => "status",
            Self::Syslog(SyslogError::Tls(_)) | Self::Refused(_) => "refused",
        }
    }
}

impl From<ProviderError> for DeliveryError {
    fn from(error: ProviderError) -> Self {
        match error {
            ProviderError::Status { code, .. } => Self::Status { code },
            ProviderError::Timeout { phase } => Self::Timeout { phase: phase.to_string() },
            ProviderError::Unreachable { reason, .. } | ProviderError::Interrupted { reason } => {
                Self::Unreachable { reason }
            }
            ProviderError::TooLarge { max_bytes } => {
                Self::Refused(format!("the receiver's answer is longer than `{max_bytes}` bytes"))
            }
            ProviderError::OriginNotApproved { .. }
            | ProviderError::KeyElsewhere { .. }
            | ProviderError::Header(_) => Self::Refused("the request was not sent".to_owned()),
        }
    }
}

#[derive(Clone)]
pub enum Receiver {
    Syslog(SyslogReceiver),
    Webhook(Box<Webhook>),
}

/// Speaks to its one origin alone, without a proxy, and follows no redirect.
#[derive(Clone)]
pub struct Webhook {
    url: Url,
    origin: Origin,
    secret: SecretString,
    client: ProviderClient,
}

/// Its origin: the rest of an address may be a secret.
impl fmt::Display for Receiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syslog(receiver) => receiver.fmt(f),
            Self::Webhook(hook) => hook.origin.fmt(f),
        }
    }
}

impl fmt::Debug for Receiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Receiver").field(&self.to_string()).finish()
    }
}

impl Receiver {
    pub fn parse(text: &str, secret: Option<&SecretString>) -> Result<Self, ReceiverRefused> {
        let url = Url::parse(text.trim()).map_err(|_| ReceiverRefused::NoUrl)?;
        match url.scheme() {
            "syslog" | "syslogs" => Ok(Self::Syslog(SyslogReceiver::parse(text)?)),
            "http" | "https" => Ok(Self::Webhook(Box::new(Webhook::new(url, secret)?))),
            _ => Err(ReceiverRefused::NoUrl),
        }
    }

    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Syslog(_) => "syslog",
            Self::Webhook(_) => "webhook",
        }
    }

    /// Its whole address, of which a position is kept under the hash.
    pub fn address(&self) -> String {
        match self {
            Self::Syslog(receiver) => receiver.to_string(),
            Self::Webhook(hook) => hook.url.to_string(),
        }
    }

    /// All of these lines, in order. On success the receiver has them all; else it may have some.
    pub async fn deliver(&self, lines: &[FeedLine]) -> Result<(), DeliveryError> {
        match self {
            Self::Syslog(receiver) => {
                let mut messages = Vec::new();
                lines.iter().for_each(|line| messages.extend_from_slice(&message(line)));
                Ok(receiver.deliver(&messages, PATIENCE).await?)
            }
            Self::Webhook(hook) => hook.deliver(lines).await,
        }
    }
}

impl Webhook {
    fn new(url: Url, secret: Option<&SecretString>) -> Result<Self, ReceiverRefused> {
        let origin = Origin::of(&url)?;
        // Plain http is for places nearby, as for models.
        let origin = Origin::of_models(&origin.to_string())?;
        let secret = secret.filter(|secret| webhook_signature(secret, "0", b"").is_some());
        let secret = secret.ok_or(ReceiverRefused::NoSecret)?.clone();
        let timeouts =
            Timeouts { first_byte: PATIENCE, total: 2 * PATIENCE, ..Timeouts::default() };
        let client = ProviderClient::new([origin.clone()], timeouts)?;
        Ok(Self { url, origin, secret, client })
    }

    async fn deliver(&self, lines: &[FeedLine]) -> Result<(), DeliveryError> {
        let Some(first) = lines.first() else { return Ok(()) };
        let mut body = String::new();
        for line in lines {
            body.push_str(&line.text);
            body.push('\n');
        }
        let at = (clock::now().unix_ms() / 1_000).to_string();
        let signature = webhook_signature(&self.secret, &at, body.as_bytes());
        let refused = || DeliveryError::Refused("the secret cannot sign".to_owned());
        let signature = signature.ok_or_else(refused)?;
        let seqs = || lines.iter().map(|line| line.seq);
        let headers = [
            ("content-type", "application/jsonl".to_owned()),
            ("wiiiv-timestamp", at),
            ("wiiiv-signature", format!("v1={signature}")),
            ("wiiiv-chain", first.chain.clone()),
            ("wiiiv-first", seqs().min().unwrap_or_default().to_string()),
            ("wiiiv-last", seqs().max().unwrap_or_default().to_string()),
        ];
        let mut request = ProviderRequest::new(self.url.clone(), None, Bytes::from(body));
        request.headers =
            headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        request.max_bytes = ANSWER_BYTES_MAX;
        match self.client.post(request).await {
            // Its head said that it has taken them; nobody reads the rest.
            Ok(_) | Err(ProviderError::TooLarge { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// RFC 5424, with the octets of it counted before (RFC 6587, 3.4.1).
fn message(line: &FeedLine) -> Vec<u8> {
    let id: String =
        line.kind.chars().filter(char::is_ascii_graphic).take(MSGID_CHARS_MAX).collect();
    let id = if id.is_empty() { "-" } else { &id };
    let said = format!("<{PRIORITY}>1 {} - {APP_NAME} - {id} - {}", line.at, line.text);
    format!("{} {said}", said.len()).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::{FeedLine, Receiver, ReceiverRefused, message};
    use crate::audit_feed::read_lines;
    use secrecy::SecretString;

    fn line() -> FeedLine {
        let record = format!(
            r#"{{"at":"2026-11-28T09:00:00.000Z","body":{{"나":1}},"chain":"server","hash":"{0}","kind":"turn.ended","prev":"{0}","seq":"1"}}"#,
            "00".repeat(32)
        );
        read_lines(&record).unwrap().remove(0)
    }

    #[test]
    fn a_message_is_counted_in_octets_and_names_its_kind() {
        let line = line();
        let counted = String::from_utf8(message(&line)).unwrap();
        let (count, said) = counted.split_once(' ').unwrap();
        assert_eq!(count.parse(), Ok(said.len()));
        assert!(said.len() > said.chars().count(), "octets, not characters");
        let due = "<110>1 2026-11-28T09:00:00.000Z - wiiiv - turn.ended - {";
        assert!(said.starts_with(due), "{said}");
        assert!(said.ends_with(&line.text));
    }

    #[test]
    fn a_receiver_is_refused_with_what_to_do_and_never_quoted() {
        let secret = SecretString::from("0123456789abcdef");
        for good in
            ["syslog://127.0.0.1:5514", "https://siem.example.com/wiiiv", "http://127.0.0.1:1/x"]
        {
            Receiver::parse(good, Some(&secret)).unwrap();
        }
        for bad in [
            "CANARY",
            "file:///CANARY",
            "ftp://CANARY",
            "syslog://CANARY.example.com",
            "http://user:CANARY@siem.example.com/",
        ] {
            let refused = Receiver::parse(bad, Some(&secret)).unwrap_err().to_string();
            assert!(!refused.contains("CANARY"), "{refused}");
        }
        assert!(matches!(
            Receiver::parse("http://siem.example.com/", Some(&secret)),
            Err(ReceiverRefused::Origin(_))
        ));
        for secret in [None, Some(&SecretString::from("short"))] {
            let refused = Receiver::parse("https://siem.example.com/", secret).unwrap_err();
            assert!(matches!(refused, ReceiverRefused::NoSecret), "{refused}");
        }
        let hook = Receiver::parse("https://siem.example.com/CANARY?t=CANARY", Some(&secret));
        assert_eq!(format!("{:?}", hook.unwrap()), r#"Receiver("https://siem.example.com")"#);
    }
}
