//! The closed list of problems, with their texts in English and Korean.

use axum::http::StatusCode;

macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $status:ident,
        $title:literal, $advice:literal, $title_ko:literal, $advice_ko:literal;)+) => {
        /// What went wrong, stable over versions.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ProblemCode { $($(#[$doc])* $name),+ }

        impl ProblemCode {
            pub const ALL: &[Self] = &[$(Self::$name),+];

            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code),+ }
            }
            #[must_use]
            pub const fn status(self) -> StatusCode {
                match self { $(Self::$name => StatusCode::$status),+ }
            }
            /// What it is, and what can be done about it.
            #[must_use]
            pub const fn english(self) -> (&'static str, &'static str) {
                match self { $(Self::$name => ($title, $advice)),+ }
            }
            #[must_use]
            pub const fn korean(self) -> (&'static str, &'static str) {
                match self { $(Self::$name => ($title_ko, $advice_ko)),+ }
            }
        }
    };
}

problems! {
    InvalidJson = "INVALID_JSON", BAD_REQUEST,
        "The body is not valid JSON", "Send one JSON document in UTF-8, nested at most 64 deep.",
        "본문이 올바른 JSON이 아닙니다", "UTF-8 JSON 문서 하나를 64단계 이내의 깊이로 보내세요.";
    InvalidQuery = "INVALID_QUERY", BAD_REQUEST,
        "A query parameter is not valid", "Correct or remove the named parameter.",
        "쿼리 매개변수가 올바르지 않습니다", "표시된 매개변수를 고치거나 빼세요.";
    InvalidHeader = "INVALID_HEADER", BAD_REQUEST,
        "A header is not valid", "Correct or remove the named header.",
        "헤더가 올바르지 않습니다", "표시된 헤더를 고치거나 빼세요.";
    Unauthenticated = "UNAUTHENTICATED", UNAUTHORIZED,
        "Not signed in", "Sign in, or send a valid token as `Authorization: Bearer`.",
        "로그인이 필요합니다", "로그인하거나 유효한 토큰을 `Authorization: Bearer`로 보내세요.";
    WrongCredentials = "WRONG_CREDENTIALS", UNAUTHORIZED,
        "The name or the password is wrong", "Check both and try again.",
        "이름 또는 비밀번호가 틀렸습니다", "둘 다 확인하고 다시 시도하세요.";
    WrongSetupToken = "WRONG_SETUP_TOKEN", UNAUTHORIZED,
        "The setup token is wrong or no longer valid",
        "Use the one that the server's last start printed.",
        "설정 토큰이 틀렸거나 더는 유효하지 않습니다",
        "서버가 마지막으로 시작할 때 출력한 토큰을 쓰세요.";
    DemoLinkVoid = "DEMO_LINK_VOID", UNAUTHORIZED,
        "This link was used already, or is void", "Run `wiiiv demo link` where the demo runs, and open the link that it prints.",
        "이미 쓰였거나 더는 쓸 수 없는 링크입니다", "데모를 실행한 곳에서 `wiiiv demo link`를 실행하고, 출력된 링크를 여세요.";
    Forbidden = "FORBIDDEN", FORBIDDEN,
        "Your role does not allow this", "Ask an owner of the project for a role that does, or use a token that may change things.",
        "현재 역할로는 할 수 없습니다", "프로젝트 소유자에게 알맞은 역할을 요청하거나, 변경할 수 있는 토큰을 쓰세요.";
    WrongPassword = "WRONG_PASSWORD", FORBIDDEN,
        "The old password is wrong", "Give the password that you log in with now, then the new one.",
        "지금 비밀번호가 틀렸습니다", "지금 로그인에 쓰는 비밀번호를 먼저 쓰고, 새 비밀번호를 쓰세요.";
    NotFound = "NOT_FOUND", NOT_FOUND,
        "There is no such thing here", "Check the address, and that you are a member of its project.",
        "찾을 수 없습니다", "주소를 확인하고, 해당 프로젝트의 구성원인지 확인하세요.";
    MethodNotAllowed = "METHOD_NOT_ALLOWED", METHOD_NOT_ALLOWED,
        "This address does not take that method", "See `Allow` and the API description.",
        "이 주소에서는 쓸 수 없는 메서드입니다", "`Allow` 헤더와 API 설명을 확인하세요.";
    RequestTimeout = "REQUEST_TIMEOUT", REQUEST_TIMEOUT,
        "The request took too long", "Try again; look first whether it took effect.",
        "요청 시간이 초과되었습니다", "이미 처리되었는지 확인한 뒤 다시 시도하세요.";
    AlreadySetUp = "ALREADY_SET_UP", CONFLICT,
        "The server is already set up", "Sign in as its administrator.",
        "서버 설정이 이미 끝났습니다", "관리자로 로그인하세요.";
    NameTaken = "NAME_TAKEN", CONFLICT,
        "The name is taken", "Choose another name.",
        "이미 쓰이는 이름입니다", "다른 이름을 고르세요.";
    LastOwner = "LAST_OWNER", CONFLICT,
        "A project keeps at least one owner", "Make somebody else an owner first.",
        "프로젝트에는 소유자가 한 명 이상 있어야 합니다", "먼저 다른 사람을 소유자로 지정하세요.";
    LastAdministrator = "LAST_ADMINISTRATOR", CONFLICT,
        "A server keeps at least one administrator whose account is open", "Make another administrator, or open one's account, first.",
        "열린 관리자 계정이 한 개 이상 있어야 합니다", "먼저 다른 관리자를 만들거나 관리자 계정을 다시 여세요.";
    OwnAccount = "OWN_ACCOUNT", CONFLICT,
        "This is your own account", "Another administrator closes it; your password you change with the old one.",
        "본인 계정입니다", "계정은 다른 관리자가 닫을 수 있고, 본인 비밀번호는 지금 비밀번호로 바꿉니다.";
    ApprovalDecided = "APPROVAL_DECIDED", CONFLICT,
        "This request was already decided", "See its state: it says what was decided.",
        "이미 결정된 승인 요청입니다", "어떻게 결정되었는지 현재 상태를 확인하세요.";
    ApprovalAlreadyGiven = "APPROVAL_ALREADY_GIVEN", CONFLICT,
        "You approved this already, or somebody did in the same right", "Another person has to approve it too; you can still reject it.",
        "나 또는 같은 권한을 쓰는 사람이 이미 승인한 요청입니다", "다른 사람도 승인해야 합니다. 지금도 거절할 수는 있습니다.";
    ApprovalOfOwn = "APPROVAL_OF_OWN", FORBIDDEN,
        "Somebody else has to decide this", "You asked for it or changed a value of it; another owner or approver of the project decides.",
        "다른 사람이 결정해야 하는 요청입니다", "내가 요청했거나 값을 바꾼 작업입니다. 프로젝트의 다른 소유자나 승인자가 결정합니다.";
    NoYesOfYours = "NO_YES_OF_YOURS", FORBIDDEN,
        "There is no yes of yours to take back", "Whoever said yes, or on whose behalf it was said, takes that back, and a ruling has to have counted it. Whoever asked for the work cancels its execution.",
        "취소할 내 승인이 없습니다", "승인은 승인한 사람이나 승인을 위임한 사람이 취소하며, 실행을 시작한 판정에서 센 승인이어야 합니다. 요청한 사람은 실행을 취소할 수 있습니다.";
    NothingToRevoke = "NOTHING_TO_REVOKE", CONFLICT,
        "There is nothing to take back any more", "The execution has ended, an approval of it was taken back before, or the request is closed: see its state.",
        "더 이상 취소할 승인이 없습니다", "실행이 끝났거나, 승인이 이미 취소되었거나, 승인 요청이 닫혔습니다. 상태를 확인하세요.";
    ApprovalStale = "APPROVAL_STALE", CONFLICT,
        "The digest is not the one that is asked about", "Read the preview again and decide on its digest.",
        "승인 대상의 다이제스트가 다릅니다", "미리보기를 다시 읽고 그 다이제스트로 결정하세요.";
    ApprovalExpired = "APPROVAL_EXPIRED", CONFLICT,
        "The request for approval has expired", "Ask for the task again.",
        "승인 요청이 만료되었습니다", "작업을 다시 요청하세요.";
    NotApproved = "NOT_APPROVED", CONFLICT,
        "Nobody has approved this request", "What is approved beforehand is what was shown and approved once: approve the request first.",
        "아직 아무도 승인하지 않은 요청입니다", "사전 승인은 한 번 보고 승인한 작업으로만 만듭니다. 먼저 요청을 승인하세요.";
    NotGrantable = "NOT_GRANTABLE", CONFLICT,
        "This cannot be approved beforehand", "`reason` says why. Such plans are asked about each time; another step of the plan may do.",
        "미리 승인할 수 없는 작업입니다", "이유는 `reason`에 있습니다. 이런 작업은 매번 승인을 요청합니다. 계획의 다른 단계는 될 수도 있습니다.";
    TooManyGrants = "TOO_MANY_GRANTS", CONFLICT,
        "That person holds too many approvals given beforehand", "Revoke one that is not needed any more, then try again.",
        "이 사람이 가진 사전 승인이 너무 많습니다", "필요 없는 사전 승인을 취소한 뒤 다시 시도하세요.";
    DelegationOver = "DELEGATION_OVER", CONFLICT,
        "This delegation does not stand", "It was ended, its time is over or not begun, it is not for you or this request, or whoever lent the right may not approve any more. See `GET /projects/{id}/approval-delegations`.",
        "쓸 수 없는 위임입니다", "끝났거나 기간이 아니거나, 나 또는 이 요청에 해당하지 않거나, 위임한 사람이 더는 승인할 수 없습니다. 위임 목록을 확인하세요.";
    DelegationOverlaps = "DELEGATION_OVERLAPS", CONFLICT,
        "You have lent this right to that person for this time already", "End that delegation first, or choose a time after it.",
        "같은 사람에게 같은 기간에 이미 위임했습니다", "그 위임을 먼저 끝내거나 그 뒤의 기간을 고르세요.";
    TooManyDelegations = "TOO_MANY_DELEGATIONS", CONFLICT,
        "Too many of your delegations run in this project", "End some of them, then try again.",
        "이 프로젝트에서 진행 중인 내 위임이 너무 많습니다", "일부를 끝낸 뒤 다시 시도하세요.";
    FormClosed = "FORM_CLOSED", CONFLICT,
        "This form is not asked for any more", "Read the conversation's last question and answer that.",
        "더는 묻지 않는 입력 양식입니다", "대화의 마지막 질문을 읽고 거기에 답하세요.";
    ExecutionOver = "EXECUTION_OVER", CONFLICT,
        "The execution has ended", "Read its outcome.",
        "이미 끝난 실행입니다", "실행 결과를 확인하세요.";
    NotInDoubt = "NOT_IN_DOUBT", CONFLICT,
        "This step waits for nobody's word", "Read the execution's attempts.",
        "확인을 기다리는 단계가 아닙니다", "실행의 시도 목록을 확인하세요.";
    NoNextKey = "NO_NEXT_KEY", CONFLICT,
        "There is no next master key to rotate to",
        "Make one beside the master key file: `umask 077; openssl rand -hex 32 > master.key.next`.",
        "바꿔 쓸 다음 마스터 키가 없습니다",
        "마스터 키 파일 옆에 만드세요: `umask 077; openssl rand -hex 32 > master.key.next`.";
    NextKeyRefused = "NEXT_KEY_REFUSED", UNPROCESSABLE_ENTITY,
        "The next master key cannot be used", "Put right what is said of it, then ask again; nothing was changed.",
        "다음 마스터 키를 쓸 수 없습니다", "위에서 말한 것을 고친 뒤 다시 요청하세요. 바뀐 것은 없습니다.";
    ModelBeingTried = "MODEL_BEING_TRIED", CONFLICT,
        "The session for trials is at work", "Wait until its trial or turn has ended, then try again.",
        "시험용 세션에서 다른 일을 하고 있습니다", "그 시험이나 턴이 끝난 뒤 다시 시험하세요.";
    SessionBusy = "SESSION_BUSY", CONFLICT,
        "This conversation is still at work", "Wait for its turn or run to end, stop it, or record its outcome; then delete the conversation.",
        "이 대화에서 하던 일이 아직 끝나지 않았습니다", "끝나기를 기다리거나 중지하거나 결과를 기록한 뒤 대화를 삭제하세요.";
    AuditElsewhere = "AUDIT_ELSEWHERE", CONFLICT,
        "The chain is not the one that was read before", "Keep what you have as evidence: an older copy of the data was put in place, or the position is of another chain or server. To read this chain, begin at its first record.",
        "전에 읽던 감사 체인이 아닙니다", "가지고 있는 것을 증거로 보관하세요. 데이터가 예전 사본으로 바뀌었거나, 다른 체인이나 서버의 위치입니다. 이 체인을 읽으려면 첫 기록부터 시작하세요.";
    AlreadyHalted = "ALREADY_HALTED", CONFLICT,
        "It is halted already", "Read who halted it and why; resume it first if the reason is to change.",
        "이미 정지되어 있습니다", "누가 왜 정지했는지 확인하세요. 이유를 바꾸려면 먼저 재개하세요.";
    NotHalted = "NOT_HALTED", CONFLICT,
        "It is not halted", "Nothing more is needed.",
        "정지되어 있지 않습니다", "더 할 일은 없습니다.";
    Halted = "HALTED", CONFLICT,
        "Work here is halted", "The request still waits: approve it when it was resumed. Who halted it and why is shown on top of each page and by `wiiiv halts`.",
        "작업이 정지되어 있습니다", "승인 요청은 그대로 기다립니다. 재개된 뒤 승인하세요. 누가 왜 정지했는지는 화면 위쪽과 `wiiiv halts`에서 볼 수 있습니다.";
    PromotionRefused = "PROMOTION_REFUSED", CONFLICT,
        "This project has not earned its promotion", "Read `reasons`: each says what is missing. `GET .../rollout` has the figures.",
        "아직 승격할 수 없는 프로젝트입니다", "`reasons`에서 무엇이 부족한지 확인하세요. 수치는 `GET .../rollout`에 있습니다.";
    StageAlready = "STAGE_ALREADY", CONFLICT,
        "The project is in this stage already", "Nothing more is needed.",
        "프로젝트가 이미 이 단계에 있습니다", "더 할 일은 없습니다.";
    RolloutMoved = "ROLLOUT_MOVED", CONFLICT,
        "A divergence came in, or was reviewed, at the same time", "Read the rollout again, then ask again; nothing was changed.",
        "같은 때에 새 차이가 생겼거나 검토되었습니다", "단계 전환 화면을 다시 읽고 다시 요청하세요. 바뀐 것은 없습니다.";
    RunnerKeyKnown = "RUNNER_KEY_KNOWN", CONFLICT,
        "This key was registered before", "Use it as it is; if it was revoked, make a new one with `wiiiv ghost key new`.",
        "이미 등록된 적이 있는 키입니다", "그대로 쓰세요. 폐기된 키라면 `wiiiv ghost key new`로 새로 만드세요.";
    RunnerKeyRevoked = "RUNNER_KEY_REVOKED", CONFLICT,
        "This runner key was revoked", "What it signs is not taken. Make a new key with `wiiiv ghost key new`, register it, and sign with that one.",
        "폐기된 실행기 키입니다", "이 키로 서명한 결과는 받지 않습니다. `wiiiv ghost key new`로 새 키를 만들어 등록하고 그 키로 서명하세요.";
    RunnerKeyUnknown = "RUNNER_KEY_UNKNOWN", UNPROCESSABLE_ENTITY,
        "No such runner key is registered here", "An administrator registers its public half: `wiiiv ghost keys add NAME PUBLIC_KEY`. Without a signature the result is kept as claimed.",
        "등록되지 않은 실행기 키입니다", "관리자가 공개 키를 등록해야 합니다: `wiiiv ghost keys add NAME PUBLIC_KEY`. 서명 없이 보낸 결과는 주장으로만 보관됩니다.";
    SignatureWrong = "SIGNATURE_WRONG", UNPROCESSABLE_ENTITY,
        "The signature does not fit this result", "The result was changed after it was signed, or another key signed it. Nothing was kept: play and sign it again.",
        "서명이 이 결과와 맞지 않습니다", "서명한 뒤에 결과가 바뀌었거나 다른 키로 서명했습니다. 보관하지 않았으니 다시 실행해 서명하세요.";
    WaiverOpen = "WAIVER_OPEN", CONFLICT,
        "A waiver is open already", "Join that one, or wait until it has expired.",
        "이미 열려 있는 면제가 있습니다", "그 면제에 동의하거나 만료될 때까지 기다리세요.";
    WaiverGone = "WAIVER_GONE", CONFLICT,
        "This waiver cannot be joined or used any more", "It was joined, used or expired, or one of its approvers may not approve any more. Ask for a new one.",
        "더는 동의하거나 쓸 수 없는 면제입니다", "이미 동의되었거나 쓰였거나 만료되었거나, 승인자 중 한 명이 더는 승인할 수 없습니다. 새로 요청하세요.";
    WaiverSamePerson = "WAIVER_SAME_PERSON", CONFLICT,
        "A waiver takes two people", "Another approver or owner of the project has to join it.",
        "면제에는 두 사람이 필요합니다", "프로젝트의 다른 승인자나 소유자가 동의해야 합니다.";
    OverrideOpen = "OVERRIDE_OPEN", CONFLICT,
        "An override of this project waits or runs already", "Approve or end that one first: `wiiiv policy override list`.",
        "기다리거나 시행 중인 임시 정책이 이미 있습니다", "먼저 그 임시 정책을 승인하거나 끝내세요: `wiiiv policy override list`.";
    OverrideGone = "OVERRIDE_GONE", CONFLICT,
        "This override cannot be approved or ended any more", "It was approved, ended or expired, or whoever proposed it may not approve any more. Propose a new one.",
        "더는 승인하거나 끝낼 수 없는 임시 정책입니다", "이미 승인되었거나 끝났거나 만료되었거나, 제안한 사람이 더는 승인할 수 없습니다. 새로 제안하세요.";
    OverrideOutdated = "OVERRIDE_OUTDATED", CONFLICT,
        "The policy was edited since this was proposed", "Propose it again over the policy as it is now.",
        "제안한 뒤에 정책이 바뀌었습니다", "지금 정책을 바탕으로 다시 제안하세요.";
    OverrideSamePerson = "OVERRIDE_SAME_PERSON", CONFLICT,
        "An override takes two people", "Another approver or owner of the project has to approve it.",
        "임시 정책에는 두 사람이 필요합니다", "프로젝트의 다른 승인자나 소유자가 승인해야 합니다.";
    OverrideRuns = "OVERRIDE_RUNS", CONFLICT,
        "An override of the policy runs", "End it first, or wait for its end: `wiiiv policy override end ID --reason ...`. The policy before it comes back then.",
        "임시 정책이 시행 중입니다", "먼저 임시 정책을 끝내거나 끝날 때까지 기다리세요: `wiiiv policy override end ID --reason ...`. 그러면 이전 정책으로 돌아갑니다.";
    OverrideUnchanged = "OVERRIDE_UNCHANGED", UNPROCESSABLE_ENTITY,
        "This override changes nothing of the policy in force", "Change the rules that it is for, and propose it again; nothing was recorded.",
        "지금 정책과 달라지는 것이 없는 임시 정책입니다", "바꾸려는 규칙을 고친 뒤 다시 제안하세요. 기록된 것은 없습니다.";
    QuorumLowered = "QUORUM_LOWERED", UNPROCESSABLE_ENTITY,
        "An override cannot lower how many people approve", "Leave `approval`, `confirmation` and `readOperations` no weaker than they are.",
        "임시 정책으로 승인에 필요한 사람 수를 줄일 수 없습니다", "`approval`, `confirmation`, `readOperations`는 지금보다 약하게 하지 마세요.";
    MemoryTooLong = "MEMORY_TOO_LONG", UNPROCESSABLE_ENTITY,
        "The memory is too long", "Delete what is done or said twice, and join lines that belong together. Nothing is shortened for you.",
        "메모리가 너무 깁니다", "끝난 일과 겹치는 내용을 지우고, 이어지는 줄은 하나로 합치세요. 자동으로 줄이지 않습니다.";
    MemoryControlCharacter = "MEMORY_CONTROL_CHARACTER", UNPROCESSABLE_ENTITY,
        "The memory holds a control character", "Take it out: a memory holds text, tabs and line ends.",
        "메모리에 제어 문자가 있습니다", "그 문자를 빼세요. 메모리에는 텍스트, 탭, 줄바꿈만 쓸 수 있습니다.";
    MemorySecret = "MEMORY_SECRET", UNPROCESSABLE_ENTITY,
        "The text holds a key or a password", "Take it out: models read what is kept. Keys belong on the page `Models and keys` or in `wiiiv keys set`; they are encrypted there, and no model is sent them.",
        "내용에 키나 비밀번호가 들어 있습니다", "저장한 내용은 모델이 읽으니 그 값을 빼세요. 키는 `모델과 키` 화면이나 `wiiiv keys set`에 등록하세요. 암호화해 보관하고 모델에 보내지 않습니다.";
    ProfileOff = "PROFILE_OFF", CONFLICT,
        "This project has no profiles", "An owner of the project switches them on by `profileSchema` in its policy, such as `medical`.",
        "프로필을 쓰지 않는 프로젝트입니다", "프로젝트 소유자가 정책의 `profileSchema`(예: `medical`)로 켤 수 있습니다.";
    OwnHold = "OWN_HOLD", FORBIDDEN,
        "This is your own conversation", "An approver of the project, its owner or an administrator who did not begin it clears the hold. Where there is nobody else, begin another conversation.",
        "본인의 대화입니다", "이 대화를 시작하지 않은 승인자나 프로젝트 소유자, 관리자가 보류를 풀 수 있습니다. 다른 사람이 없다면 새 대화를 시작하세요.";
    NotHeld = "NOT_HELD", CONFLICT,
        "The conversation is not on hold", "Nothing is to be cleared; perhaps somebody was faster.",
        "보류된 대화가 아닙니다", "풀 것이 없습니다. 다른 사람이 먼저 풀었을 수 있습니다.";
    TooManyWaiting = "TOO_MANY_WAITING", CONFLICT,
        "Too many of your requests wait for an answer", "Answer or reject some of them, then send it again.",
        "답을 기다리는 내 승인 요청이 너무 많습니다", "일부를 승인하거나 거절한 뒤 다시 보내세요.";
    TooManyConversations = "TOO_MANY_CONVERSATIONS", CONFLICT,
        "You keep too many conversations", "Delete some of them, then try again.",
        "보관 중인 대화가 너무 많습니다", "일부를 삭제한 뒤 다시 시도하세요.";
    TooManyTokens = "TOO_MANY_TOKENS", CONFLICT,
        "You have too many access tokens", "End some of them, then try again.",
        "액세스 토큰이 너무 많습니다", "일부를 끝낸 뒤 다시 시도하세요.";
    IdempotencyInFlight = "IDEMPOTENCY_IN_FLIGHT", CONFLICT,
        "The first request with this key has not been answered",
        "Wait for it, then send it again to get its answer.",
        "같은 키의 첫 요청이 아직 처리 중입니다",
        "기다렸다가 다시 보내면 그 응답을 받습니다.";
    VersionChanged = "VERSION_CHANGED", PRECONDITION_FAILED,
        "It was changed meanwhile", "Read it again and send its new `ETag` as `If-Match`.",
        "그 사이에 변경되었습니다", "다시 읽고 새 `ETag`를 `If-Match`로 보내세요.";
    IngestEnded = "INGEST_ENDED", CONFLICT,
        "The ingest has ended", "Look at it: what came of it stays. A document is removed by `DELETE /rag/documents/{id}` (`wiiiv rag remove`).",
        "이미 끝난 등록 작업입니다", "결과를 확인하세요. 만들어진 문서는 `DELETE /rag/documents/{id}`(`wiiiv rag remove`)로 삭제합니다.";
    DocumentsFull = "DOCUMENTS_FULL", CONFLICT,
        "The documents there have as much room as they may", "Remove some of them. `documents.scope_mib`, `documents.scope_chunks` and `documents.chunks` of the server's configuration are the limits.",
        "더 올릴 공간이 없습니다", "필요 없는 문서를 삭제하세요. 한도는 서버 설정의 `documents.scope_mib`, `documents.scope_chunks`, `documents.chunks`입니다.";
    BodyTooLarge = "BODY_TOO_LARGE", PAYLOAD_TOO_LARGE,
        "The body is too large", "Send at most 1 MiB.",
        "본문이 너무 큽니다", "1 MiB 이내로 보내세요.";
    DocumentTooLarge = "DOCUMENT_TOO_LARGE", PAYLOAD_TOO_LARGE,
        "The file is too large", "Give it in parts. `documents.file_mib` of the server's configuration is the limit.",
        "파일이 너무 큽니다", "파일을 나누어 올리세요. 한도는 서버 설정의 `documents.file_mib`입니다.";
    UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE", UNSUPPORTED_MEDIA_TYPE,
        "The body is not JSON", "Send `Content-Type: application/json`.",
        "JSON 본문이 아닙니다", "`Content-Type: application/json`으로 보내세요.";
    InvalidField = "INVALID_FIELD", UNPROCESSABLE_ENTITY,
        "A field is not valid", "Correct the named field.",
        "올바르지 않은 항목이 있습니다", "표시된 항목을 고치세요.";
    InvalidPolicy = "INVALID_POLICY", UNPROCESSABLE_ENTITY,
        "The text is not a policy that can be put in force", "Correct what `message` names, at the line and column if there are any.",
        "적용할 수 있는 정책이 아닙니다", "표시된 줄과 열에서 `message`가 가리키는 내용을 고치세요.";
    StageNotEdited = "STAGE_NOT_EDITED", UNPROCESSABLE_ENTITY,
        "A policy edit does not change the stage", "Leave `dacsStage` as it is: `promote` and `demote` of the project change it (`wiiiv rollout`).",
        "정책 편집으로는 단계를 바꿀 수 없습니다", "`dacsStage`는 그대로 두세요. 단계는 프로젝트의 `promote`와 `demote`로 바꿉니다(`wiiiv rollout`).";
    IdempotencyMismatch = "IDEMPOTENCY_MISMATCH", UNPROCESSABLE_ENTITY,
        "This key was used for another request", "Use a new `Idempotency-Key`.",
        "다른 요청에 쓰인 키입니다", "새 `Idempotency-Key`를 쓰세요.";
    PreconditionRequired = "PRECONDITION_REQUIRED", PRECONDITION_REQUIRED,
        "A change must say what it changes", "Send the `ETag` that you read as `If-Match`.",
        "무엇을 변경하는지 밝혀야 합니다", "읽은 `ETag`를 `If-Match`로 보내세요.";
    QueueFull = "QUEUE_FULL", TOO_MANY_REQUESTS,
        "The session has too many messages waiting", "Wait for the turn to end, or cancel it.",
        "세션에 대기 중인 메시지가 너무 많습니다", "턴이 끝나기를 기다리거나 취소하세요.";
    TooManyIngests = "TOO_MANY_INGESTS", TOO_MANY_REQUESTS,
        "Too many files wait to be read", "One person may use a part of the queue. Try again after the seconds in `Retry-After`.",
        "읽기를 기다리는 파일이 너무 많습니다", "대기열에는 한 사람의 몫이 정해져 있습니다. `Retry-After`의 초가 지난 뒤 다시 시도하세요.";
    TooManyPlans = "TOO_MANY_PLANS", TOO_MANY_REQUESTS,
        "Too many plans were drawn for you this hour", "Try again after the seconds in `Retry-After`.",
        "이번 시간에 만든 계획이 너무 많습니다", "`Retry-After`의 초가 지난 뒤 다시 시도하세요.";
    TooManyStreams = "TOO_MANY_STREAMS", TOO_MANY_REQUESTS,
        "Too many event streams are open", "Close one, or try again later.",
        "열린 이벤트 스트림이 너무 많습니다", "하나를 닫거나 나중에 다시 시도하세요.";
    TooManyLogins = "TOO_MANY_LOGINS", TOO_MANY_REQUESTS,
        "Too many log-ins", "Try again after the seconds in `Retry-After`. Where you have logged in before, other people's guesses hold nothing up.",
        "로그인 시도가 너무 많습니다", "`Retry-After`의 초가 지난 뒤 다시 시도하세요. 전에 로그인한 적이 있는 브라우저나 명령줄은 다른 사람의 시도 때문에 막히지 않습니다.";
    Internal = "INTERNAL", INTERNAL_SERVER_ERROR,
        "The server failed", "Tell the operator the trace id.",
        "서버 오류가 발생했습니다", "운영자에게 추적 ID를 알려 주세요.";
    Unavailable = "UNAVAILABLE", SERVICE_UNAVAILABLE,
        "Nothing was decided: the server cannot record it now", "Try again. If it stays so, tell the operator: the log says why.",
        "지금은 기록할 수 없어 아무것도 결정하지 않았습니다",
        "다시 시도하세요. 계속되면 운영자에게 알리세요. 원인은 서버 로그에 있습니다.";
    AuditChanged = "AUDIT_CHANGED", SERVICE_UNAVAILABLE,
        "The audit does not verify, so nothing was decided",
        "What is stored was changed outside this server. It is read-only until an administrator has looked: `wiiiv doctor` names what differs. The same request again is refused again.",
        "감사 기록이 검증되지 않아 아무것도 결정하지 않았습니다",
        "저장된 데이터가 이 서버 밖에서 바뀌었습니다. 관리자가 확인할 때까지 읽기만 할 수 있습니다. 무엇이 다른지는 `wiiiv doctor`가 알려 줍니다. 같은 요청을 다시 보내도 거부됩니다.";
}

impl ProblemCode {
    /// What a bare status of a lower layer stands for.
    #[must_use]
    pub fn of_status(status: StatusCode) -> Self {
        let known = Self::ALL.iter().copied().find(|code| code.status() == status);
        known.unwrap_or(if status.is_client_error() { Self::InvalidHeader } else { Self::Internal })
    }
}
