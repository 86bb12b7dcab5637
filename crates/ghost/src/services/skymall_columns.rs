//! What the rows of `skymall` hold, and what people call it.

use super::plan::{Column, column};

pub const COLUMNS: &[(&str, &[Column])] = &[
    (
        "products",
        &[
            column("id", &["상품번호", "상품 번호", "번호", "product number", "product id"]),
            column("name", &["이름", "상품명", "제품명"]),
            column("name_en", &["영문 이름", "영어 이름", "영문명", "english name"]),
            column("category", &["카테고리", "분류"]),
            column("category_id", &["카테고리 번호", "분류 번호"]),
            column("price", &["가격", "값", "단가", "금액", "판매가", "cost"]),
            column("available", &["판매중", "판매 중", "판매 여부", "on sale"]),
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
            column("grade", &["등급", "회원 등급"]),
        ],
    ),
    (
        "orders",
        &[
            column("id", &["주문번호", "주문 번호", "번호", "order number"]),
            column("user_id", &["회원번호", "회원 번호", "고객번호"]),
            column("product_id", &["상품번호", "상품 번호"]),
            column("quantity", &["수량", "개수"]),
            column("total", &["합계", "총액", "금액", "주문 금액", "결제 금액", "amount"]),
            column("status", &["상태", "주문 상태"]),
            column("memo", &["메모", "배송 메모", "요청 사항"]),
        ],
    ),
];
