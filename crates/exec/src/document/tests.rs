//! What each format gives, and that hostile files are refused with a reason.

mod hostile;
mod office;
mod pdf;
mod samples;

use super::{Bound, Damaged, DocumentRefused, Format, Limits, read};
use office::{docx, paragraph, pptx, row, shape, xlsx};
use pdf::Text;
use wiiiv_retrieval::PartKind;

/// As the program reads a file that somebody gives it.
fn given(name: &str, bytes: &[u8]) -> Result<wiiiv_retrieval::SourceText, DocumentRefused> {
    let limits = Limits::default();
    read(Format::of(name, None, bytes)?, bytes, &limits)
}

/// Title, then one part a line: its page, its kind, its text.
#[track_caller]
fn check(name: &str, bytes: &[u8], expected: &[&str]) {
    let source = given(name, bytes).unwrap_or_else(|refused| panic!("{name}: {refused}"));
    let mut lines: Vec<String> =
        source.title.iter().map(|title| format!("title {title}")).collect();
    for part in &source.parts {
        let page = part.page.map(|page| format!("{page} ")).unwrap_or_default();
        let kind = match part.kind {
            PartKind::Heading(level) => format!("h{level}"),
            PartKind::Paragraph => "p".to_owned(),
            PartKind::Item => "item".to_owned(),
            PartKind::Row => "row".to_owned(),
            PartKind::Code => "code".to_owned(),
        };
        lines.push(format!("{page}{kind} {}", part.text.replace('\n', "/")));
    }
    assert_eq!(lines, expected, "{name}");
}

#[test]
fn html_keeps_headings_items_rows_and_code_and_leaves_menus_out() {
    let page = "<html><head><title>사내 규정</title><style>p{}</style></head><body><nav>메뉴 <nav>x</nav></nav>\
        <h1>휴가</h1><p>연차는 <b>15일</b>\n입니다.<br>더 있으면 &amp; 덜 있으면<p>둘째\
        <ul><li>하나<li>둘<ul><li>셋</ul></ul><p>뒤<pre>  a = 1\n  b</pre>\
        <table><tr><th>이름<th>값<tr><td>가<td></table><script>var x = '<p>no'</script>\
        <p style='display: none'>숨김</p><footer>끝</footer></body></html>";
    check(
        "a.html",
        page.as_bytes(),
        &[
            "title 사내 규정",
            "h1 휴가",
            "p 연차는 15일 입니다./더 있으면 & 덜 있으면",
            "p 둘째",
            "item 하나",
            "item 둘",
            "item 셋",
            "p 뒤",
            "code   a = 1/  b",
            "row 이름 | 값",
            "row 가",
        ],
    );
    let main = "<div>머리</div><main><p>본문은 길고 깁니다.</main><div>꼬리</div></main>";
    check("b.htm", main.as_bytes(), &["p 본문은 길고 깁니다."]);
    let (old, _, _) = encoding_rs::EUC_KR.encode("<meta charset=euc-kr><p>똠방각하");
    check("c.html", &old, &["p 똠방각하"]);
}

#[test]
fn html_without_an_end_tag_hides_no_more_than_its_element() {
    let pages: [(&str, &[&str]); 9] = [
        ("<p>앞<ul><li hidden>가<ul><li>나</ul>다<li>라</ul>", &["p 앞", "item 라"]),
        ("<ul><li>앞<li hidden><div>가</div>나</ul>", &["item 앞"]),
        ("<p hidden>가<svg/><p>나", &["p 나"]),
        ("<section><p hidden>가<b>나</b></section>", &[]),
        ("<dl><div><dt hidden>가</div><dd hidden>나<dd>다</dl>", &["item 다"]),
        (
            "<table><tr hidden><td>가<tr><td hidden>나<td>다<tr><td hidden>라</tr></table>",
            &["row 다"],
        ),
        ("<datalist><option hidden>가<option>나</datalist>", &["p 나"]),
        ("<svg><svg/></svg><svg><path/></svg>", &[]),
        ("<div hidden>가<div>나</div>다</div>", &[]),
    ];
    for (page, read) in pages {
        let page = format!("{page}<h1>나머지</h1>");
        check("a.html", page.as_bytes(), &[read, &["h1 나머지"]].concat());
    }
    let refused = Err(DocumentRefused::Damaged(Damaged::Other));
    assert_eq!(given("a.html", b"<p>a<nav>b<h1>c</h1></body>"), refused);
    assert_eq!(
        given("a.html", b"<p>a<div hidden>b<div/></div><p>c").map(|text| text.parts.len()),
        Ok(2)
    );
}

#[test]
fn csv_gives_rows_the_header_first_whatever_divides_them() {
    let rows = ["row 이름 | 금액", "row 가, 나 | 1,000", "row 다 | 2"];
    check("a.csv", "이름,금액\n\"가, 나\",\"1,000\"\n\n다,2\n".as_bytes(), &rows);
    check("a.csv", "이름;금액\n가, 나;1,000\n다;2\n".as_bytes(), &rows);
    check("a.tsv", "이름\t금액\r\n가, 나\t1,000\r\n다\t2\t\t\r\n".as_bytes(), &rows);
    let (cp949, _, _) = encoding_rs::EUC_KR.encode("이름,금액\n뷁,2\n");
    check("b.csv", &cp949, &["row 이름 | 금액", "row 뷁 | 2"]);
}

#[test]
fn docx_keeps_headings_items_tables_code_and_notes() {
    let body = [
        paragraph("1", "1장 &amp; 총칙"),
        paragraph("a", "목적"),
        "<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t>이 </w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr>\
         <w:t>숨은 </w:t></w:r><w:r><w:t xml:space=\"preserve\">규정은</w:t><w:br/><w:t>다음</w:t></w:r></w:p>"
            .to_owned(),
        "<w:p><w:pPr><w:numPr><w:numId w:val=\"2\"/></w:numPr></w:pPr><w:r><w:t>첫째</w:t></w:r></w:p>".to_owned(),
        format!("<w:tbl>{}{}</w:tbl>", row(&["직급", "일수"]), row(&["사원", "15"])),
        paragraph("c", "x = 1"),
        "<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>상자</w:t></w:r></w:p>\
         </w:txbxContent></mc:Choice><mc:Fallback><w:p><w:r><w:t>상자</w:t></w:r></w:p></mc:Fallback>\
         </mc:AlternateContent></w:r><w:r><w:t>둘레</w:t></w:r></w:p>"
            .to_owned(),
    ];
    let note = format!("<w:footnotes>{}</w:footnotes>", paragraph("", "각주"));
    let title = "<cp:coreProperties><dc:title>취업 규칙</dc:title></cp:coreProperties>";
    let more: [(&str, &[u8]); 2] =
        [("word/footnotes.xml", note.as_bytes()), ("docProps/core.xml", title.as_bytes())];
    let file = docx(&body.concat(), &more);
    let roots = [
        "h1 1장 & 총칙",
        "h1 목적",
        "p 이 규정은/다음",
        "item 첫째",
        "row 직급 | 일수",
        "row 사원 | 15",
        "code x = 1",
        "p 상자",
        "p 둘레",
        "p 각주",
    ];
    let expected: Vec<&str> = std::iter::once("title 취업 규칙").chain(roots).collect();
    check("a.docx", &file, &expected);
    check("wrong.xlsx", &file, &expected);
}

#[test]
fn pptx_gives_slides_in_their_order_with_their_numbers() {
    let items = shape("<p:ph idx=\"1\"/>", &["하나", "둘"]);
    let table = "<p:graphicFrame><a:tbl><a:tr><a:tc><a:p><a:r><a:t>분기</a:t></a:r></a:p></a:tc><a:tc><a:p><a:r>\
        <a:t>매출</a:t></a:r></a:p></a:tc></a:tr></a:tbl></p:graphicFrame>";
    let number = shape("<p:ph type=\"sldNum\"/>", &["2"]);
    let free = shape("", &["상자 글"]);
    let file = pptx(&[("표지", &free), ("실적", &[items.as_str(), table, &number].concat())]);
    check(
        "a.pptx",
        &file,
        &["1 h1 표지", "1 p 상자 글", "2 h1 실적", "2 item 하나", "2 item 둘", "2 row 분기 | 매출"],
    );
}

#[test]
fn xlsx_gives_sheets_with_their_rows_the_header_first() {
    let rows = "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"inlineStr\"><is><t>날짜</t></is></c>\
        <c r=\"C1\" t=\"str\"><f>x</f><v>비고</v></c></row>\
        <row r=\"2\"/><row r=\"3\"><c r=\"A3\" t=\"s\"><v>1</v></c><c r=\"B3\" s=\"1\"><v>45356</v></c></row>\
        <row r=\"4\"><c r=\"A4\"><v>3.5000000000000003E-2</v></c><c r=\"C4\" t=\"b\"><v>1</v></c></row>";
    let file = xlsx(
        &[("매출", rows), ("빈 시트", ""), ("둘째", "<row><c><v>7</v></c></row>")],
        &["이름", "김철수"],
    );
    check(
        "a.xlsx",
        &file,
        &[
            "h1 매출",
            "row 이름 | 날짜 | 비고",
            "row 김철수 | 2024-03-05",
            "row 0.035 |  | TRUE",
            "h1 둘째",
            "row 7",
        ],
    );
}

#[test]
fn pdf_gives_hangul_by_its_map_with_pages_and_headings() {
    let first = [
        Text(24.0, 760.0, "제1장 총칙"),
        Text(11.0, 720.0, "이 규정은 임직원의 휴가에"),
        Text(11.0, 704.0, "관한 사항을 정한다."),
        Text(11.0, 660.0, "• 연차는 15일이다."),
        Text(11.0, 644.0, "• 병가는 10일이다."),
    ];
    let second = [Text(11.0, 700.0, "둘째 쪽입니다. 𠮷 emoji 😀")];
    check(
        "a.pdf",
        &pdf::pages(&[&first, &second]),
        &[
            "1 h1 제1장 총칙",
            "1 p 이 규정은 임직원의 휴가에 관한 사항을 정한다.",
            "1 item 연차는 15일이다.",
            "1 item 병가는 10일이다.",
            "2 p 둘째 쪽입니다. 𠮷 emoji 😀",
        ],
    );
}

#[test]
fn pdf_of_plain_fonts_is_read_with_its_words_apart() {
    let font = "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica \
        /Encoding << /Differences [65 /fi /eacute] >> /FirstChar 97 /Widths [500 500 500] >> >>";
    let content = b"BT /F1 10 Tf 72 700 Td [(abc) -400 (abc) 20 (a)] TJ T* 0 -12 Td (AB) Tj \
        1 0 0 1 200 688 Tm (c) Tj ET";
    let file = pdf::one(pdf::stream("", content), font, "/Info << /Title <feffac00> >>", &[]);
    check("a.pdf", &file, &["title 가", "1 p abc abca fie\u{301} c"]);
    let korean = "/Font << /F1 << /Type /Font /Subtype /Type0 /Encoding /KSCms-UHC-H /DescendantFonts [<< /DW 1000 >>] >> >>";
    let (text, _, _) = encoding_rs::EUC_KR.encode("똠방각하");
    let content = [b"BT /F1 10 Tf (".as_slice(), &text, b") Tj ET"].concat();
    check("b.pdf", &pdf::one(pdf::packed("", &content), korean, "", &[]), &["1 p 똠방각하"]);
}

/// Widths may begin at the last code, and go on behind it.
#[test]
fn widths_behind_the_last_code_are_left_out() {
    let (text, _, _) = encoding_rs::EUC_KR.encode("똠방각하");
    let content = [b"BT /F1 10 Tf (".as_slice(), &text, b") Tj ET"].concat();
    let of_glyphs = "/Font << /F1 << /Type /Font /Subtype /Type0 /Encoding /KSCms-UHC-H \
        /DescendantFonts [<< /DW 1000 /W [4294967295 [500 500]] >>] >> >>";
    check("a.pdf", &pdf::one(pdf::packed("", &content), of_glyphs, "", &[]), &["1 p 똠방각하"]);
    let of_bytes = "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica \
        /FirstChar 4294967295 /Widths [500 500] >> >>";
    let content = pdf::stream("", b"BT /F1 10 Tf (abc) Tj ET");
    check("b.pdf", &pdf::one(content, of_bytes, "", &[]), &["1 p abc"]);
}

#[test]
fn what_gives_no_text_says_why() {
    let unmapped = "/Font << /F1 << /Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<< /DW 1000 >>] >> >>";
    let shown = pdf::stream("", b"BT /F1 10 Tf <00010002> Tj ET");
    let table: [(&str, Vec<u8>, DocumentRefused); 9] = [
        ("scan.pdf", pdf::scan(), DocumentRefused::NoText),
        ("blank.pdf", pdf::one(pdf::stream("", b""), "", "", &[]), DocumentRefused::Empty),
        ("unmapped.pdf", pdf::one(shown, unmapped, "", &[]), DocumentRefused::UnreadableFonts),
        ("locked.pdf", pdf::encrypted(), DocumentRefused::Encrypted),
        ("empty.txt", Vec::new(), DocumentRefused::Empty),
        ("blank.md", b"\xef\xbb\xbf \r\n\t".to_vec(), DocumentRefused::Empty),
        ("blank.docx", docx("", &[]), DocumentRefused::Empty),
        ("photo.docx", docx("", &[("word/media/a.png", b"\x89PNG")]), DocumentRefused::NoText),
        ("broken.pdf", b"%PDF-1.7\nhello".to_vec(), DocumentRefused::Damaged(Damaged::Pdf)),
    ];
    for (name, bytes, refused) in table {
        assert_eq!(given(name, &bytes), Err(refused), "{name}");
    }
    assert!(DocumentRefused::NoText.to_string().contains("pictures only"));
}

#[test]
fn each_bound_refuses_what_is_beyond_it() {
    let limits = Limits::default();
    let text = "가나다\n\n라마바";
    let pages = pdf::pages(&[&[Text(11.0, 700.0, "하나")], &[Text(11.0, 700.0, "둘")]]);
    let deep = docx(&format!("{}{}", "<w:a>".repeat(300), "</w:a>".repeat(300)), &[]);
    let document = docx(&paragraph("1", "제목"), &[]);
    let table: [(&str, &[u8], Limits, Bound, u64); 6] = [
        ("a.txt", text.as_bytes(), Limits { file_bytes_max: 19, ..limits }, Bound::FileBytes, 19),
        ("a.txt", text.as_bytes(), Limits { chars_max: 7, ..limits }, Bound::Characters, 7),
        ("a.txt", text.as_bytes(), Limits { parts_max: 1, ..limits }, Bound::Parts, 1),
        ("a.pdf", &pages, Limits { pages_max: 1, ..limits }, Bound::Pages, 1),
        ("a.docx", &deep, limits, Bound::Levels, 256),
        ("a.docx", &document, Limits { entries_max: 3, ..limits }, Bound::Entries, 3),
    ];
    for (name, bytes, limits, bound, most) in table {
        let format = Format::of(name, None, bytes).expect("a format");
        let refused = DocumentRefused::TooLarge { bound, most };
        assert_eq!(read(format, bytes, &limits), Err(refused), "{name}");
    }
}

/// As a truncated package is: it is not empty, and its half would answer for all of it.
#[test]
fn a_pdf_without_its_end_or_its_pages_is_damaged() {
    let whole = pdf::pages(&[&[Text(11.0, 700.0, "하나")], &[Text(11.0, 700.0, "둘")]]);
    assert!(given("a.pdf", &whole).is_ok());
    let damaged = Err(DocumentRefused::Damaged(Damaged::Pdf));
    for length in [300, whole.len() / 2, whole.len() - 40] {
        assert_eq!(given("a.pdf", &whole[..length]), damaged, "{length} of {}", whole.len());
    }
    for kids in ["[]", "[9 0 R]"] {
        let pages = format!("<< /Type /Pages /Kids {kids} /Count 1 >>").into_bytes();
        let file = pdf::file(&[b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(), pages], "");
        assert_eq!(given("a.pdf", &file), damaged, "{kids}");
    }
}

/// Whoever divides a file has to know into what: the page, the handbook and the configuration say it as well.
#[test]
fn what_is_too_large_names_what_is_read() {
    let grouped = |number: u64| {
        let digits = number.to_string();
        let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
        groups.collect::<Vec<_>>().join(",")
    };
    let Limits { chars_max, pages_max, parts_max, .. } = Limits::default();
    for (file, text) in [
        ("en.toml", include_str!("../../../../config/messages/en.toml")),
        ("ko.toml", include_str!("../../../../config/messages/ko.toml")),
        ("en.ts", include_str!("../../../../web/src/i18n/en/documents.ts")),
        ("ko.ts", include_str!("../../../../web/src/i18n/ko/documents.ts")),
        ("default.toml", include_str!("../../../../config/default.toml")),
        ("user.md", include_str!("../../../../docs/user.md")),
    ] {
        for limit in [chars_max, pages_max, parts_max].map(grouped) {
            assert!(text.contains(&limit), "{limit} in {file}");
        }
    }
}

/// The texts of both languages name every code, and no other.
#[test]
fn every_reason_has_its_text_in_both_languages() {
    let en = include_str!("../../../../config/messages/en.toml");
    let ko = include_str!("../../../../config/messages/ko.toml");
    for texts in [en, ko] {
        let (_, section) = texts.split_once("\n[document_refused]\n").expect("the section");
        let lines = section.lines().take_while(|line| !line.is_empty());
        let mut codes: Vec<&str> = lines.filter_map(|line| line.split(" = ").next()).collect();
        let mut expected = DocumentRefused::CODES.to_vec();
        codes.sort_unstable();
        expected.sort_unstable();
        assert_eq!(codes, expected);
    }
    assert_eq!(DocumentRefused::Damaged(Damaged::Other).code(), "DAMAGED");
}
