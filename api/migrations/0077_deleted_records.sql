-- Servers of teams ask what has changed in a collection since they asked last (decision 198). Of a deleted record its number stays for a while.
create table module_record_deletions (
  record_id bigint primary key,
  module text not null,
  collection text not null,
  deleted_at timestamptz not null
);
create index module_record_deletions_place_index on module_record_deletions (module, collection, deleted_at, record_id);
create index module_record_deletions_deleted_at_index on module_record_deletions (deleted_at);

-- The moment of a change. Before it is taken, a lock says to everybody that a change of this second is under way, so that nobody is told of
-- later ones before it is committed. Seconds are counted from November 2023, so that they fit. Changes do not wait for each other.
create function moment_of_record_change(place text) returns timestamptz language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext(place), (floor(extract(epoch from clock_timestamp())) - 1700000000)::int);
  return clock_timestamp();
end
$$;

create function note_record_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into module_record_deletions (record_id, module, collection, deleted_at)
    values (old.id, old.module, old.collection, moment_of_record_change(old.module || '/' || old.collection));
    return old;
  end if;
  new.updated_at := moment_of_record_change(new.module || '/' || new.collection);
  return new;
end
$$;
create trigger module_records_made before insert on module_records for each row execute function note_record_change();
create trigger module_records_changed before update on module_records for each row
  when (old.version is distinct from new.version) execute function note_record_change();
create trigger module_records_deleted before delete on module_records for each row execute function note_record_change();
