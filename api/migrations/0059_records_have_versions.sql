-- By which version of its collection's fields a record was saved (decision 138). The release before saves version 1, the only one it knows.
alter table module_records add column schema integer not null default 1;
alter table sandbox_records add column schema integer not null default 1;
-- The rules of versions that records have, for builds that do not know them: those before, after a version is taken back.
create table module_record_changes (
  module text not null,
  collection text not null,
  version integer not null,
  change jsonb not null,
  constraint module_record_changes_key primary key (module, collection, version)
);
