-- Calls that ended before they were kept as numbers. Only SQLite has such.

UPDATE model_call SET
    input_tokens = json_extract(usage, '$.inputTokens'),
    output_tokens = json_extract(usage, '$.outputTokens'),
    estimated = json_extract(usage, '$.estimated')
WHERE usage IS NOT NULL;
UPDATE model_call SET
    tokens = json_extract(amount, '$.tokens'),
    micros = json_extract(amount, '$.micros')
WHERE amount IS NOT NULL;
