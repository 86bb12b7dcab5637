//! What rules can speak of: the schema, its names, and the rules that stand above each project's.

use cedar_policy_core::{
    ast::{ActionConstraint, Entity, EntityType, EntityUID, Policy, PrincipalOrResourceConstraint},
    extensions::Extensions,
    parser::parse_policyset,
    validator::{ValidationMode, Validator, ValidatorSchema},
};
use std::{collections::BTreeMap, fmt, sync::LazyLock};
use wiiiv_domain::StepType;

const SCHEMA: &str = include_str!("../../../../policies/schema.cedarschema");
const BASE: &str = include_str!("../../../../policies/base.cedar");

/// Read once in a process; `None` where the build's own files are broken.
static VOCABULARY: LazyLock<Option<Vocabulary>> = LazyLock::new(Vocabulary::read);

pub(super) fn vocabulary() -> Option<&'static Vocabulary> {
    VOCABULARY.as_ref()
}

pub(super) struct Vocabulary {
    validator: Validator,
    /// With the groups that each stands in.
    actions: BTreeMap<StepType, Entity>,
    base: Vec<Policy>,
    pub(super) user: EntityType,
    pub(super) folder: EntityType,
    pub(super) file: EntityType,
    pub(super) domain: EntityType,
    pub(super) place: EntityType,
    pub(super) inside: EntityType,
    pub(super) scheme: EntityType,
    pub(super) method: EntityType,
    pub(super) effect: EntityType,
}

impl Vocabulary {
    fn read() -> Option<Self> {
        let extensions = Extensions::all_available();
        let (schema, _) = ValidatorSchema::from_cedarschema_str(SCHEMA, extensions).ok()?;
        let known = schema.action_entities().ok()?;
        let validator = Validator::new(schema);
        let base = parse_policyset(BASE).ok()?;
        if !validator.validate(&base, ValidationMode::Strict).validation_passed() {
            return None;
        }
        let action = |step: StepType| {
            let uid = EntityUID::with_eid_and_type("Action", &step.to_string()).ok()?;
            Some((step, known.iter().find(|entity| *entity.uid() == uid)?.clone()))
        };
        let named = |name: &str| EntityType::from_normalized_str(name).ok();
        Some(Self {
            actions: StepType::ALL.into_iter().map(action).collect::<Option<_>>()?,
            base: base.static_policies().cloned().collect(),
            validator,
            user: named("User")?,
            folder: named("Folder")?,
            file: named("File")?,
            domain: named("Domain")?,
            place: named("Place")?,
            inside: named("Inside")?,
            scheme: named("Scheme")?,
            method: named("Method")?,
            effect: named("Effect")?,
        })
    }

    pub(super) const fn validator(&self) -> &Validator {
        &self.validator
    }
    pub(super) fn base(&self) -> &[Policy] {
        &self.base
    }
    pub(super) fn action(&self, step: StepType) -> Option<&Entity> {
        self.actions.get(&step)
    }

    /// Whether a rule with that scope can apply to that kind of step.
    pub(super) fn concerns(&self, step: StepType, scope: &ActionConstraint) -> bool {
        let Some(action) = self.action(step) else { return true };
        let is = |uid: &EntityUID| action.uid() == uid || action.is_descendant_of(uid);
        match scope {
            ActionConstraint::Any => true,
            ActionConstraint::Eq(uid) => action.uid() == uid.as_ref(),
            ActionConstraint::In(uids) => uids.iter().any(|uid| is(uid)),
        }
    }
}

/// Whether its scope names no principal, no action and no resource.
pub(super) fn is_any_scope(policy: &Policy) -> bool {
    let template = policy.template();
    let any = PrincipalOrResourceConstraint::Any;
    *template.principal_constraint().as_inner() == any
        && *template.action_constraint() == ActionConstraint::Any
        && *template.resource_constraint().as_inner() == any
}

impl fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vocabulary").finish_non_exhaustive()
    }
}

/// Panics unless the schema has such a request and such entities.
#[cfg(test)]
pub(super) fn conforms(
    words: &Vocabulary,
    request: &cedar_policy_core::ast::Request,
    entities: &cedar_policy_core::entities::Entities,
) {
    use cedar_policy_core::{
        ast::RequestSchema as _,
        entities::{Entities, TCComputation},
        validator::CoreSchema,
    };
    let (schema, extensions) = (words.validator.schema(), Extensions::all_available());
    schema.validate_request(request, extensions).unwrap();
    let own = entities.iter().filter(|entity| !entity.uid().is_action()).cloned();
    let schema = CoreSchema::new(schema);
    let how = TCComputation::AssumeAlreadyComputed;
    Entities::from_entities(own, Some(&schema), how, extensions).unwrap();
}
