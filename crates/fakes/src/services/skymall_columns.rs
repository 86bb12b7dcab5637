//! What the rows of `skymall` contain, and the words that people have for it.

use super::plan::{CellValue, Column, NamedValue, column, named};

const CATEGORIES: &[NamedValue] = &[
    named("전자제품", &["전자", "가전", "electronics", "electronic"]),
    named("생활용품", &["생활", "living", "household"]),
    named("식품", &["식료품", "음식", "food", "groceries"]),
    named("의류", &["옷", "clothing", "clothes", "apparel"]),
    named("도서", &["책", "book", "books"]),
];
const AVAILABLE: &[NamedValue] = &[
    NamedValue {
        value: CellValue::Bool(true),
        labels: &["판매중", "판매 중", "구매 가능", "for sale"],
    },
    NamedValue {
        value: CellValue::Bool(false),
        labels: &["품절", "판매 중지", "판매 중단", "sold out", "out of stock", "unavailable"],
    },
];
const GRADES: &[NamedValue] = &[
    named("VIP", &["브이아이피"]),
    named("일반", &["regular"]),
    named("휴면", &["dormant", "inactive"]),
];
const STATUSES: &[NamedValue] = &[
    named("결제완료", &["결제 완료", "결제된", "paid"]),
    named("배송중", &["배송 중", "being shipped", "shipping", "in transit", "in delivery"]),
    named("배송완료", &["배송 완료", "배송된", "delivered"]),
    named("취소", &["취소된", "canceled", "cancelled"]),
];

pub const COLUMNS: &[(&str, &[Column])] = &[
    (
        "products",
        &[
            column("id", &["상품번호", "상품 번호", "번호", "product number", "product id"]),
            column("name", &["이름", "상품명", "제품명"]),
            column("name_en", &["영문 이름", "영어 이름", "영문명", "english name"]),
            column("category", &["카테고리", "분류"]).with_values(CATEGORIES),
            column("category_id", &["카테고리 번호", "분류 번호"]),
            column("price", &["가격", "값", "단가", "금액", "판매가", "cost"]),
            column("available", &["판매중", "판매 중", "판매 여부", "on sale"])
                .with_values(AVAILABLE),
        ],
    ),
    (
        "categories",
        &[
            column("id", &["카테고리 번호", "분류 번호"]),
            column("name", &["이름", "카테고리", "분류"]),
        ],
    ),
    (
        "users",
        &[
            column("id", &["회원번호", "회원 번호", "번호", "user id"]),
            column("name", &["이름", "회원명", "고객명"]),
            column("email", &["이메일", "메일", "메일 주소", "mail"]),
            column("grade", &["등급", "회원 등급"]).with_values(GRADES),
        ],
    ),
    (
        "orders",
        &[
            column("id", &["주문번호", "주문 번호", "번호", "order number"]),
            column("user_id", &["회원번호", "회원 번호", "고객번호", "member number"]),
            column("product_id", &["상품번호", "상품 번호"]),
            column("quantity", &["수량", "개수"]),
            column("total", &["합계", "총액", "금액", "주문 금액", "결제 금액", "amount"]),
            column("status", &["상태", "주문 상태"]).with_values(STATUSES),
            column("memo", &["메모", "배송 메모", "요청 사항"]),
        ],
    ),
];
