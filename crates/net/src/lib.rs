//! Every outgoing HTTP byte: provider client, tool client with its SSRF guard, client of our own API
