//! One worker's server with its model server: scenarios are played in it, one project each.

use super::{
    error::PlayError,
    ground::{Ground, Patience},
    live::LiveModel,
    rest::Rest,
    server::Server,
};
use crate::model::Cassettes;
use std::{path::Path, sync::Arc};

pub(crate) struct House {
    // Ended before its folder goes.
    pub(crate) server: Server,
    pub(crate) ground: Ground,
    pub(crate) rest: Rest,
    /// Shared by the servers of one exhaustive crash test, which follow one another.
    pub(crate) cassettes: Arc<Cassettes>,
    /// In place of every recorded model.
    pub(crate) live: Option<LiveModel>,
}

impl House {
    pub(crate) async fn open(
        program: &Path,
        patience: Patience,
        live: Option<&LiveModel>,
    ) -> Result<Self, PlayError> {
        let cassettes = match live {
            None => Cassettes::open().await,
            Some(live) => Cassettes::before(&live.base).await,
        };
        let cassettes = cassettes.map_err(PlayError::io("the model server"))?;
        let cassettes = Arc::new(cassettes);
        let ground = Ground::lay(program, &cassettes.origin(), patience)?;
        let server = Server::start(&ground, None).await?;
        let token = server.setup_token.clone();
        let token = token.ok_or_else(|| PlayError::Start("no setup token".to_owned()))?;
        let mut rest = Rest::at(&server.url)?.set_up(&token).await?;
        if let Some(live) = live {
            rest = rest.patient();
            live.give_key(&rest, &cassettes.origin()).await?;
        }
        Ok(Self { server, ground, rest, cassettes, live: live.cloned() })
    }
}
