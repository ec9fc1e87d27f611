-- Cohorts that a person closed for good (Money 5.14). Nothing is paid, retried, corrected or made in them any more.
create table cohort_closings (
  cohort_id bigint primary key references transfer_cohorts (id),
  reason text not null,
  user_id bigint not null references users (id),
  -- False only if the installation allows one person to do both, as the demo does (Money 6.2).
  two_people boolean not null default true,
  created_at timestamptz not null default now(),
  constraint cohort_closings_reason check (reason ~ '\S')
);

-- What keeps a cohort from being closed, by kind. A statement that is still being read may have lines of it.
create function cohort_open_points(cohort bigint) returns table (kind text, count bigint) language sql stable as $$
  select kind, count from (
    select v.kind, v.count
    from (select coalesce(sum(pending + sending), 0)::bigint as pending, coalesce(sum(unknown), 0)::bigint as unknown,
        coalesce(sum(failed - written_off - withheld), 0)::bigint as failed, coalesce(sum(withheld), 0)::bigint as withheld
      from transfer_payroll_groups where cohort_id = cohort) g,
      lateral (values ('pending', g.pending), ('unknown', g.unknown), ('failed', g.failed), ('withheld', g.withheld)) v(kind, count)
    union all
    select 'error', count(*) from transfer_cohorts where id = cohort and status = 'error'
    union all
    select 'exceptions', count(*) from payment_exceptions e join transfer_payrolls p on p.id = e.payroll_id
      join transfer_payroll_groups g on g.id = p.payroll_group_id where g.cohort_id = cohort and not e.resolved
    union all
    select 'corrections', count(*) from recipient_corrections k join transfer_master_list m on m.id = k.master_list_id
      where m.cohort_id = cohort and k.state = 'proposed'
    union all
    select 'statements', count(*) from agency_statements s where s.state in ('queued', 'reading')
        and s.agency_id = (select transfer_agency_id from transfer_cohorts where id = cohort)
      or s.state = 'open' and exists (select from statement_findings f join transfer_payrolls p on p.id = f.payroll_id
        join transfer_payroll_groups g on g.id = p.payroll_group_id where f.statement_id = s.id and g.cohort_id = cohort)
  ) points where count > 0
$$;

-- The lock of the cohort's row orders a closing and the acts that would open the cohort again.
create function closing_is_allowed() returns trigger language plpgsql as $$
begin
  perform from sending_marks for share;
  perform from transfer_cohorts where id = new.cohort_id and status = 'approved' for update;
  if not found or exists (select from sending_holds where released_at is null)
    or exists (select from cohort_open_points(new.cohort_id)) then
    raise exception 'cohort % is not settled', new.cohort_id
      using errcode = 'check_violation', constraint = 'cohort_closings_settled';
  end if;
  if new.two_people and exists (select from cohort_touched_by(new.cohort_id) t where t.user_id = new.user_id) then
    raise exception 'cohort % is closed by somebody who touched it', new.cohort_id
      using errcode = 'check_violation', constraint = 'cohort_closings_two_people';
  end if;
  return new;
end $$;
create trigger closing_is_allowed before insert on cohort_closings for each row execute function closing_is_allowed();
create trigger money_is_final before update or delete on cohort_closings for each row execute function money_is_final();

-- Rounds that were still planned are not made.
create function closing_ends_rounds() returns trigger language plpgsql as $$
begin
  update transfer_rounds set state = 'missed' where cohort_id = new.cohort_id and state = 'scheduled';
  return null;
end $$;
create trigger closing_ends_rounds after insert on cohort_closings for each row execute function closing_ends_rounds();

-- All payments of a closed cohort are paid or written off, and of these no attempt and no correction can be made anyway.
create function refuse_closed(cohort bigint) returns void language plpgsql as $$
begin
  perform from transfer_cohorts where id = cohort for key share;
  if exists (select from cohort_closings where cohort_id = cohort) then
    raise exception 'cohort % is closed', cohort using errcode = 'check_violation', constraint = 'cohort_closings_final';
  end if;
end $$;

create function closed_cohort_stays() returns trigger language plpgsql as $$
begin
  perform refuse_closed(old.id);
  return new;
end $$;
create trigger closed_cohort_stays before update on transfer_cohorts for each row
  when (old.status <> new.status or old.stopped_at is distinct from new.stopped_at or old."from" <> new."from" or old."to" <> new."to")
  execute function closed_cohort_stays();

create function closed_cohort_makes_no_round() returns trigger language plpgsql as $$
begin
  perform refuse_closed(new.cohort_id);
  return new;
end $$;
create trigger closed_cohort_makes_no_round before insert on transfer_payroll_groups
  for each row execute function closed_cohort_makes_no_round();

create function closed_cohort_pays_nobody() returns trigger language plpgsql as $$
begin
  if exists (select from added p join transfer_payroll_groups g on g.id = p.payroll_group_id
    join cohort_closings k on k.cohort_id = g.cohort_id) then
    raise exception 'a cohort is closed' using errcode = 'check_violation', constraint = 'cohort_closings_final';
  end if;
  return null;
end $$;
create trigger closed_cohort_pays_nobody after insert on transfer_payrolls
  referencing new table as added for each statement execute function closed_cohort_pays_nobody();
