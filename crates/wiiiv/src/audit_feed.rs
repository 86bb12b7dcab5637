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

/// Those of the configuration, in its order. The secret of webhooks is in a file that is named there, or in the
/// environment: of two it would be a guess which one receivers know.
pub fn receivers(settings: &AuditExportSettings) -> Result<Vec<Receiver>, ReceiverRefused> {
    let file = Some(&settings.secret_file).filter(|file| !file.as_os_str().is_empty());
    let secret = match (&settings.secret, file) {
        (Some(_), Some(_)) => return Err(ReceiverRefused::TwoSecrets),
        (Some(secret), None) => Some(SecretString::from(secret.as_str())),
        (None, Some(file)) => Some(secret::from_private_file(file)?),
        (None, None) => None,
    };
    settings.to.iter().map(|to| Receiver::parse(to, secret.as_ref())).collect()
}

#[cfg(test)]
mod tests {
    use super::{AuditExportSettings, ReceiverRefused, receivers};
    use crate::secret;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    fn settings(secret: Option<&str>, secret_file: &Path) -> AuditExportSettings {
        AuditExportSettings {
            to: vec!["https://siem.example.com/wiiiv".to_owned()],
            secret_file: secret_file.to_owned(),
            interval_seconds: Duration::from_secs(5),
            secret: secret.map(str::to_owned),
        }
    }

    #[test]
    fn the_secret_is_in_one_place_and_shown_in_none() {
        let folder = tempfile::tempdir().unwrap();
        let (none, file) = (PathBuf::new(), folder.path().join("hook"));
        secret::write(&file, "CANARY-of-the-file\n").unwrap();
        let variable = Some("CANARY-of-the-variable");
        receivers(&settings(None, &file)).unwrap();
        receivers(&settings(variable, &none)).unwrap();
        let missing = receivers(&settings(None, &none)).unwrap_err();
        assert!(matches!(missing, ReceiverRefused::NoSecret), "{missing}");
        let both = settings(variable, &file);
        let refused = receivers(&both).unwrap_err();
        assert!(matches!(refused, ReceiverRefused::TwoSecrets), "{refused}");
        assert!(!format!("{refused} {refused:?} {both:?}").contains("CANARY"));
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        let exposed = receivers(&settings(None, &file)).unwrap_err();
        assert!(matches!(exposed, ReceiverRefused::Secret(_)), "{exposed}");
    }
}
