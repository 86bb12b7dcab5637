//! The providers of models as a program, for whoever wants to see a client against them.

#[tokio::main]
async fn main() -> std::io::Result<()> {
    wiiiv_ghost::run_provider().await
}
