//! kameo actors that perform flow and plan effects: sessions, runs, approvals
