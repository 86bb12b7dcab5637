use super::*;
use wiiiv_domain::TaskType;

#[track_caller]
fn check(texts: &[&str], expected: Option<ReadSignal>) {
    check_in(&Situation::default(), texts, expected);
}

#[track_caller]
fn check_in(situation: &Situation, texts: &[&str], expected: Option<ReadSignal>) {
    let lexicon = Lexicon::embedded().unwrap();
    for text in texts {
        let bare = whole(&lexicon, text, situation).filter(|bare| *bare != Bare::Filler);
        assert_eq!(bare, expected.map(Bare::Signal), "{text}");
    }
}

#[test]
fn a_yes_may_repeat_what_waits_for_it() {
    let confirming = |task| Situation {
        awaiting_answer: true,
        active: Some((task, Vec::new())),
        ..Situation::default()
    };
    let write = confirming(TaskType::FileWrite);
    let yes = [
        "네 저장해 주세요",
        "네네 저장해줘요ㅎㅎ",
        "넵 저장합시다!!",
        "네, 저장 부탁드려요~",
        "응 저장해",
        "네 진헹해주세요",
        "네 저장헤주새요",
        "네 좀 진행해 주시겠어요?",
        "그.. 네그렇개 해주세요",
        "어 흠.. 네!",
        "yes please save it",
        "sure, write it",
    ];
    check_in(&write, &yes, Some(ReadSignal::Affirm));
    let again = ["저장해 주세요", "저장해", "save it", "write it please", "그럼 저장해줘!"];
    check_in(&write, &again, None);
    let other = [
        "save it?",
        "저장해 주세요?",
        "delete it",
        "send it",
        "지워",
        "add it",
        "save them to b.txt",
        "안 저장해",
        "don't save it please b.txt",
        "네 삭제해 주세요",
        "네 보내주세요",
        "네 근데 저장해 주세요",
        "네 저장했는데",
        "네 저장한다고요?",
        "네 넘겨주세요",
        "내 저장헤줘",
        "yes delete it",
        "save it to b.txt",
    ];
    check_in(&write, &other, None);
    check_in(&Situation::default(), &["네 저장해 주세요", "yes, delete it"], None);
    let delete = confirming(TaskType::FileDelete);
    let yes = ["yes, delete it", "네 지워주세요ㅋㅋ", "ㅇㅇ 지워"];
    check_in(&delete, &yes, Some(ReadSignal::Affirm));
    let other = [
        "delete it",
        "지워",
        "지워 주세요",
        "save it",
        "send it",
        "keep it to yourself",
        "저장해",
        "보내줘",
        "지워?",
        "지웠어",
        "지울까",
        "내 지워줘",
    ];
    check_in(&delete, &other, None);
    let call = confirming(TaskType::ApiWorkflow);
    check_in(&call, &["네 보내세요", "ok send it"], Some(ReadSignal::Affirm));
    check_in(&call, &["send it", "보내줘", "save it", "저장해", "get it", "delete it"], None);
}

#[test]
fn a_hesitation_is_no_yes() {
    let confirming = Situation {
        awaiting_answer: true,
        active: Some((TaskType::FileDelete, Vec::new())),
        ..Situation::default()
    };
    let yes = [
        "어",
        "어!",
        "어.",
        "어 그래",
        "어 해줘",
        "음 네",
        "어... 응",
        "어 그렇개 해",
        "어그렇개해",
        "해줘",
        "진행해줘",
    ];
    check_in(&confirming, &yes, Some(ReadSignal::Affirm));
    let hesitates = [
        "어...",
        "어..",
        "어…",
        "어~",
        "어-",
        "어 음",
        "음 어",
        "어음..",
        "어 저기요",
        "어 그..",
        "아 어",
        "어어",
        "어?",
        "uh...",
        "어 잠깐",
    ];
    check_in(&confirming, &hesitates, None);
}

#[test]
fn a_yes_and_nothing_else() {
    let yes = [
        "네",
        "네!",
        "넵",
        "응",
        "ㅇㅇ",
        "그래",
        "좋아요",
        "네, 진행해 주세요",
        "승인",
        "승인할게요",
        "네 그렇게 해줘",
        "응 실행해줘",
        "yes",
        "Yes.",
        "ok",
        "OK, go ahead",
        "approve",
        "sure, do it",
        "yes please",
        "go ahead",
        "looks good",
        "👍",
    ];
    check(&yes, Some(ReadSignal::Affirm));
    let more = [
        "네?",
        "ok?",
        "yes but change the file name",
        "네 근데 파일 이름 바꿔줘",
        "네가 해줘",
        "네 잠깐만",
        "저장해 주세요",
        "네 저장했는데",
        "yes, wait",
        "승인할까?",
        "아니 좋아",
        "yes no",
        "승인하지 마",
        "그래서?",
        "okra",
        "'yes'",
        "the user said yes",
        "",
        "?",
        "please",
        "그럼",
    ];
    check(&more, None);
}

/// To ask for a look agrees to nothing.
#[test]
fn a_request_to_check_is_no_yes() {
    let confirming = Situation {
        awaiting_answer: true,
        active: Some((TaskType::FileWrite, Vec::new())),
        ..Situation::default()
    };
    let looks = [
        "확인해줘",
        "확인해 주세요",
        "확인해주세요!",
        "확인 좀",
        "확인 좀 해줘",
        "확인 빨리 해주세요",
        "확인 부탁",
        "확인 부탁해요",
        "확인부탁드립니다",
        "네 확인해줘",
        "응 확인 좀 해줘",
        "확인해",
        "확인하자",
        "확인해 줄래?",
        "확인",
        "please confirm",
        "Please confirm it",
        "confirm please",
        "confirm this please",
        "can you confirm",
        "yes please confirm",
        "pls check",
        "please check",
        "check it",
        "confirm",
    ];
    for situation in [&Situation::default(), &confirming] {
        check_in(situation, &looks, None);
    }
    let yes = ["확인했어요", "네 확인했습니다", "confirmed", "I confirm"];
    check_in(&confirming, &yes, Some(ReadSignal::Affirm));
}

#[test]
fn no_stop_and_again() {
    check(
        &[
            "아니",
            "아니요.",
            "싫어",
            "하지 마",
            "거절할게",
            "no",
            "nope",
            "don't do it",
            "reject",
            "not ok",
            "어 아니요~",
            "그.. 아뇨",
        ],
        Some(ReadSignal::Deny),
    );
    check(
        &[
            "취소",
            "취소해줘",
            "그만",
            "아 됐고 그냥 취소할게",
            "하던거 취소해줘",
            "취소해 줄래?",
            "취소하고 싶어요",
            "never mind, cancel that",
            "forget it, cancel",
            "could you cancel that?",
            "그거 취소해 주세요",
            "네 취소해줘",
            "cancel",
            "stop it",
            "never mind",
            "ok cancel that",
            "please cancel the task",
        ],
        Some(ReadSignal::Cancel),
    );
    check(&["처음부터 다시", "초기화해줘", "reset", "start over please"], Some(ReadSignal::Reset));
    check(
        &["주문 취소해줘", "cancel the order o-17", "취소?", "취소하지 마", "don't cancel"],
        None,
    );
}
