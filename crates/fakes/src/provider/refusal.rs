//! Why a provider refuses a request.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The request breaks a rule of the interface.
    Invalid(String),
    TooLong,
    /// The content is not answered.
    Declined,
    WrongKey,
    Unpaid,
    Forbidden,
    NoSuchModel,
    /// Only the provider's other interface serves this model.
    OtherInterface,
    /// With Retry-After, in seconds.
    RateLimited(Option<u64>),
    Broken,
    Overloaded,
}
