//! Other parties, played for real: a model server that can misbehave and a small shop with a call
//! log. Both speak HTTP on loopback; neither knows anything of the product.

mod bare;
mod model;
mod served;
mod shop;

pub use bare::Bare;
pub use model::{FakeModel, ModelCall, ModelMode};
pub use shop::{Item, Shop, ShopCall, ShopMode};
