//! ConversationFlowController: transitions only
