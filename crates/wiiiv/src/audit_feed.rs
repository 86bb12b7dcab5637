//! Sends the audit on to receivers: syslog and signed webhooks. At least once and in order; each line
//! carries its number and its hash, so that a receiver drops what it has.

mod keep;
mod line;
mod receiver;

pub use keep::keep;
pub use line::{FeedLine, bytes_of, read_lines};
pub use receiver::{DeliveryError, Receiver, ReceiverRefused, WEBHOOK_SECRET_VARIABLE};

use crate::config::AuditExportSettings;
use crate::secret;
use secrecy::SecretString;

/// Those of the configuration, in its order.
pub fn receivers(settings: &AuditExportSettings) -> Result<Vec<Receiver>, ReceiverRefused> {
    let secret = match (&settings.secret, settings.secret_file.as_os_str().is_empty()) {
        (Some(secret), _) => Some(SecretString::from(secret.as_str())),
        (None, false) => Some(secret::from_private_file(&settings.secret_file)?),
        (None, true) => None,
    };
    settings.to.iter().map(|to| Receiver::parse(to, secret.as_ref())).collect()
}
