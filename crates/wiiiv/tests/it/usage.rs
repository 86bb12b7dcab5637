//! What was used and what is left, from the command line.

use crate::program::{Home, Server};

#[test]
fn use_and_budgets_are_told_in_both_languages() {
    let home = Home::new();
    let _demo = Server::start(home.command(&["demo", "--json", "--port", "0"]));
    let before = home.run(&["usage", "--language", "en"]).ended(0);
    assert!(before.out.contains("No model was called."), "{before:?}");
    assert!(before.out.contains("your month"), "{before:?}");
    home.run(&["chat", "안녕하세요"]).ended(0);

    let told = home.run(&["usage", "--by", "model,user", "--json"]).ended(0).json();
    assert_eq!(told["usage"]["rows"][0]["model"], "offline");
    assert!(told["usage"]["total"]["calls"].as_u64().unwrap() >= 1, "{told}");
    assert_eq!(told["budgets"]["items"][3]["window"], "user_month");
    let ko = home.run(&["usage", "--by", "model", "--language", "ko"]).ended(0);
    assert!(ko.out.contains("OFFLINE offline") && ko.out.contains("합계"), "{ko:?}");
    assert!(ko.out.contains("프로젝트 한 달"), "{ko:?}");

    let odd = home.run(&["usage", "--from", "yesterday"]).ended(2);
    assert!(odd.err.contains("from"), "{odd:?}");
    for (arguments, english, korean) in [
        (&["--from", "2026-13-01"][..], "from, a day of the calendar", "`2026-01-31`처럼"),
        (&["--until", "2026-02-30"], "until, a day of the calendar", "`2026-01-31`처럼"),
        (&["--from", "2026-02-02", "--until", "2026-02-01"], "after the last", "마지막 날보다 뒤"),
        (&["--from", "2020-01-01", "--until", "2026-02-01"], "`366` days", "`366`일"),
        (&["--by", "day,project"], "`day`, `model`, `user`", "`day`, `model`, `user`"),
    ] {
        for (language, words) in [("en", english), ("ko", korean)] {
            let arguments = [&["usage", "--language", language][..], arguments].concat();
            let odd = home.run(&arguments).ended(2);
            assert!(odd.err.contains(words), "{arguments:?}: {odd:?}");
        }
    }
    home.run(&["usage", "--by", "hour"]).ended(2);
}
