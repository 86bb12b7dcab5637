//! Authorization rules: one reviewed row for each operation. Handlers use these rows, and a test
//! walks them over HTTP for every role, with one's own, another person's and a missing object.
//!
//! A person who may not see an object gets 404; a person who sees it and may not do this gets 403.

use wiiiv_gate::Rights;

/// Of a person in a project; `Admin` is of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Admin,
    Owner,
    Editor,
    Approver,
    Viewer,
}

impl Role {
    pub const ALL: [Self; 5] =
        [Self::Admin, Self::Owner, Self::Editor, Self::Approver, Self::Viewer];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Owner => "owner",
            Self::Editor => "editor",
            Self::Approver => "approver",
            Self::Viewer => "viewer",
        }
    }
    #[must_use]
    pub const fn is_held(self, rights: Rights) -> bool {
        match self {
            Self::Admin => rights.admin,
            Self::Owner => rights.owner,
            Self::Editor => rights.editor,
            Self::Approver => rights.approver,
            Self::Viewer => rights.viewer,
        }
    }
}

/// What an operation is about, and so who sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Object {
    /// Nobody signs in for it.
    Public,
    /// The caller's own account.
    Account,
    /// The server: everybody knows that it is there.
    Server,
    /// A project and what belongs to it: its members see it.
    Project,
    /// A conversation: the person who began it sees it, as long as that person is a member.
    Conversation,
    /// A conversation, for who may halt it, clear its risk or read what the audit has of it: the person who
    /// began it, and the roles of the rule.
    Oversight,
    /// A question put before people: who asked, and who may answer, see it. To be revoked, a grant is one of
    /// whoever gave it. Somebody who may answer lends that to another member by a delegation, and whoever has said
    /// a yes takes it back with any role: no row here names either.
    Question,
    /// `server` or a project's audit chain.
    Chain,
    /// A document, or the ingest of one, by its scope. The rule is a project's: its members see it. What is global
    /// everybody reads, and the administrator changes; a person's own is there for that person alone. Whoever may not
    /// ingest in a scope follows no ingest of it.
    Document,
}

#[derive(Debug)]
pub struct Rule {
    /// The operation's id in the API description.
    pub operation: &'static str,
    pub object: Object,
    /// One of these roles sees the object.
    pub seen_by: &'static [Role],
    /// One of these roles may do it.
    pub allowed: &'static [Role],
}

impl Rule {
    #[must_use]
    pub fn is_seen_with(&self, rights: Rights) -> bool {
        self.seen_by.iter().any(|role| role.is_held(rights))
    }
    #[must_use]
    pub fn is_allowed_with(&self, rights: Rights) -> bool {
        self.allowed.iter().any(|role| role.is_held(rights))
    }
}

const NOBODY: &[Role] = &[];
const ADMIN: &[Role] = &[Role::Admin];
const OWNER: &[Role] = &[Role::Owner];
const STOPPERS: &[Role] = &[Role::Admin, Role::Owner];
/// Of these, an editor halts and resumes conversations of their own alone.
const OVERSEERS: &[Role] = &[Role::Admin, Role::Owner, Role::Editor];
/// Never of a conversation of their own.
const CLEARERS: &[Role] = &[Role::Admin, Role::Owner, Role::Approver];
const MEMBERS: &[Role] = &[Role::Owner, Role::Editor, Role::Approver, Role::Viewer];
const WORKERS: &[Role] = &[Role::Owner, Role::Editor];
const JUDGES: &[Role] = &[Role::Owner, Role::Approver];
/// Of these, who asked may answer where policy lets the requester.
const ANSWERERS: &[Role] = &[Role::Owner, Role::Editor, Role::Approver];
const AUDITORS: &[Role] = &[Role::Admin, Role::Owner, Role::Approver];
const READERS: &[Role] = &[Role::Admin, Role::Owner, Role::Editor, Role::Approver, Role::Viewer];

macro_rules! rules {
    ($($name:ident = $operation:literal: $object:ident, $seen:ident, $allowed:ident;)+) => {
        $(pub(crate) const $name: &Rule = &Rule {
            operation: $operation,
            object: Object::$object,
            seen_by: $seen,
            allowed: $allowed,
        };)+
        /// Every operation of the API.
        pub const RULES: &[&Rule] = &[$($name),+];
    };
}

rules! {
    HEALTH = "health": Public, NOBODY, NOBODY;
    READY = "ready": Public, NOBODY, NOBODY;
    INFO = "info": Public, NOBODY, NOBODY;
    OPENAPI = "openapi": Public, NOBODY, NOBODY;
    METRICS = "metrics": Server, ADMIN, ADMIN;
    SET_UP = "set_up": Public, NOBODY, NOBODY;
    LIST_PROVIDERS = "list_providers": Server, ADMIN, ADMIN;
    LOG_IN = "log_in": Public, NOBODY, NOBODY;
    LOG_IN_DEMO = "log_in_demo": Public, NOBODY, NOBODY;
    CREATE_DEMO_LINK = "create_demo_link": Account, NOBODY, NOBODY;
    LOG_OUT = "log_out": Account, NOBODY, NOBODY;
    ME = "me": Account, NOBODY, NOBODY;
    LIST_TOKENS = "list_tokens": Account, NOBODY, NOBODY;
    CREATE_TOKEN = "create_token": Account, NOBODY, NOBODY;
    REVOKE_TOKEN = "revoke_token": Account, NOBODY, NOBODY;
    END_OTHER_TOKENS = "end_other_tokens": Account, NOBODY, NOBODY;
    CHANGE_PASSWORD = "change_password": Account, NOBODY, NOBODY;
    LIST_USERS = "list_users": Server, ADMIN, ADMIN;
    CREATE_USER = "create_user": Server, ADMIN, ADMIN;
    CLOSE_USER = "close_user": Server, ADMIN, ADMIN;
    OPEN_USER = "open_user": Server, ADMIN, ADMIN;
    RESET_PASSWORD = "reset_password": Server, ADMIN, ADMIN;
    GET_USER_MEMORY = "get_user_memory": Account, NOBODY, NOBODY;
    PUT_USER_MEMORY = "put_user_memory": Account, NOBODY, NOBODY;
    LIST_USER_MEMORY_VERSIONS = "list_user_memory_versions": Account, NOBODY, NOBODY;
    EXPORT_USER_MEMORY = "export_user_memory": Account, NOBODY, NOBODY;
    LIST_PROJECTS = "list_projects": Account, NOBODY, NOBODY;
    CREATE_PROJECT = "create_project": Account, NOBODY, NOBODY;
    GET_PROJECT = "get_project": Project, MEMBERS, MEMBERS;
    LIST_MEMBERS = "list_members": Project, MEMBERS, MEMBERS;
    PUT_MEMBER = "put_member": Project, MEMBERS, OWNER;
    GET_PROJECT_MEMORY = "get_project_memory": Project, MEMBERS, MEMBERS;
    PUT_PROJECT_MEMORY = "put_project_memory": Project, MEMBERS, WORKERS;
    LIST_PROJECT_MEMORY_VERSIONS = "list_project_memory_versions": Project, MEMBERS, MEMBERS;
    EXPORT_PROJECT_MEMORY = "export_project_memory": Project, MEMBERS, MEMBERS;
    GET_PROFILE = "get_profile": Project, MEMBERS, MEMBERS;
    PUT_PROFILE = "put_profile": Project, MEMBERS, WORKERS;
    ERASE_PROFILE = "erase_profile": Project, MEMBERS, MEMBERS;
    CLEAR_PROFILE_SLOT = "clear_profile_slot": Project, MEMBERS, WORKERS;
    ACCEPT_PROFILE_CHANGE = "accept_profile_change": Project, MEMBERS, MEMBERS;
    DROP_PROFILE_CHANGE = "drop_profile_change": Project, MEMBERS, MEMBERS;
    UNDO_PROFILE = "undo_profile": Project, MEMBERS, MEMBERS;
    LIST_PROFILE_VERSIONS = "list_profile_versions": Project, MEMBERS, MEMBERS;
    EXPORT_PROFILE = "export_profile": Project, MEMBERS, MEMBERS;
    GET_PROFILE_SCHEMA = "get_profile_schema": Project, MEMBERS, MEMBERS;
    INGEST_GLOBAL = "ingest_global": Server, ADMIN, ADMIN;
    INGEST_PROJECT = "ingest_project": Project, MEMBERS, WORKERS;
    INGEST_USER = "ingest_user": Account, NOBODY, NOBODY;
    LIST_INGESTS = "list_ingests": Document, MEMBERS, WORKERS;
    GET_INGEST = "get_ingest": Document, MEMBERS, WORKERS;
    CANCEL_INGEST = "cancel_ingest": Document, MEMBERS, WORKERS;
    LIST_DOCUMENTS = "list_documents": Document, MEMBERS, MEMBERS;
    GET_DOCUMENT = "get_document": Document, MEMBERS, MEMBERS;
    PATCH_DOCUMENT = "patch_document": Document, MEMBERS, WORKERS;
    DELETE_DOCUMENT = "delete_document": Document, MEMBERS, WORKERS;
    LIST_PASSAGES = "list_passages": Document, MEMBERS, MEMBERS;
    GET_PASSAGE = "get_passage": Document, MEMBERS, MEMBERS;
    SEARCH_DOCUMENTS = "search_documents": Document, MEMBERS, MEMBERS;
    REEMBED = "reembed": Server, ADMIN, ADMIN;
    REEMBED_PROJECT = "reembed_project": Project, MEMBERS, WORKERS;
    GET_POLICY = "get_policy": Project, MEMBERS, MEMBERS;
    PUT_POLICY = "put_policy": Project, MEMBERS, OWNER;
    GET_POLICY_TEXT = "get_policy_text": Project, MEMBERS, MEMBERS;
    CHECK_POLICY = "check_policy": Project, MEMBERS, MEMBERS;
    IMPACT_POLICY = "impact_policy": Project, MEMBERS, JUDGES;
    DIFF_POLICY = "diff_policy": Project, MEMBERS, MEMBERS;
    LIST_POLICY_VERSIONS = "list_policy_versions": Project, MEMBERS, MEMBERS;
    LIST_OVERRIDES = "list_overrides": Project, READERS, READERS;
    PROPOSE_OVERRIDE = "propose_override": Project, READERS, STOPPERS;
    APPROVE_OVERRIDE = "approve_override": Project, READERS, JUDGES;
    END_OVERRIDE = "end_override": Project, READERS, STOPPERS;
    GET_ROLLOUT = "get_rollout": Project, MEMBERS, MEMBERS;
    GET_ROLLOUT_FIGURES = "get_rollout_figures": Project, MEMBERS, MEMBERS;
    LIST_DIVERGENCES = "list_divergences": Project, MEMBERS, MEMBERS;
    REVIEW_DIVERGENCE = "review_divergence": Project, MEMBERS, JUDGES;
    ASK_WAIVER = "ask_waiver": Project, MEMBERS, JUDGES;
    JOIN_WAIVER = "join_waiver": Project, MEMBERS, JUDGES;
    PROMOTE = "promote": Project, MEMBERS, OWNER;
    DEMOTE = "demote": Project, MEMBERS, OWNER;
    LIST_SESSIONS = "list_sessions": Project, MEMBERS, MEMBERS;
    CREATE_SESSION = "create_session": Project, MEMBERS, WORKERS;
    GET_SESSION = "get_session": Conversation, MEMBERS, MEMBERS;
    PATCH_SESSION = "patch_session": Conversation, MEMBERS, WORKERS;
    DELETE_SESSION = "delete_session": Conversation, MEMBERS, WORKERS;
    POST_MESSAGE = "post_message": Conversation, MEMBERS, WORKERS;
    SESSION_EVENTS = "session_events": Conversation, MEMBERS, MEMBERS;
    SESSION_STATE = "session_state": Conversation, MEMBERS, MEMBERS;
    SESSION_HISTORY = "session_history": Conversation, MEMBERS, MEMBERS;
    WHY_TURN = "why_turn": Oversight, AUDITORS, READERS;
    CONTROL_SESSION = "control_session": Conversation, MEMBERS, WORKERS;
    LIST_HALTS = "list_halts": Account, NOBODY, NOBODY;
    HALT_SESSION = "halt_session": Oversight, STOPPERS, OVERSEERS;
    RESUME_SESSION = "resume_session": Oversight, STOPPERS, OVERSEERS;
    HALT_PROJECT = "halt_project": Project, READERS, STOPPERS;
    RESUME_PROJECT = "resume_project": Project, READERS, STOPPERS;
    HALT_SERVER = "halt_server": Server, ADMIN, ADMIN;
    RESUME_SERVER = "resume_server": Server, ADMIN, ADMIN;
    LIST_HOLDS = "list_holds": Account, NOBODY, NOBODY;
    GET_SESSION_RISK = "get_session_risk": Oversight, CLEARERS, READERS;
    CLEAR_SESSION_RISK = "clear_session_risk": Oversight, CLEARERS, CLEARERS;
    LIST_APPROVALS = "list_approvals": Account, NOBODY, NOBODY;
    APPROVAL_EVENTS = "approval_events": Account, NOBODY, NOBODY;
    GET_APPROVAL = "get_approval": Question, JUDGES, MEMBERS;
    APPROVE = "approve": Question, JUDGES, ANSWERERS;
    EDIT_APPROVAL = "edit_approval": Question, JUDGES, ANSWERERS;
    REJECT = "reject": Question, JUDGES, ANSWERERS;
    REVOKE_APPROVAL = "revoke_approval": Question, JUDGES, ANSWERERS;
    LIST_GRANTS = "list_grants": Project, MEMBERS, MEMBERS;
    GIVE_GRANT = "give_grant": Project, MEMBERS, ANSWERERS;
    REVOKE_GRANT = "revoke_grant": Question, OWNER, ANSWERERS;
    LIST_APPROVAL_DELEGATIONS = "list_approval_delegations": Project, READERS, READERS;
    GIVE_APPROVAL_DELEGATION = "give_approval_delegation": Project, MEMBERS, JUDGES;
    END_APPROVAL_DELEGATION = "end_approval_delegation": Project, MEMBERS, MEMBERS;
    LIST_BLUEPRINTS = "list_blueprints": Project, MEMBERS, MEMBERS;
    GET_BLUEPRINT = "get_blueprint": Project, MEMBERS, MEMBERS;
    EXPLAIN_BLUEPRINT = "explain_blueprint": Project, MEMBERS, MEMBERS;
    GRAPH_BLUEPRINT = "graph_blueprint": Project, MEMBERS, MEMBERS;
    WHY_BLUEPRINT = "why_blueprint": Project, MEMBERS, MEMBERS;
    FIND_DECISION = "find_decision": Project, READERS, READERS;
    LIST_EXECUTIONS = "list_executions": Project, MEMBERS, MEMBERS;
    GET_EXECUTION = "get_execution": Project, MEMBERS, MEMBERS;
    EXECUTION_EVENTS = "execution_events": Project, MEMBERS, MEMBERS;
    STEP_OUTPUT = "step_output": Project, MEMBERS, MEMBERS;
    CANCEL_EXECUTION = "cancel_execution": Project, MEMBERS, WORKERS;
    RESOLVE_STEP = "resolve_step": Project, MEMBERS, JUDGES;
    GET_RECEIPT = "get_receipt": Project, READERS, READERS;
    GET_WEBHOOK = "get_webhook": Project, READERS, STOPPERS;
    PUT_WEBHOOK = "put_webhook": Project, READERS, STOPPERS;
    DELETE_WEBHOOK = "delete_webhook": Project, READERS, STOPPERS;
    LIST_SUGGESTIONS = "list_suggestions": Project, MEMBERS, MEMBERS;
    LIST_SYSTEMS = "list_systems": Project, MEMBERS, MEMBERS;
    GET_SYSTEM = "get_system": Project, MEMBERS, MEMBERS;
    PUT_SYSTEM = "put_system": Project, MEMBERS, OWNER;
    DELETE_SYSTEM = "delete_system": Project, MEMBERS, OWNER;
    PUT_SYSTEM_CREDENTIAL = "put_system_credential": Project, MEMBERS, OWNER;
    DELETE_SYSTEM_CREDENTIAL = "delete_system_credential": Project, MEMBERS, OWNER;
    TEST_SYSTEM = "test_system": Project, MEMBERS, WORKERS;
    LIST_MODELS = "list_models": Account, NOBODY, NOBODY;
    EFFECTIVE_MODEL = "effective_model": Project, MEMBERS, MEMBERS;
    AVAILABLE_MODELS = "available_models": Project, MEMBERS, WORKERS;
    TRY_MODEL = "try_model": Project, MEMBERS, WORKERS;
    LIST_USAGE = "list_usage": Account, NOBODY, NOBODY;
    GET_USAGE = "get_usage": Project, MEMBERS, MEMBERS;
    GET_BUDGETS = "get_budgets": Project, MEMBERS, MEMBERS;
    LIST_OWN_KEYS = "list_own_keys": Account, NOBODY, NOBODY;
    PUT_OWN_KEY = "put_own_key": Account, NOBODY, NOBODY;
    DELETE_OWN_KEY = "delete_own_key": Account, NOBODY, NOBODY;
    VERIFY_OWN_KEY = "verify_own_key": Account, NOBODY, NOBODY;
    LIST_PROJECT_KEYS = "list_project_keys": Project, MEMBERS, MEMBERS;
    PUT_PROJECT_KEY = "put_project_key": Project, MEMBERS, OWNER;
    DELETE_PROJECT_KEY = "delete_project_key": Project, MEMBERS, OWNER;
    VERIFY_PROJECT_KEY = "verify_project_key": Project, MEMBERS, OWNER;
    RESOLVE_KEY = "resolve_key": Project, MEMBERS, MEMBERS;
    LIST_SERVER_KEYS = "list_server_keys": Server, ADMIN, ADMIN;
    PUT_SERVER_KEY = "put_server_key": Server, ADMIN, ADMIN;
    DELETE_SERVER_KEY = "delete_server_key": Server, ADMIN, ADMIN;
    VERIFY_SERVER_KEY = "verify_server_key": Server, ADMIN, ADMIN;
    ROTATE_MASTER_KEY = "rotate_master_key": Server, ADMIN, ADMIN;
    MASTER_KEY_ROTATION = "master_key_rotation": Server, ADMIN, ADMIN;
    LIST_GHOST_RESULTS = "list_ghost_results": Server, ADMIN, ADMIN;
    CREATE_GHOST_RESULT = "create_ghost_result": Server, ADMIN, ADMIN;
    LIST_RUNNER_KEYS = "list_runner_keys": Server, ADMIN, ADMIN;
    ADD_RUNNER_KEY = "add_runner_key": Server, ADMIN, ADMIN;
    REVOKE_RUNNER_KEY = "revoke_runner_key": Server, ADMIN, ADMIN;
    SEARCH_AUDIT = "search_audit": Project, READERS, AUDITORS;
    VERIFY_AUDIT = "verify_audit": Project, READERS, AUDITORS;
    EXPORT_AUDIT = "export_audit": Chain, READERS, AUDITORS;
    FEED_AUDIT = "feed_audit": Chain, READERS, AUDITORS;
    AUDIT_KEYS = "audit_keys": Account, NOBODY, NOBODY;
    ERASE_TEXTS = "erase_texts": Server, ADMIN, ADMIN;
    LIST_ERASURES = "list_erasures": Server, ADMIN, ADMIN;
}
