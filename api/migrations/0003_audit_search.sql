-- The audit log is searched by keys: the text is looked up in the registers first, and the log by what was found there.
-- An address is one of those keys.
create index audits_ip_address_index on audits (ip_address, id);
-- Which imports changed somebody: asked for when the log is searched by her name or code.
create index import_changes_subject_id_index on import_changes (subject_id, import_id);
