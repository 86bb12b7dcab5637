//! The address of a list with its filters.

use url::form_urlencoded::Serializer;

pub struct Query {
    path: String,
    pairs: Serializer<'static, String>,
    is_empty: bool,
}

impl Query {
    pub fn of(path: String) -> Self {
        Self { path, pairs: Serializer::new(String::new()), is_empty: true }
    }

    pub fn add(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.pairs.append_pair(name, value);
            self.is_empty = false;
        }
    }

    pub fn text(mut self) -> String {
        if self.is_empty { self.path } else { format!("{}?{}", self.path, self.pairs.finish()) }
    }
}
