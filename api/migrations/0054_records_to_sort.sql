-- outside of a transaction
drop index concurrently if exists module_records_keyed_index;
-- Finds the records whose keys are to be written, also when there are none.
create index concurrently if not exists module_records_keyed_index on module_records (module, collection, keyed);
