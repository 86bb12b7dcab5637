//! People of a test, with an account and a token each.

use secrecy::{ExposeSecret as _, SecretString};
use wiiiv_domain::{ProjectId, ProjectPolicy, UserId};
use wiiiv_store::{NewUser, Store, TokenScope};

#[derive(Clone)]
pub struct Person {
    pub user: UserId,
    pub personal: ProjectId,
    pub token: String,
}

/// Makes an account whose personal project has this policy, and a token of full scope.
pub async fn person(store: &Store, name: &str, admin: bool, policy: ProjectPolicy) -> Person {
    let password = SecretString::from(format!("a long password of {name}"));
    let new = NewUser { name: name.to_owned(), password, admin };
    let created = store.create_user(new, policy).await.unwrap();
    let token = token(store, created.user, TokenScope::Full).await;
    Person { user: created.user, personal: created.project, token }
}

/// Issues a further token, without an end.
pub async fn token(store: &Store, user: UserId, scope: TokenScope) -> String {
    let issued = store.issue_token(user, scope, None).await.unwrap();
    issued.text.expose_secret().to_owned()
}
