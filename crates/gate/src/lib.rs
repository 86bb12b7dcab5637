//! DACS rules and consensus, one evaluator, the four gates, claims and permits
