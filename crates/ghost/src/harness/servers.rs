//! The servers of one worker: the product and its model server. Each scenario gets a project of its own.

use super::{
    error::PlayError,
    live_model::LiveModel,
    played_rules::PlayedRules,
    rest_client::RestClient,
    server::Server,
    server_home::{Patience, ServerHome},
};
use std::{path::Path, sync::Arc};
use wiiiv_fakes::{Cassettes, ModelMode, Recorded};

pub(crate) struct Servers {
    // Declared before its home, so that it ends before the folder is removed.
    pub(crate) server: Server,
    pub(crate) home: ServerHome,
    pub(crate) rest: RestClient,
    /// The successive servers of one crash test share it.
    pub(crate) cassettes: Arc<Cassettes>,
    /// A real model that takes the place of every recorded one.
    pub(crate) live: Option<LiveModel>,
    /// Of a project; `None`: those that a new project has.
    pub(crate) rules: Option<PlayedRules>,
}

impl Servers {
    pub(crate) async fn open(
        program: &Path,
        patience: Patience,
        live: Option<&LiveModel>,
        rules: Option<&PlayedRules>,
    ) -> Result<Self, PlayError> {
        let cassettes = match live {
            None => Cassettes::open().await,
            Some(live) => Cassettes::before(&live.base).await,
        };
        let cassettes = cassettes.map_err(PlayError::io("the model server"))?;
        let cassettes = Arc::new(cassettes);
        let home = ServerHome::create(program, &cassettes.origin(), patience)?;
        let server = Server::start(&home, None).await?;
        let token = server.setup_token.clone();
        let token = token.ok_or_else(|| PlayError::Start("no setup token".to_owned()))?;
        let mut rest = RestClient::at(&server.url)?.set_up(&token).await?;
        if let Some(live) = live {
            rest = rest.patient();
            live.store_key(&rest, &cassettes.origin()).await?;
        }
        let (live, rules) = (live.cloned(), rules.cloned());
        Ok(Self { server, home, rest, cassettes, live, rules })
    }

    /// Replaces the answers that a cassette still has.
    pub(crate) fn set_answers(
        &self,
        cassette: &str,
        answers: impl IntoIterator<Item = Recorded>,
    ) -> Result<(), PlayError> {
        let set = self.cassettes.clear(cassette);
        let set = set.and_then(|()| self.cassettes.add(cassette, answers));
        set.map_err(PlayError::io("the model server"))
    }

    /// Adds answers behind those that a cassette still has.
    pub(crate) fn add_answers(
        &self,
        cassette: &str,
        answers: impl IntoIterator<Item = Recorded>,
    ) -> Result<(), PlayError> {
        self.cassettes.add(cassette, answers).map_err(PlayError::io("the model server"))
    }

    /// Makes the model of a cassette behave so; `None`: give the recorded answers again.
    pub(crate) fn set_hostile(
        &self,
        cassette: &str,
        mode: Option<ModelMode>,
    ) -> Result<(), PlayError> {
        self.cassettes.set_hostile(cassette, mode).map_err(PlayError::io("the model server"))
    }
}
