//! Rule sheets, context blocks, templates, ordering and token budget of everything a model reads
