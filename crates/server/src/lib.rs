//! axum routes, DTOs, authentication and OpenAPI
