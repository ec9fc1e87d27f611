-- The filters of the audit log offer what has happened so far: found by skipping through this index, not by reading the log.
create index audits_event_index on audits (event, id);
