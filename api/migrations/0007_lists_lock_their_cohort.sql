-- A condition outside of a subquery moves into it, so the old function locked only cohorts that were decided already:
-- a change of a list and its approval could run concurrently. Now the lock comes first, and then the condition.
create or replace function refuse_decided_lists(cohorts bigint[]) returns void language plpgsql as $$
declare decided bigint;
begin
  perform from transfer_cohorts where id = any(cohorts) order by id for share;
  select id into decided from transfer_cohorts where id = any(cohorts) and status <> 'pending' limit 1;
  if decided is not null then
    raise exception 'the list of cohort % is frozen', decided using errcode = 'check_violation', constraint = 'transfer_master_list_frozen';
  end if;
end $$;
