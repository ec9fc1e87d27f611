-- A staged row is known by its import and its number in the file. Every index less makes an import faster.
drop index import_rows_key_index;
alter table import_rows drop column id;
alter table import_rows drop constraint import_rows_key;
alter table import_rows add primary key (import_id, "row");
