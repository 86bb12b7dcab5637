//! Why a provider cannot be called at all.

use crate::{catalogue::CatalogueError, proposal::SchemaError};
use wiiiv_domain::ProviderName;
use wiiiv_embed::{EmbedError, UnknownModel};
use wiiiv_messages::TopicsError;
use wiiiv_net::Origin;

#[derive(Debug, thiserror::Error)]
pub enum ModelsError {
    #[error(transparent)]
    Schema(#[from] SchemaError),
    #[error(transparent)]
    Topics(#[from] TopicsError),
    #[error("a CUSTOM provider needs `llmBaseUrl`, such as `http://localhost:11434/v1`")]
    NoBaseUrl,
    #[error("`llmBaseUrl` cannot be used: {0}")]
    BaseUrl(String),
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    #[error("the origin `{0}` is not approved: the server's operator can approve it")]
    NotApproved(Origin),
    #[error(
        "no key of `{0}` can be used for this turn, and it answers nobody without one: store one, \
         or let the project's policy name the source of one"
    )]
    NoKey(ProviderName),
    #[error(
        "`{provider}` has no model of its own: name one as `governorModel`, such as `{such_as}`"
    )]
    NoModel { provider: ProviderName, such_as: String },
    #[error(
        "`{0}` has no embeddings: name a model of another provider, such as `openai:text-embedding-3-small`, \
         or a local one, such as `local:e5-small`"
    )]
    NoEmbeddings(ProviderName),
    #[error(
        "`{0}` is built in and reviews nothing: name a provider, or set `modelPersonas` to `never`"
    )]
    NoReviews(ProviderName),
    #[error(transparent)]
    UnknownLocal(#[from] UnknownModel),
    #[error(transparent)]
    Local(#[from] EmbedError),
    #[error("the key that is stored is for another origin than `{0}`: store one for this origin")]
    KeyElsewhere(Origin),
}
