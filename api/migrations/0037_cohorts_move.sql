-- Cohorts whose payments are moved to another agency: one person proposes it, another approves it (Money 5.16).
create table cohort_moves (
  id bigint primary key generated always as identity,
  cohort_id bigint not null references transfer_cohorts (id),
  -- A trigger copies it from the cohort.
  from_agency_id bigint not null references transfer_agencies (id),
  to_agency_id bigint not null references transfer_agencies (id),
  reason text not null,
  state text not null default 'proposed',
  -- What was pending when it was approved. A trigger counts it.
  payments integer,
  amount bigint,
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  decided_by bigint references users (id),
  decided_at timestamptz,
  -- False only if the installation allows people who touched a cohort to decide on it, as the demo does (Money 6.2).
  two_people boolean not null default true,
  constraint cohort_moves_reason check (reason ~ '\S'),
  constraint cohort_moves_state check (state in ('proposed', 'approved', 'refused')),
  constraint cohort_moves_elsewhere check (from_agency_id <> to_agency_id),
  constraint cohort_moves_decided
    check ((state = 'proposed') = (decided_by is null) and (state = 'proposed') = (decided_at is null)),
  constraint cohort_moves_counted check ((state = 'approved') = (payments is not null) and (state = 'approved') = (amount is not null)),
  -- There is no exception: where the money goes through always needs two people.
  constraint cohort_moves_four_eyes check (state <> 'approved' or decided_by <> user_id)
);
create unique index cohort_moves_open on cohort_moves (cohort_id) where state = 'proposed';
create index cohort_moves_of_cohort on cohort_moves (cohort_id, id);

-- The agencies through which a cohort was paid so far.
create function agencies_of_cohort(cohort bigint) returns table (agency_id bigint) language sql stable as $$
  select transfer_agency_id from transfer_cohorts where id = cohort
  union
  select from_agency_id from cohort_moves where cohort_id = cohort and state = 'approved'
$$;

-- Open outcomes of moved cohorts at an agency of before. The counters of their rounds stand under the agency of the cohort.
create function outcomes_elsewhere() returns table (agency_id bigint, cohort_agency_id bigint, sending bigint, unknown bigint)
language sql stable as $$
  select t.agency_id, c.transfer_agency_id, count(*) filter (where p.status = 'sending'), count(*) filter (where p.status = 'unknown')
  from transfer_cohorts c join transfer_payroll_groups g on g.cohort_id = c.id and g.sending + g.unknown > 0
    join transfer_payrolls p on p.payroll_group_id = g.id and p.status in ('sending', 'unknown')
    join payment_attempts t on t.payroll_id = p.id and t.state = p.status and t.agency_id <> c.transfer_agency_id
  where c.id in (select m.cohort_id from cohort_moves m where m.state = 'approved')
  group by 1, 2
$$;

-- Who made or changed an agency.
create function agency_touched_by(agency bigint) returns table (user_id bigint) language sql stable as $$
  select a.user_id from transfer_agencies a where a.id = agency
  union
  select x.user_id from transfer_agency_changes x where x.agency_id = agency and x.state = 'confirmed'
$$;

-- Whether an agency cannot pay a recipient because part of the address is missing. The file for a bank names the bank of each account.
create function agency_lacks(agency transfer_agencies, phone text, account text, bank text) returns boolean language sql immutable as $$
  select case agency.type when 'bank' then account is null or agency_takes_files(agency.protocol) and bank is null else phone is null end
$$;

-- What keeps a cohort from being moved to an agency, by kind. `asked_first`: the agency of before may have got these payments
-- from a lost database (Money 8.4), has not listed what it got, and only it can say so.
create function cohort_move_obstacles(cohort bigint, agency bigint) returns table (kind text, count bigint) language sql stable as $$
  select kind, count from (
    select 'cohort' as kind, 1 - count(*) as count from transfer_cohorts c
      where c.id = cohort and c.status in ('approved', 'error') and not exists (select from cohort_closings k where k.cohort_id = c.id)
    union all
    select 'held', count(*) from sending_holds where released_at is null
    union all
    select 'agency', 1 - count(*) from transfer_agencies a, transfer_cohorts c join transfer_agencies o on o.id = c.transfer_agency_id
      where c.id = cohort and a.id = agency and a.id <> o.id and a.status = 'active' and a.country = o.country
    union all
    select 'nothing', 1 from transfer_cohorts c where c.id = cohort
      and not exists (select from transfer_payroll_groups g where g.cohort_id = c.id and g.pending + g.sending + g.failed - g.written_off > 0)
      and not exists (select from transfer_rounds r where r.cohort_id = c.id
        and not exists (select from transfer_payroll_groups g where g.cohort_id = c.id and g.n = r.n))
    union all
    -- An order in a file of a bank does not become pending again.
    select 'sending', count(*) from transfer_payroll_groups g join transfer_payrolls p on p.payroll_group_id = g.id and p.status = 'sending'
      where g.cohort_id = cohort and g.sending > 0 and not exists (
        select from payment_attempts t join bank_file_payments f on f.attempt_id = t.id where t.payroll_id = p.id and t.state = 'sending')
    union all
    select 'unpayable', count(*) from transfer_master_list m join transfer_agencies a on a.id = agency
      where m.cohort_id = cohort and m.erased_at is null
        and agency_lacks(a, m.receiver_phone_number, m.receiver_account, m.receiver_bank)
        and exists (select from recipient_of(m.id) r where agency_lacks(a, r.phone, r.account, r.bank))
    union all
    select 'asked_first', count(*) from (
      select r.n from sending_holds h join transfer_cohorts c on c.id = cohort and c.created_at <= h.raised_at
        join transfer_rounds r on r.cohort_id = c.id and r.due_on <= (h.raised_at at time zone 'utc')::date + 1
      where not exists (select from sending_hold_lists l
          where l.hold_id = h.id and l.agency_id = c.transfer_agency_id and l.state = 'read' and not l.moved)
        and (not exists (select from transfer_payroll_groups g where g.cohort_id = c.id and g.n = r.n)
          or exists (select from transfer_payroll_groups g join transfer_payrolls p on p.payroll_group_id = g.id and p.status = 'pending'
            where g.cohort_id = c.id and g.n = r.n
              and not exists (select from payment_attempts t where t.payroll_id = p.id and t.first_asked = 'clear')
              and not exists (select from sending_hold_questions q
                where q.hold_id = h.id and q.payroll_id = p.id and q.answer is not null)))
      group by r.n) rounds
  ) obstacles where count > 0
$$;

-- Workers claim and settle payments under the lock of the lease of their agency, and claim them under a lock of the cohort. So
-- each payment is claimed before the move or moved.
create function cohort_move_locks(cohort bigint, agency bigint) returns void language plpgsql as $$
declare
  current_agency bigint;
begin
  perform from sending_marks for share;
  select transfer_agency_id into current_agency from transfer_cohorts where id = cohort;
  perform from transfer_agencies where id in (current_agency, agency) order by id for share;
  perform from agency_leases where agency_id = current_agency for no key update;
  perform from transfer_cohorts where id = cohort for update;
  -- Another move came first. Whoever decides finds that.
  if exists (select from transfer_cohorts where id = cohort and transfer_agency_id <> current_agency) then
    perform cohort_move_locks(cohort, agency);
  end if;
end $$;

create function move_is_proposed() returns trigger language plpgsql as $$
begin
  perform cohort_move_locks(new.cohort_id, new.to_agency_id);
  select transfer_agency_id into new.from_agency_id from transfer_cohorts where id = new.cohort_id;
  if new.state <> 'proposed'
    or exists (select from cohort_move_obstacles(new.cohort_id, new.to_agency_id) o where o.kind <> 'sending') then
    raise exception 'cohort % cannot be moved', new.cohort_id using errcode = 'check_violation', constraint = 'cohort_moves_possible';
  end if;
  return new;
end $$;
create trigger move_is_proposed before insert on cohort_moves for each row execute function move_is_proposed();

-- It is decided once. Whoever approves it finds no payment of the cohort on its way.
create function move_is_decided() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.state <> 'proposed' or to_jsonb(new) - '{state,decided_by,decided_at,two_people}'::text[]
      is distinct from to_jsonb(old) - '{state,decided_by,decided_at,two_people}'::text[] then
    raise exception 'move % stays as it was proposed and decided', old.id using errcode = 'check_violation';
  end if;
  if new.state <> 'approved' then
    return new;
  end if;
  perform cohort_move_locks(new.cohort_id, new.to_agency_id);
  if exists (select from cohort_move_obstacles(new.cohort_id, new.to_agency_id))
    or not exists (select from transfer_cohorts where id = new.cohort_id and transfer_agency_id = new.from_agency_id) then
    raise exception 'cohort % cannot be moved now', new.cohort_id
      using errcode = 'check_violation', constraint = 'cohort_moves_possible';
  end if;
  if new.two_people and (exists (select from cohort_touched_by(new.cohort_id) t where t.user_id = new.decided_by)
    or exists (select from agency_touched_by(new.to_agency_id) t where t.user_id = new.decided_by)) then
    raise exception 'cohort % is moved by somebody who touched it or the agency', new.cohort_id
      using errcode = 'check_violation', constraint = 'cohort_moves_two_people';
  end if;
  new.decided_at := now();
  select count(*), coalesce(sum(p.amount), 0) into new.payments, new.amount
    from transfer_payroll_groups g join transfer_payrolls p on p.payroll_group_id = g.id and p.status = 'pending'
    where g.cohort_id = new.cohort_id and g.pending > 0;
  return new;
end $$;
create trigger move_is_decided before update or delete on cohort_moves for each row execute function move_is_decided();

-- What is pending, and all that is made from now on, goes through the other agency. Attempts that were sent keep theirs. One that
-- was certainly not sent, and waits with its key, goes along.
create function move_cohort() returns trigger language plpgsql as $$
begin
  update transfer_cohorts set transfer_agency_id = new.to_agency_id where id = new.cohort_id;
  update payment_attempts a set agency_id = new.to_agency_id
  from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
  where g.cohort_id = new.cohort_id and p.status = 'pending' and a.payroll_id = p.id and a.state = 'pending';
  return null;
end $$;
create trigger move_cohort after update on cohort_moves
  for each row when (old.state = 'proposed' and new.state = 'approved') execute function move_cohort();

-- An attempt that was sent keeps its agency.
create function attempt_keeps_its_agency() returns trigger language plpgsql as $$
begin
  if old.state <> 'pending' or new.state <> 'pending' then
    raise exception 'attempt % went through another agency', old.id
      using errcode = 'check_violation', constraint = 'payment_attempts_agency';
  end if;
  return new;
end $$;
create trigger attempt_keeps_its_agency before update on payment_attempts
  for each row when (old.agency_id <> new.agency_id) execute function attempt_keeps_its_agency();

-- The fields of a cohort that the approver saw are frozen, except its agency, which a move changes in the same transaction.
create or replace function cohort_is_frozen() returns trigger language plpgsql as $$
begin
  if old.transfer_agency_id <> new.transfer_agency_id
    and to_jsonb(old) - 'transfer_agency_id' = to_jsonb(new) - 'transfer_agency_id'
    and exists (select from cohort_moves m where m.cohort_id = new.id and m.state = 'approved' and m.decided_at = now()
      and m.from_agency_id = old.transfer_agency_id and m.to_agency_id = new.transfer_agency_id) then
    return new;
  end if;
  raise exception 'the list of cohort % is frozen', old.id using errcode = 'check_violation', constraint = 'transfer_cohorts_frozen';
end $$;

-- Whoever proposed a move that was approved has influenced through whom the cohort is paid.
create or replace function cohort_touched_by(cohort bigint) returns table (user_id bigint, how text) language sql stable as $$
  select c.user_id, 'uploaded' from transfer_cohorts c where c.id = cohort
  union
  select i.confirmed_by, 'confirmed' from transfer_cohorts c join imports i on i.id = c.import_id
  where c.id = cohort and i.confirmed_by is not null
  union
  select k.user_id, 'corrected' from transfer_cohorts c join import_corrections k on k.import_id = c.import_id where c.id = cohort
  union
  select t.user_id, 'agency' from transfer_cohorts c cross join lateral agency_touched_by(c.transfer_agency_id) t where c.id = cohort
  union
  select p.user_id, 'parameter' from transfer_cohorts c join transfer_parameters p on p.id = c.transfer_parameter_id
  where c.id = cohort
  union
  select r.user_id, 'recipient' from transfer_master_list m join recipient_corrections r on r.master_list_id = m.id
  where m.cohort_id = cohort
  union
  select m.user_id, 'moved' from cohort_moves m where m.cohort_id = cohort and m.state = 'approved'
$$;

-- A cohort is not closed while a move waits for its decision, or while a statement of an agency of before is being read.
create or replace function cohort_open_points(cohort bigint) returns table (kind text, count bigint) language sql stable as $$
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
    select 'moves', count(*) from cohort_moves where cohort_id = cohort and state = 'proposed'
    union all
    select 'statements', count(*) from agency_statements s where s.state in ('queued', 'reading')
        and s.agency_id in (select o.agency_id from agencies_of_cohort(cohort) o)
      or s.state = 'open' and exists (select from statement_findings f join transfer_payrolls p on p.id = f.payroll_id
        join transfer_payroll_groups g on g.id = p.payroll_group_id where f.statement_id = s.id and g.cohort_id = cohort)
  ) points where count > 0
$$;

-- Whoever may approve is told of a move that waits for a second person (Messages 4.3).
alter table notifications drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in
    ('cohort-to-approve', 'cohort-refused', 'cohort-in-error', 'case-assigned', 'case-due', 'expert-answered', 'build-to-admit',
     'erasure-to-decide', 'payment-to-settle', 'cohort-to-move'));
alter table notice_preferences drop constraint notice_preferences_kind_check,
  add constraint notice_preferences_kind_check check (kind in
    ('cohort-to-approve', 'cohort-refused', 'cohort-in-error', 'case-assigned', 'case-due', 'expert-answered', 'build-to-admit',
     'erasure-to-decide', 'payment-to-settle', 'cohort-to-move'));
