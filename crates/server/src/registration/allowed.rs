//! Whether a policy allows calls to a system as it is registered.

use wiiiv_domain::{BaseUrl, HostRule, HttpMethod, ProjectPolicy, operation_line};

/// Whether the policy's lines together say all that the proposed one says.
pub(crate) fn is_allowed(base: &BaseUrl, proposed: &HostRule, policy: &ProjectPolicy) -> bool {
    let lines = policy.allowed_hosts.iter();
    let lines: Vec<_> =
        lines.filter(|line| line.covers(base.scheme, &base.host, base.port)).collect();
    let said = |holds: &dyn Fn(&HostRule) -> bool| lines.iter().any(|line| holds(line));
    let reached = said(&|line| line.private || !proposed.private);
    let mut promised = proposed.idempotent_operations.iter();
    let mut labelled = proposed.read_operations.iter();
    reached
        && promised.all(|route| said(&|line| speaks(HostRule::promises, line, route)))
        && labelled.all(|route| said(&|line| speaks(HostRule::labels_read, line, route)))
}

/// Of this operation, in whatever words: a promise of a whole method is one of each of its
/// operations. `{}` fits no other word than itself.
fn speaks(
    of: fn(&HostRule, HttpMethod, &[Option<&str>]) -> bool,
    line: &HostRule,
    route: &str,
) -> bool {
    let named = operation_line(route);
    named.is_some_and(|(method, path)| {
        of(line, method, &path.into_iter().map(Some).collect::<Vec<_>>())
    })
}
