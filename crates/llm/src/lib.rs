//! Providers, slots, streaming and usage; complete takes a spend permit by value
