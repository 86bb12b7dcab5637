//! Rotation of the master key: an administrator starts and watches it.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::rotation::MasterKeyView,
    problem::{Problem, ProblemCode},
};
use axum::{Json, http::StatusCode};
use wiiiv_store::{RotationBegun, RotationRefused};

/// Begins to move everything that is sealed to the next master key, which lies beside the one in use;
/// the answer does not wait for the end. Asked again, it changes nothing: 202 while it goes on, 200
/// where everything is sealed under that key already.
#[utoipa::path(post, path = "/keys/rotate", tag = "keys", responses(
    (status = 200, body = MasterKeyView),
    (status = 202, body = MasterKeyView),
))]
pub(crate) async fn rotate_master_key(
    caller: Caller,
) -> Result<(StatusCode, Json<MasterKeyView>), Problem> {
    let state = &caller.state;
    let by = caller.administer(rules::ROTATE_MASTER_KEY).await?.user();
    let next = state.config().next_key.look().map_err(refused)?;
    let status = match state.store().rotate_master_key(by, next).await? {
        RotationBegun::Going => StatusCode::ACCEPTED,
        RotationBegun::Over => StatusCode::OK,
    };
    Ok((status, Json(state.store().master_key_rotation().await?.into())))
}

/// How far the newest rotation of the master key is, and its certificate when it has ended.
#[utoipa::path(get, path = "/keys/rotation", tag = "keys", responses(
    (status = 200, body = MasterKeyView),
))]
pub(crate) async fn master_key_rotation(caller: Caller) -> Result<Json<MasterKeyView>, Problem> {
    caller.administer(rules::MASTER_KEY_ROTATION).await?;
    Ok(Json(caller.state.store().master_key_rotation().await?.into()))
}

fn refused(reason: String) -> Problem {
    Problem::new(ProblemCode::NextKeyRefused).with("reason", reason)
}

impl From<RotationRefused> for Problem {
    fn from(error: RotationRefused) -> Self {
        match error {
            RotationRefused::NoNextKey => ProblemCode::NoNextKey.into(),
            RotationRefused::SameKey | RotationRefused::Former { .. } => refused(error.to_string()),
            RotationRefused::Store(error) => error.into(),
        }
    }
}
