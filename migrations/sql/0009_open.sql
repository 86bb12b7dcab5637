-- What is looked at every second and at every start is found without reading what is over.
CREATE INDEX approval_due ON approval (state, expires_at);
CREATE INDEX execution_open ON execution (session) WHERE state IN ('running', 'indeterminate');
