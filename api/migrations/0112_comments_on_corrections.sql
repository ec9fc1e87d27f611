-- What the second person wrote about a correction (Money 4.14). Until now it was in the notice only, which is deleted by its age.
alter table recipient_corrections add column comment text;
-- The column is new and empty, and corrections are few, so the table is locked for a moment.
-- squawk-ignore constraint-missing-not-valid
alter table recipient_corrections add constraint recipient_corrections_comment check (comment is null or comment ~ '\S' and state <> 'proposed');

-- The comment goes with the values, also where a server of the release before erases the person: it knows no comment.
create or replace function correction_is_decided() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.old_values = '{}' and new.new_values = '{}' and (new.id, new.master_list_id, new.state,
      new.user_id, new.created_at, new.decided_by, new.decided_at)
      is not distinct from (old.id, old.master_list_id, old.state, old.user_id, old.created_at, old.decided_by, old.decided_at)
    and exists (select from transfer_master_list m where m.id = new.master_list_id and m.erased_at is not null) then
    new.comment := null;
    return new;
  end if;
  if tg_op = 'DELETE' or old.state <> 'proposed'
    or (new.id, new.master_list_id, new.old_values, new.new_values, new.reason, new.user_id, new.created_at)
      is distinct from (old.id, old.master_list_id, old.old_values, old.new_values, old.reason, old.user_id, old.created_at) then
    raise exception 'correction % stays as it was proposed and decided', old.id using errcode = 'check_violation';
  end if;
  perform from sending_marks for share;
  if new.state = 'approved' and exists (select from sending_holds where released_at is null) then
    raise exception 'correction % cannot be approved while sending is held', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- The page of a round looks for the latest decision about each of its recipients.
-- Corrections are few, so nobody waits for this index.
-- squawk-ignore require-concurrent-index-creation
create index recipient_corrections_of_entry on recipient_corrections (master_list_id, id);
