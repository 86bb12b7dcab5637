//! What the rows of `skystock` hold, and what people call it.

use super::plan::{Column, column};

pub const COLUMNS: &[(&str, &[Column])] = &[
    (
        "inventory",
        &[
            column("id", &["재고번호", "재고 번호"]),
            column("product_id", &["상품번호", "상품 번호", "product number"]),
            column("product_name", &["상품명", "이름", "제품명", "name"]),
            column("quantity", &["수량", "재고 수량", "재고량", "개수", "남은 수량", "pieces"]),
            column("warehouse_id", &["창고", "창고번호", "warehouse"]),
            column("supplier_id", &["거래처", "거래처번호", "공급업체", "supplier"]),
        ],
    ),
    (
        "suppliers",
        &[
            column("id", &["거래처번호", "거래처 번호", "번호"]),
            column("name", &["이름", "거래처명", "업체명"]),
            column("name_en", &["영문 이름", "영문명"]),
            column("email", &["이메일", "메일"]),
            column("lead_days", &["납기", "소요일", "lead time"]),
        ],
    ),
    (
        "warehouses",
        &[
            column("id", &["창고번호", "창고 번호", "번호"]),
            column("name", &["이름", "창고명"]),
            column("city", &["도시", "지역"]),
        ],
    ),
    (
        "purchase_orders",
        &[
            column("id", &["발주번호", "발주 번호", "번호"]),
            column("supplier_id", &["거래처", "거래처번호", "공급업체", "supplier"]),
            column("product_id", &["상품번호", "상품 번호"]),
            column("quantity", &["수량", "개수"]),
            column("status", &["상태", "발주 상태"]),
        ],
    ),
];
