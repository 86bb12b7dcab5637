//! `skystock`: inventory, suppliers, warehouses and purchase orders.

use super::{
    create_body::{CreateBody, CreateError, Row},
    filter::{Filter, Test},
    plan::{About, Create, List, Plan, Single},
    rows::Tables,
    skystock_columns,
};
use serde_json::json;

const PRODUCT: Filter = Filter { name: "product_id", test: Test::Equals(&["product_id"]) };
const BELOW: Filter = Filter { name: "below", test: Test::Under("quantity") };
const WAREHOUSE: Filter = Filter { name: "warehouse_id", test: Test::Equals(&["warehouse_id"]) };
const SUPPLIER: Filter = Filter { name: "supplier_id", test: Test::Equals(&["supplier_id"]) };
const STATUS: Filter = Filter { name: "status", test: Test::Equals(&["status"]) };

pub const PLAN: Plan = Plan {
    name: "skystock",
    aliases: &["스카이스톡", "재고 시스템", "재고시스템", "sky stock", "stock system"],
    rows: include_str!("../../data/skystock.json"),
    lists: &[
        List {
            about: About {
                id: "list_inventory",
                labels: &[
                    "재고 목록",
                    "재고 현황",
                    "재고",
                    "inventory",
                    "inventory list",
                    "stock list",
                    "stock",
                ],
            },
            path: "/inventory",
            table: "inventory",
            filters: &[PRODUCT, BELOW, WAREHOUSE, SUPPLIER],
        },
        List {
            about: About {
                id: "list_suppliers",
                labels: &[
                    "공급업체 목록",
                    "공급업체",
                    "공급사 목록",
                    "공급사",
                    "거래처 목록",
                    "거래처",
                    "suppliers",
                    "supplier list",
                ],
            },
            path: "/suppliers",
            table: "suppliers",
            filters: &[],
        },
        List {
            about: About {
                id: "list_purchase_orders",
                labels: &[
                    "발주 목록",
                    "발주 내역",
                    "발주",
                    "purchase orders",
                    "purchase order list",
                ],
            },
            path: "/purchase-orders",
            table: "purchase_orders",
            filters: &[SUPPLIER, PRODUCT, STATUS],
        },
        List {
            about: About {
                id: "list_warehouses",
                labels: &["창고 목록", "창고", "물류센터 목록", "warehouses", "warehouse list"],
            },
            path: "/warehouses",
            table: "warehouses",
            filters: &[],
        },
    ],
    singles: &[Single {
        about: About {
            id: "get_purchase_order",
            labels: &["발주 상세", "발주 정보", "purchase order details"],
        },
        path: "/purchase-orders",
        table: "purchase_orders",
    }],
    searches: &[],
    creates: &[Create {
        about: About {
            id: "create_purchase_order",
            labels: &["발주 생성", "발주 등록", "새 발주", "create purchase order"],
        },
        path: "/purchase-orders",
        table: "purchase_orders",
        row: purchase_order,
    }],
    columns: skystock_columns::COLUMNS,
};

fn purchase_order(tables: &Tables, body: &CreateBody<'_>) -> Result<Row, CreateError> {
    body.only(&["supplier_id", "product_id", "quantity"])?;
    let (supplier, _) = body.row_of("supplier_id", tables, "suppliers", "id")?;
    let (product, _) = body.row_of("product_id", tables, "inventory", "product_id")?;
    let fields = [
        ("supplier_id", json!(supplier)),
        ("product_id", json!(product)),
        ("quantity", json!(body.quantity()?)),
        ("status", json!("진행중")),
    ];
    Ok(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
