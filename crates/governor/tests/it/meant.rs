//! What words mean by what was done before: the file that `it` is, and what was put aside.

use crate::test_governor::TestGovernor;
use wiiiv_domain::SessionId;

async fn said(test: &TestGovernor, session: SessionId, lines: &[&str]) -> String {
    let mut last = String::new();
    for line in lines {
        last = test.say(session, line).await.text();
    }
    last
}

#[tokio::test(flavor = "multi_thread")]
async fn that_file_is_the_one_that_was_handled_last() {
    let test = TestGovernor::new().await;
    test.put("b.txt", b"what b holds");
    let session = test.session().await;
    let read = said(&test, session, &["write 'x1' to a.txt", "yes", "read that file"]).await;
    assert!(read.contains("x1"), "{read}");
    let read = said(&test, session, &["read b.txt", "그 파일 다시 읽어줘"]).await;
    assert!(read.contains("what b holds"), "{read}");
    // A run that failed changed nothing that is known of.
    let failed = test.say(session, "read gone.txt").await;
    assert!(failed.outcome == "error" || failed.outcome == "denied", "{}", failed.text());
    let read = said(&test, session, &["read that file"]).await;
    assert!(read.contains("what b holds"), "{read}");
    // What was deleted is no file any more: it is asked which one is meant, and nothing is read.
    let asked = said(&test, session, &["delete b.txt", "yes", "read that file"]).await;
    assert_eq!(test.file("b.txt"), None);
    assert!(!asked.contains("what b holds") && !asked.contains("x1"), "{asked}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delete_that_was_put_aside_is_declined_by_its_verb() {
    for (delete, read, decline) in [
        ("c.txt 지워줘", "b.txt 읽어줘", "그럼 지우지 마"),
        ("delete c.txt", "read b.txt", "then don't delete it"),
    ] {
        let test = TestGovernor::new().await;
        test.put("b.txt", b"what b holds");
        test.put("c.txt", b"what c holds");
        let session = test.session().await;
        let (approval, digest) = test.say(session, delete).await.asked().expect("a preview");
        let beside = test.say(session, read).await;
        assert!(beside.text().contains("what b holds"), "{}", beside.text());
        assert_eq!(test.governor.state(session).await.unwrap().suspended.len(), 1);
        let declined = test.say(session, decline).await;
        assert!(declined.text().contains("c.txt"), "{}", declined.text());
        let view = test.governor.state(session).await.unwrap();
        assert!(view.suspended.is_empty() && view.pending.is_none());
        // Its question is over for whoever still has it open.
        let who = test.principal(&test.owner).await;
        let yes = wiiiv_governor::Decision::Approve { digest };
        assert!(test.governor.decide(&who, approval, yes).await.is_err());
        test.say(session, "네").await;
        assert_eq!(test.file("c.txt").as_deref(), Some("what c holds"));
    }
}
