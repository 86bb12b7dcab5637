//! Every other way in which a policy can name a place: the key of a member goes to none of them, and
//! it is the project's owner who edits it, who is no administrator.

use super::{MINE, OURS, Ordering, Person, Role, SERVERS, TestRequest, TwoGateways, bearer, json};
use serde_json::Value;

/// Somebody's keys of every scope, each bound to the first place; the policy may use all of them.
async fn desk() -> (TwoGateways, Person) {
    let desk = TwoGateways::open().await;
    let test = &desk.test;
    let member = test.member("member", Role::Editor).await;
    for (who, at, secret) in [
        (&member, "/keys", MINE),
        (&test.owner, desk.project().as_str(), OURS),
        (&test.admin, "/server/keys", SERVERS),
    ] {
        assert_eq!(desk.put(who, at, secret, None).await.status, 201);
        let body = json!({"secret": secret, "origin": desk.here.to_string()});
        let put = TestRequest::new("PUT", &format!("{at}/openai")).by(&who.token);
        assert_eq!(test.send(put.json(&body)).await.status, 201);
    }
    let all = json!(["USER", "PROJECT", "SERVER", "ENVIRONMENT"]);
    desk.policy(|policy| policy["keySources"] = all).await;
    (desk, member)
}

impl TwoGateways {
    fn there(&self) -> String {
        format!("{}/v1", self.elsewhere)
    }
    /// By the owner; one who may edit files may not edit this.
    async fn edited(&self, member: &Person, change: impl Fn(&mut Value)) {
        let refused = self.put_policy(member, &change).await;
        assert_eq!(refused.status, 403, "{}", refused.text);
        let edited = self.put_policy(&self.test.owner, &change).await;
        assert_eq!(edited.status, 201, "{}", edited.text);
    }
    /// Whether the slot's model answered, and what a trial sends as its key to each of the two.
    async fn tried(&self, who: &Person, slot: &str) -> (bool, [Vec<Option<String>>; 2]) {
        let at = format!("/projects/{}/models/try", self.test.project);
        let trial = self.test.post(who, &at, json!({"slot": slot})).await;
        assert_eq!(trial.status, 200, "{}", trial.text);
        assert!(!trial.text.contains("CANARY"), "{}", trial.text);
        (trial.body["answered"] == true, [self.gateway.sent(), self.other.sent()])
    }
}

/// The model in force is broken, and the one that stands in for it is somewhere else.
#[tokio::test(flavor = "multi_thread")]
async fn a_fallback_at_another_base_url_gets_nobodys_key() {
    // A server of one's own is asked without a key, and OPENAI not at all.
    for (provider, model, heard) in [("CUSTOM", "other", vec![None]), ("OPENAI", "gpt-4o", vec![])]
    {
        let (desk, member) = desk().await;
        let fallback = json!({"provider": provider, "model": model, "baseUrl": desk.there()});
        desk.edited(&member, |policy| policy["modelFallbacks"] = json!([fallback])).await;
        assert_eq!(desk.turn(&member).await, [bearer(MINE), vec![]], "the first one answers");
        desk.gateway.broken.store(true, Ordering::SeqCst);
        assert_eq!(desk.turn(&member).await, [bearer(MINE), heard], "{provider}");

        // The keys are what is used where the fallback is at their own place.
        let (desk, member) = self::desk().await;
        let at_home = format!("{}/v1", desk.here);
        let fallback = json!({"provider": provider, "model": model, "baseUrl": at_home});
        desk.other.broken.store(true, Ordering::SeqCst);
        desk.edited(&member, |policy| {
            policy["llmBaseUrl"] = json!(desk.there());
            policy["modelFallbacks"] = json!([fallback]);
        })
        .await;
        assert_eq!(desk.turn(&member).await, [bearer(MINE), vec![None]], "{provider}");
    }
}

/// A slot's model is at the policy's base URL, or at its provider's own.
#[tokio::test(flavor = "multi_thread")]
async fn a_slot_at_another_base_url_gets_nobodys_key() {
    let (desk, member) = desk().await;
    let slots = |policy: &mut Value| {
        policy["generatorModel"] = json!("custom:large");
        policy["embeddingModel"] = json!("vectors");
    };
    desk.edited(&member, slots).await;
    for slot in ["governor", "generator", "embedding"] {
        let at_home = desk.tried(&member, slot).await;
        assert_eq!(at_home, (true, [bearer(MINE), vec![]]), "{slot}: where the key belongs");
    }
    desk.edited(&member, |policy| {
        slots(policy);
        policy["llmBaseUrl"] = json!(desk.there());
    })
    .await;
    for slot in ["governor", "generator", "embedding"] {
        let away = desk.tried(&member, slot).await;
        assert_eq!(away, (true, [vec![], vec![None]]), "{slot}: asked, and without a key");
    }

    // Another provider's own place has none of the keys that were given for a gateway.
    let named = json!(["USER", "PROJECT", "SERVER"]);
    desk.edited(&member, |policy| {
        policy["keySources"] = named.clone();
        policy["llmBaseUrl"] = json!(desk.there());
        policy["generatorModel"] = json!("openai:gpt-4o-mini");
        policy["embeddingModel"] = json!("openai:text-embedding-3-small");
    })
    .await;
    for slot in ["generator", "embedding"] {
        let nowhere = desk.tried(&member, slot).await;
        assert_eq!(nowhere, (false, [vec![], vec![]]), "{slot}: not asked at all");
    }
}
