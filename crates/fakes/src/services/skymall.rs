//! `skymall`: products, categories, users and orders.

use super::{
    create_body::{CreateBody, CreateError, Row},
    filter::{Filter, Test},
    plan::{About, Create, List, Plan, Search, Single},
    rows::Tables,
    skymall_columns,
};
use serde_json::{Value, json};

const CATEGORY: Filter =
    Filter { name: "category", test: Test::Equals(&["category", "category_id"]) };
const MIN_PRICE: Filter = Filter { name: "min_price", test: Test::AtLeast("price") };
const MAX_PRICE: Filter = Filter { name: "max_price", test: Test::AtMost("price") };
const AVAILABLE: Filter = Filter { name: "available", test: Test::Equals(&["available"]) };
const KEYWORD: Filter = Filter { name: "keyword", test: Test::Contains(&["name", "name_en"]) };
const USER: Filter = Filter { name: "user_id", test: Test::Equals(&["user_id"]) };
const PRODUCT: Filter = Filter { name: "product_id", test: Test::Equals(&["product_id"]) };
const STATUS: Filter = Filter { name: "status", test: Test::Equals(&["status"]) };

pub const PLAN: Plan = Plan {
    name: "skymall",
    aliases: &["스카이몰", "몰", "쇼핑몰", "sky mall", "mall"],
    rows: include_str!("../../data/skymall.json"),
    lists: &[
        List {
            about: About {
                id: "list_products",
                labels: &[
                    "상품 목록",
                    "제품 목록",
                    "상품",
                    "제품",
                    "products",
                    "product list",
                    "product catalog",
                ],
            },
            path: "/products",
            table: "products",
            filters: &[CATEGORY, MIN_PRICE, MAX_PRICE, AVAILABLE],
        },
        List {
            about: About {
                id: "list_categories",
                labels: &["카테고리 목록", "카테고리", "categories", "category list"],
            },
            path: "/categories",
            table: "categories",
            filters: &[],
        },
        List {
            about: About {
                id: "list_users",
                labels: &[
                    "회원 목록",
                    "회원",
                    "고객 목록",
                    "고객",
                    "users",
                    "user list",
                    "customers",
                ],
            },
            path: "/users",
            table: "users",
            filters: &[],
        },
        List {
            about: About {
                id: "list_orders",
                labels: &["주문 목록", "주문 내역", "주문", "orders", "order list"],
            },
            path: "/orders",
            table: "orders",
            filters: &[USER, PRODUCT, STATUS],
        },
    ],
    singles: &[
        Single {
            about: About {
                id: "get_product",
                labels: &["상품 상세", "상품 정보", "product details", "product"],
            },
            path: "/products",
            table: "products",
        },
        Single {
            about: About {
                id: "get_order",
                labels: &["주문 상세", "주문 정보", "order details", "order"],
            },
            path: "/orders",
            table: "orders",
        },
    ],
    searches: &[Search {
        about: About {
            id: "search_products",
            labels: &["상품 검색", "제품 검색", "search products", "product search"],
        },
        path: "/products/search",
        table: "products",
        filters: &[CATEGORY, MIN_PRICE, MAX_PRICE, AVAILABLE, KEYWORD],
    }],
    creates: &[Create {
        about: About {
            id: "create_order",
            labels: &["주문 생성", "주문 등록", "새 주문", "create order", "place an order"],
        },
        path: "/orders",
        table: "orders",
        row: order,
    }],
    columns: skymall_columns::COLUMNS,
};

fn order(tables: &Tables, body: &CreateBody<'_>) -> Result<Row, CreateError> {
    body.only(&["user_id", "product_id", "quantity", "memo"])?;
    let (user, _) = body.row_of("user_id", tables, "users", "id")?;
    let (product, row) = body.row_of("product_id", tables, "products", "id")?;
    let quantity = body.quantity()?;
    let price = row.get("price").and_then(Value::as_u64).unwrap_or_default();
    let fields = [
        ("user_id", json!(user)),
        ("product_id", json!(product)),
        ("quantity", json!(quantity)),
        ("total", json!(price * quantity)),
        ("status", json!("결제완료")),
        ("memo", json!(body.text("memo")?)),
    ];
    Ok(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
