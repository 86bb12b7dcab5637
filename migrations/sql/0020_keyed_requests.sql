-- Requests were kept as plain hashes of their bodies: what is left of them goes, row by row, so that
-- SQLite writes zeros over each.
DELETE FROM idempotency WHERE created_at >= 0;
