// The kinds of records that the server writes, in the order in which work passes through them.

export const KINDS = [
  'turn.accepted', 'model.called', 'model.tried', 'model.embedded', 'model.cut_off', 'call.healed', 'model.degraded', 'model.fell_back', 'budget.alerted', 'dacs.evaluated', 'dacs.opinions', 'blueprint.drawn', 'approval.asked',
  'user.event', 'approval.given', 'approval.joined', 'approval.escalated', 'approval.rejected', 'approval.edited', 'approval.revoked', 'approval.withdrawn', 'approval.expired', 'approval.released', 'approval.passed_on', 'approval.taken_up', 'approval.granted', 'approval.grant_used', 'approval.grant_revoked', 'approval.delegated', 'approval.delegation_ended', 'decision', 'ruling.mismatch', 'ruling.system_changed', 'ruling.requester_gone', 'step.finished', 'step.skipped', 'step.refused', 'attempt.resolved', 'execution.finished', 'task.closed', 'turn.ended', 'answer.ignored', 'answer.checked', 'policy.recorded', 'override.proposed', 'override.approved', 'override.began', 'override.ended', 'system.saved',
  'system.removed', 'system.tested', 'system.credential_set', 'system.credential_removed', 'model_key.set', 'model_key.removed', 'model_key.checked', 'models.listed', 'master_key.rotation_started', 'master_key.rotated', 'session.risk', 'session.risk_cleared', 'session.tainted',
  'session.replay_differed', 'member.changed', 'memory.changed', 'memory.erased', 'profile.changed', 'profile.erased', 'document.ingested', 'document.replaced', 'document.renamed', 'document.removed', 'document.erased', 'project.created', 'session.halted', 'session.resumed', 'project.halted', 'project.resumed', 'project.promoted', 'project.demoted', 'project.bound_exceeded', 'divergence.reviewed', 'waiver.asked', 'waiver.joined', 'receipt.issued', 'ghost.recorded', 'runner_key.added', 'runner_key.revoked', 'webhook.set', 'webhook.removed', 'webhook.given_up', 'session.erased',
] as const;

/** Kinds that are looked for together. */
export const GROUPS = {
  decisions: ['decision', 'ruling.mismatch', 'ruling.system_changed', 'ruling.requester_gone', 'dacs.evaluated', 'dacs.opinions'],
  approvals: ['approval.asked', 'approval.given', 'approval.joined', 'approval.escalated', 'approval.rejected', 'approval.edited', 'approval.revoked', 'approval.withdrawn', 'approval.expired', 'approval.released', 'approval.passed_on', 'approval.taken_up', 'approval.granted', 'approval.grant_used', 'approval.grant_revoked', 'approval.delegated', 'approval.delegation_ended'],
  runs: ['blueprint.drawn', 'step.finished', 'step.skipped', 'step.refused', 'attempt.resolved', 'execution.finished'],
  models: ['model.called', 'model.tried', 'model.embedded', 'model.cut_off', 'model.degraded', 'model.fell_back', 'call.healed', 'budget.alerted', 'models.listed'],
  keys: ['model_key.set', 'model_key.removed', 'model_key.checked', 'system.credential_set', 'system.credential_removed'],
  settings: ['policy.recorded', 'override.proposed', 'override.approved', 'override.began', 'override.ended', 'system.saved', 'system.removed', 'system.tested', 'member.changed', 'memory.changed', 'memory.erased', 'profile.changed', 'profile.erased', 'document.ingested', 'document.replaced', 'document.renamed', 'document.removed', 'document.erased', 'project.created', 'session.halted', 'session.resumed', 'project.halted', 'project.resumed', 'project.promoted', 'project.demoted', 'project.bound_exceeded', 'divergence.reviewed', 'waiver.asked', 'waiver.joined', 'webhook.set', 'webhook.removed', 'webhook.given_up'],
  turns: ['turn.accepted', 'turn.ended', 'user.event', 'task.closed', 'answer.ignored', 'answer.checked', 'session.risk', 'session.risk_cleared', 'session.tainted', 'session.erased'],
} as const;
