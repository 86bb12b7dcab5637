//! A stage that is changed when the process ends: the version, its record and the waiver that it uses are there
//! together, or none of them is, and the same command goes on.

use crate::doctor::{check, doctor};
use crate::program::Server;
use crate::rollout::{Shop, name_model, of_ann};
use crate::server::PASSWORD;
use serde_json::Value;
use std::fs::{File, read_to_string};
use wiiiv_fakes::FakeProvider;

/// The first E of a process that did nothing before. What is done, at which side of its commit, the stage that
/// the next process finds, and how many changes are on record then.
pub const FAULTS: [(&str, &str, &str, usize); 4] = [
    ("promote", "E:before:1", "observe", 0),
    ("promote", "E:after:1", "enforce", 1),
    ("demote", "E:before:1", "enforce", 1),
    ("demote", "E:after:1", "observe", 2),
];

pub async fn cut_all() {
    let provider = FakeProvider::open(0).await.unwrap();
    let mut shop = earned(&provider);
    for (verb, fault, stage, changes) in FAULTS {
        drop(shop.server);
        let errors = shop.ann.path("errors");
        let mut command = of_ann(&shop.ann);
        command.env("WIIIV__FAULTS__ABORT_AT", fault).stderr(File::create(&errors).unwrap());
        shop.server = Server::start(command);
        log_in(&shop);
        let cut = shop.rollout(&shop.ann, &[verb, "--reason", "it is time"]);
        assert_ne!(cut.code, 0, "{verb} {fault}: {cut:?}");
        let said = read_to_string(&errors).unwrap();
        assert!(said.contains(&format!("fault reached: {fault}\n")), "{verb}: {said}");

        drop(shop.server);
        shop.server = Server::start(of_ann(&shop.ann));
        log_in(&shop);
        let now = shop.rollout(&shop.ann, &["show", "--json"]).ended(0).json();
        assert_eq!(now["stage"], stage, "{verb} {fault}: {now}");
        // Used with the promotion, and not before.
        assert_eq!(now["waiver"] == Value::Null, changes > 0, "{verb} {fault}: {now}");
        assert_eq!(recorded(&shop), changes, "{verb} {fault}");
    }
    // What was done already is refused as that, and changes nothing.
    shop.rollout(&shop.ann, &["demote", "--reason", "again"]).ended(1);
    assert_eq!(recorded(&shop), 2);
    let Shop { ann, server, .. } = shop;
    assert_eq!(server.stop(), 0);
    assert_eq!(check(&doctor(&ann, "key"), "audit"), ("ok".to_owned(), "verified".to_owned()));
}

/// By a waiver of two people and a suite that was played.
fn earned(provider: &FakeProvider) -> Shop {
    let shop = Shop::open();
    shop.rollout(&shop.ann, &["waive", "--reason", "the fair opens"]).ended(0);
    shop.rollout(&shop.bob, &["waive", "--join"]).ended(0);
    shop.set_policy(name_model).ended(0);
    shop.play_suite(provider);
    shop
}

/// The address is another one after each start.
fn log_in(shop: &Shop) {
    let login = ["login", "ann", "--server", shop.server.text("url")];
    shop.ann.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
}

fn recorded(shop: &Shop) -> usize {
    let list = |kind| ["audit", "list", "--project", "shop", "--kind", kind, "--json"];
    let kinds = ["project.promoted", "project.demoted"];
    let count = |kind| shop.ann.run(&list(kind)).ended(0).json().as_array().unwrap().len();
    kinds.into_iter().map(count).sum()
}
