-- What lists of records are sorted, filtered and added up by (decision 140): for each record and field that its collection
-- declares for that, the value as a text or a number. The fields have numbers, so that one index serves all modules.
create table module_record_fields (
  id integer primary key generated always as identity,
  module text not null,
  collection text not null,
  name text not null,
  constraint module_record_fields_key unique (module, collection, name)
);
create table module_record_keys (
  record_id bigint not null references module_records (id) on delete cascade,
  field_id integer not null references module_record_fields (id),
  -- Days and booleans too. Both are null for a record without a value, which then stands at the end of the list.
  text text collate "fr-x-icu",
  number double precision,
  constraint module_record_keys_key primary key (record_id, field_id)
);
create index module_record_keys_text_index on module_record_keys (field_id, text, record_id);
create index module_record_keys_number_index on module_record_keys (field_id, number, record_id);
-- How many records have a value depends on the field, so the planner counts both together.
create statistics module_record_keys_texts (mcv) on field_id, text from module_record_keys;

-- For which declaration of its collection the keys of a record were written; null for records of the release before.
alter table module_records add column keyed text;
