//! The subjects of the checks, in order.

use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    Configuration,
    DataFolder,
    MasterKey,
    Database,
    Audit,
    Disk,
    OpenFiles,
    Clock,
    Sandbox,
    Credentials,
    Server,
}

impl Subject {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Configuration => "configuration",
            Self::DataFolder => "data_folder",
            Self::MasterKey => "master_key",
            Self::Database => "database",
            Self::Audit => "audit",
            Self::Disk => "disk",
            Self::OpenFiles => "open_files",
            Self::Clock => "clock",
            Self::Sandbox => "sandbox",
            Self::Credentials => "credentials",
            Self::Server => "server",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Subject;
    use crate::texts::Texts;
    use wiiiv_domain::Lang;

    const ALL: [Subject; 11] = [
        Subject::Configuration,
        Subject::DataFolder,
        Subject::MasterKey,
        Subject::Database,
        Subject::Audit,
        Subject::Disk,
        Subject::OpenFiles,
        Subject::Clock,
        Subject::Sandbox,
        Subject::Credentials,
        Subject::Server,
    ];

    #[test]
    fn every_subject_has_a_name_and_advice() {
        for language in Lang::ALL {
            let texts = Texts::of(language).unwrap().doctor;
            for subject in ALL {
                assert!(texts.names.contains_key(subject.as_str()), "{language} {subject:?}");
                assert!(texts.advice.contains_key(subject.as_str()), "{language} {subject:?}");
            }
            let others = [
                "master_key_rotating",
                "master_key_rotated",
                "audit_unsealed",
                "audit_checkpoints",
                "audit_checkpoints_inside",
            ];
            for standing in others {
                assert!(texts.advice.contains_key(standing), "{language} {standing}");
            }
        }
    }
}
