//! Entities, queries, commit of claims, audit chain, session journal
