//! What the rows of `skystock` contain, and the words that people have for it.

use super::plan::{CellValue, Column, NamedValue, column, named};

const STATUSES: &[NamedValue] = &[
    named("진행중", &["진행 중", "in progress", "ongoing"]),
    named("입고완료", &["입고 완료", "입고된", "received"]),
];
const WAREHOUSES: &[NamedValue] = &[
    named("W1", &["서울", "서울 물류센터", "seoul"]),
    named("W2", &["부산", "부산 물류센터", "busan"]),
    named("W3", &["대전", "대전 물류센터", "daejeon"]),
];
const CITIES: &[NamedValue] =
    &[named("서울", &["seoul"]), named("부산", &["busan"]), named("대전", &["daejeon"])];
const NONE_LEFT: &[NamedValue] = &[NamedValue {
    value: CellValue::Number(0),
    labels: &["품절", "재고 없음", "sold out", "out of stock"],
}];

pub const COLUMNS: &[(&str, &[Column])] = &[
    (
        "inventory",
        &[
            column("id", &["재고번호", "재고 번호"]),
            column("product_id", &["상품번호", "상품 번호", "product number"]),
            column("product_name", &["상품명", "이름", "제품명", "name"]),
            column("quantity", &["수량", "재고 수량", "재고량", "개수", "남은 수량", "pieces"])
                .with_values(NONE_LEFT),
            column("warehouse_id", &["창고", "창고번호", "warehouse"]).with_values(WAREHOUSES),
            column("supplier_id", &["거래처", "거래처번호", "공급업체", "공급사", "supplier"]),
        ],
    ),
    (
        "suppliers",
        &[
            column("id", &["거래처번호", "거래처 번호", "번호"]),
            column("name", &["이름", "거래처명", "업체명"]),
            column("name_en", &["영문 이름", "영문명"]),
            column("email", &["이메일", "메일"]),
            column("lead_days", &["납기", "소요일", "lead time", "lead days"]),
        ],
    ),
    (
        "warehouses",
        &[
            column("id", &["창고번호", "창고 번호", "번호"]),
            column("name", &["이름", "창고명"]),
            column("city", &["도시", "지역"]).with_values(CITIES),
        ],
    ),
    (
        "purchase_orders",
        &[
            column("id", &["발주번호", "발주 번호", "번호"]),
            column("supplier_id", &["거래처", "거래처번호", "공급업체", "공급사", "supplier"]),
            column("product_id", &["상품번호", "상품 번호"]),
            column("quantity", &["수량", "개수"]),
            column("status", &["상태", "발주 상태"]).with_values(STATUSES),
        ],
    ),
];
