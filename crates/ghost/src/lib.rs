//! Fake model server, demo services; later the scenario player
