-- The place of each ten thousandth entry of the audit log, oldest first (decision 181). A page in the middle of a long log begins
-- at the checkpoint before it instead of passing all entries from an end. `last_id` is the highest number up to there.
create table audit_checkpoints (
  entries bigint primary key,
  created_at timestamptz not null,
  audit_id bigint not null,
  last_id bigint not null
);

-- Checkpoints are made of entries that are two days old. A server whose clock is wrong may add an entry before one; those behind it
-- are made again then. Other entries do not call the function.
create function drop_later_checkpoints() returns trigger language plpgsql security definer set search_path = public as $$
begin
  delete from audit_checkpoints where created_at >= new.created_at;
  return null;
end $$;
create trigger audits_late after insert on audits for each row
  when (new.created_at < now() - interval '1 day') execute function drop_later_checkpoints();
