-- What a device sent is shown as it sent it: jsonb would sort its keys by their length.
alter table synced_messages alter column data type json using data::json;
