//! The fake model providers as a program: a client of any kind can be tried against them.

#[tokio::main]
async fn main() -> std::io::Result<()> {
    wiiiv_fakes::run_provider().await
}
