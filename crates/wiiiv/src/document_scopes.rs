//! Scopes in which somebody finds documents, and what they are called.

use crate::connection::{Connection, parsed, text};
use crate::failure::Failure;
use serde_json::Value;
use wiiiv_domain::{ProjectId, Scope, UserId};

/// A scope that one may not look into, and one that is gone.
const CLOSED: [u16; 2] = [403, 404];

/// Of one person: everybody's, their own, and each project's.
pub struct DocumentScopes {
    user: UserId,
    projects: Vec<(ProjectId, String)>,
}

impl DocumentScopes {
    pub async fn of(connection: &Connection) -> Result<Self, Failure> {
        let user = parsed(&connection.get("/auth/me").await?, "user")?;
        let mut projects = Vec::new();
        for row in connection.rows("/projects").await? {
            projects.push((parsed(&row, "id")?, text(&row, "name").to_owned()));
        }
        Ok(Self { user, projects })
    }

    pub const fn own(&self) -> Scope {
        Scope::User(self.user)
    }

    /// Of such a list, in all scopes; one that is closed to this person has none.
    pub async fn all(&self, connection: &Connection, list: &str) -> Result<Vec<Value>, Failure> {
        let projects = self.projects.iter().map(|(project, _)| Scope::Project(*project));
        let mut rows = Vec::new();
        for scope in [Scope::Global, self.own()].into_iter().chain(projects) {
            match connection.rows(&format!("{list}?scope={scope}")).await {
                Ok(found) => rows.extend(found),
                Err(failure) if failure.status().is_some_and(|of| CLOSED.contains(&of)) => {}
                Err(failure) => return Err(failure),
            }
        }
        Ok(rows)
    }

    /// The same for whoever does not know the scopes yet.
    pub async fn rows(connection: &Connection, list: &str) -> Result<Vec<Value>, Failure> {
        Self::of(connection).await?.all(connection, list).await
    }

    /// What that project is called; by its id where this person is no member.
    pub fn project(&self, id: ProjectId) -> String {
        let known = self.projects.iter().find(|(project, _)| *project == id);
        known.map_or_else(|| id.to_string(), |(_, name)| name.clone())
    }

    /// Whether there are projects of this person beside that one.
    pub fn has_beside(&self, id: ProjectId) -> bool {
        self.projects.iter().any(|(project, _)| *project != id)
    }

    /// In words: `everybody`, `mine`, or the name of a project.
    pub fn name<'a>(&'a self, scope: &'a str, (everybody, mine): (&'a str, &'a str)) -> &'a str {
        match scope.parse::<Scope>() {
            Ok(Scope::Global) => everybody,
            Ok(Scope::User(user)) if user == self.user => mine,
            Ok(Scope::Project(project)) => {
                let known = self.projects.iter().find(|(id, _)| *id == project);
                known.map_or(scope, |(_, name)| name.as_str())
            }
            Ok(Scope::User(_)) | Err(_) => scope,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DocumentScopes, Scope};

    #[test]
    fn a_scope_is_called_by_whose_it_is() {
        let id = |nth: u8| format!("0190b2c4-0000-7000-8000-00000000000{nth}");
        let projects = vec![(id(2).parse().unwrap(), "work".to_owned())];
        let scopes = DocumentScopes { user: id(1).parse().unwrap(), projects };
        assert_eq!(scopes.project(id(2).parse().unwrap()), "work");
        assert_eq!(scopes.project(id(3).parse().unwrap()), id(3));
        assert!(!scopes.has_beside(id(2).parse().unwrap()));
        assert!(scopes.has_beside(id(3).parse().unwrap()));
        let name = |scope: &str| scopes.name(scope, ("everybody", "you")).to_owned();
        assert_eq!(name("global"), "everybody");
        assert_eq!(name(&scopes.own().to_string()), "you");
        assert_eq!(name(&format!("project:{}", id(2))), "work");
        let other = Scope::Project(id(3).parse().unwrap()).to_string();
        assert_eq!(name(&other), other);
    }
}
