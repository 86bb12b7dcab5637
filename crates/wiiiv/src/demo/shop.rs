//! The small service that the demo's plans may call, at the same port as last time if it is free.

use crate::start::StartError;
use std::io;
use std::path::Path;
use wiiiv_ghost::Shop;

const PORT_FILE: &str = "shop-port";

pub async fn open_shop(folder: &Path) -> Result<Shop, StartError> {
    let refused = |error: io::Error| StartError::Demo(format!("the shop: {error}"));
    let file = folder.join(PORT_FILE);
    let kept = std::fs::read_to_string(&file).ok().and_then(|text| text.trim().parse().ok());
    let shop = match Shop::open(kept.unwrap_or(0)).await {
        Ok(shop) => shop,
        Err(_) => Shop::open(0).await.map_err(refused)?,
    };
    std::fs::write(&file, format!("{}\n", shop.address().port())).map_err(refused)?;
    Ok(shop)
}
