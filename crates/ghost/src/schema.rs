//! The published JSON Schema of scenario files, made from the types that read them.

use crate::scenario::Scenario;
use schemars::{generate::SchemaSettings, transform::RecursiveTransform};
use serde_json::Value;

/// Draft 2020-12. `ghost-scenarios/schema.json` is this, and a test compares them.
#[must_use]
pub fn scenario_schema() -> Value {
    let plain = RecursiveTransform(|schema: &mut schemars::Schema| {
        // The formats are names of Rust's number types, which no other reader knows.
        schema.remove("format");
    });
    let settings = SchemaSettings::draft2020_12().with_transform(plain);
    let mut schema = settings.into_generator().into_root_schema_for::<Scenario>();
    schema.insert("title".to_owned(), "GHOST scenario".into());
    wiiiv_domain::sorted(schema.to_value())
}
