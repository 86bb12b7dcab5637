//! Which rules cannot apply: the index. It reads the plain parts of a rule, comparisons of facts with
//! literals, as Cedar does, and leaves whatever else there is to Cedar.

use super::question::Question;
use cedar_policy_core::ast::{
    BinaryOp, EntityReference, EntityUID, Expr, ExprKind, Literal, Policy,
    PrincipalOrResourceConstraint, UnaryOp, Var,
};

/// Deeper trees are left to Cedar.
const DEPTH_MAX: usize = 48;

/// `false` only where Cedar would find the rule not satisfied, without an error.
pub(super) fn may_apply(policy: &Policy, question: &Question) -> bool {
    let scope = policy.template();
    fits(scope.principal_constraint().as_inner(), &question.principal, &[])
        && fits(scope.resource_constraint().as_inner(), &question.resource, &question.above)
        && policy
            .non_scope_constraints()
            .is_none_or(|expr| judge(expr, question, DEPTH_MAX) != Some(false))
}

fn fits(scope: &PrincipalOrResourceConstraint, who: &Literal, above: &[EntityUID]) -> bool {
    let Literal::EntityUID(who) = who else { return true };
    let is = |of: &EntityReference| match of {
        EntityReference::EUID(uid) => uid == who,
        EntityReference::Slot(_) => true,
    };
    let lies_in = |of: &EntityReference| match of {
        EntityReference::EUID(uid) => uid == who || above.contains(uid),
        EntityReference::Slot(_) => true,
    };
    match scope {
        PrincipalOrResourceConstraint::Any => true,
        PrincipalOrResourceConstraint::Eq(of) => is(of),
        PrincipalOrResourceConstraint::In(of) => lies_in(of),
        PrincipalOrResourceConstraint::Is(kind) => kind.as_ref() == who.entity_type(),
        PrincipalOrResourceConstraint::IsIn(kind, of) => {
            kind.as_ref() == who.entity_type() && lies_in(of)
        }
    }
}

/// What Cedar would say; `None` where it has to be asked. Cedar reads from left to right too, and stops
/// where the left side decides: so what is right of an unknown is never looked at.
fn judge(expr: &Expr, question: &Question, depth: usize) -> Option<bool> {
    let deeper = depth.checked_sub(1)?;
    match expr.expr_kind() {
        ExprKind::And { left, right } => {
            if judge(left, question, deeper)? {
                judge(right, question, deeper)
            } else {
                Some(false)
            }
        }
        ExprKind::Or { left, right } => {
            if judge(left, question, deeper)? {
                Some(true)
            } else {
                judge(right, question, deeper)
            }
        }
        ExprKind::UnaryApp { op: UnaryOp::Not, arg } => Some(!judge(arg, question, deeper)?),
        ExprKind::BinaryApp { op, arg1, arg2 } => compare(*op, arg1, arg2, question),
        ExprKind::Like { expr, pattern } => match fact(expr, question)? {
            Literal::String(text) => Some(pattern.wildcard_match(text)),
            Literal::Bool(_) | Literal::Long(_) | Literal::EntityUID(_) => None,
        },
        ExprKind::HasAttr { expr, attr } => match expr.expr_kind() {
            ExprKind::Var(Var::Resource) => Some(question.attributes.contains_key(attr.as_str())),
            ExprKind::Var(Var::Context) => Some(question.context.contains_key(attr.as_str())),
            _ => None,
        },
        ExprKind::Is { expr, entity_type } => match fact(expr, question)? {
            Literal::EntityUID(uid) => Some(uid.entity_type() == entity_type),
            Literal::Bool(_) | Literal::Long(_) | Literal::String(_) => None,
        },
        ExprKind::Lit(_) | ExprKind::GetAttr { .. } => match fact(expr, question)? {
            Literal::Bool(is) => Some(*is),
            Literal::Long(_) | Literal::String(_) | Literal::EntityUID(_) => None,
        },
        _ => None,
    }
}

fn compare(op: BinaryOp, left: &Expr, right: &Expr, question: &Question) -> Option<bool> {
    match op {
        BinaryOp::Eq => Some(fact(left, question)? == fact(right, question)?),
        BinaryOp::Less | BinaryOp::LessEq => {
            match (op, fact(left, question)?, fact(right, question)?) {
                (BinaryOp::Less, Literal::Long(a), Literal::Long(b)) => Some(a < b),
                (_, Literal::Long(a), Literal::Long(b)) => Some(a <= b),
                _ => None,
            }
        }
        BinaryOp::In => {
            let ExprKind::Var(Var::Resource) = left.expr_kind() else { return None };
            let Literal::EntityUID(own) = &question.resource else { return None };
            let lies_in = |of: &Expr| match fact(of, question)? {
                Literal::EntityUID(of) => Some(of == own || question.above.contains(of)),
                Literal::Bool(_) | Literal::Long(_) | Literal::String(_) => None,
            };
            match right.expr_kind() {
                ExprKind::Set(items) => any(items, lies_in),
                _ => lies_in(right),
            }
        }
        BinaryOp::Contains => {
            let ExprKind::Set(items) = left.expr_kind() else { return None };
            let item = fact(right, question)?;
            any(items, |one| Some(fact(one, question)? == item))
        }
        _ => None,
    }
}

/// Cedar evaluates all items of a set before it looks into it.
fn any(items: &[Expr], is: impl Fn(&Expr) -> Option<bool>) -> Option<bool> {
    let answers: Option<Vec<bool>> = items.iter().map(is).collect();
    Some(answers?.contains(&true))
}

/// A literal, or a fact of this step.
fn fact<'a>(expr: &'a Expr, question: &'a Question) -> Option<&'a Literal> {
    match expr.expr_kind() {
        ExprKind::Lit(literal) => Some(literal),
        ExprKind::Var(Var::Principal) => Some(&question.principal),
        ExprKind::Var(Var::Action) => Some(&question.action),
        ExprKind::Var(Var::Resource) => Some(&question.resource),
        ExprKind::GetAttr { expr, attr } => match expr.expr_kind() {
            ExprKind::Var(Var::Resource) => question.attributes.get(attr.as_str()),
            ExprKind::Var(Var::Context) => question.context.get(attr.as_str()),
            _ => None,
        },
        _ => None,
    }
}
