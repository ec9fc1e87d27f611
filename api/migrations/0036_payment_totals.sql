-- Payments that arrived, with what their recipients got in whole francs: by the CAP in which the girl goes to school now, by
-- cohort, and by the month of UTC in which the success was settled. A total is the sum of its rows here: triggers insert one
-- row per statement with the difference, and a worker adds them up (decisions 64 and 120).
create table payment_totals (
  id bigint primary key generated always as identity,
  cap_id bigint not null references caps (id) on delete cascade,
  cohort_id bigint not null references transfer_cohorts (id) on delete cascade,
  month date not null,
  payments bigint not null,
  amount bigint not null,
  constraint payment_totals_month check (extract(day from month) = 1)
);
create index payment_totals_key on payment_totals (cap_id, cohort_id, month);

-- Whoever settles payments holds this lock together with the others who do. Whoever changes a CAP holds it alone, so that
-- a payment which is settled meanwhile is counted in the new CAP, or moved there with the others.
create function hold_places(alone boolean) returns void language sql as $$
  select case when alone then pg_advisory_xact_lock(hashtext('places of payments'))
    else pg_advisory_xact_lock_shared(hashtext('places of payments')) end
$$;

create function month_paid(attempt payment_attempts) returns date language sql immutable parallel safe as $$
  select utc_month(coalesce(attempt.settled_at, attempt.created_at))
$$;

-- A successful attempt is final, a payment has at most one, and none is deleted. So each is counted once, when it appears.
-- Rows are looked up one by one (`offset 0`): a plan that was cached while a table was small would scan all of it.
create function count_paid_in_places() returns trigger language plpgsql as $$
begin
  if not exists (select from added where state = 'success') then return null; end if;
  perform hold_places(false);
  insert into payment_totals (cap_id, cohort_id, month, payments, amount)
  select c.cap_id, m.cohort_id, utc_month(coalesce(a.settled_at, a.created_at)), count(*), sum(p.amount)
  from added a,
    lateral (select amount, master_list_id from transfer_payrolls where id = a.payroll_id offset 0) p,
    lateral (select cohort_id, student_id from transfer_master_list where id = p.master_list_id offset 0) m,
    lateral (select school_id from students where id = m.student_id offset 0) s,
    lateral (select cap_id from schools where id = s.school_id offset 0) c
  where a.state = 'success' group by 1, 2, 3;
  return null;
end $$;

-- Takes the payments of students out of one CAP and adds them to another.
create function move_paid(moved_students bigint[], from_caps bigint[], to_caps bigint[]) returns void language sql as $$
  insert into payment_totals (cap_id, cohort_id, month, payments, amount)
  select v.cap_id, m.cohort_id, month_paid(a), sum(v.sign), sum(v.sign * p.amount)
  from unnest(moved_students, from_caps, to_caps) as x (student_id, from_cap, to_cap)
    join transfer_master_list m on m.student_id = x.student_id
    join transfer_payrolls p on p.master_list_id = m.id
    join payment_attempts a on a.payroll_id = p.id and a.state = 'success'
    cross join lateral (values (-1, x.from_cap), (1, x.to_cap)) v (sign, cap_id)
  group by 1, 2, 3
$$;

-- These two run at the end of their transaction, so that an import which moves girls does not keep payments waiting.
create function student_moves_paid() returns trigger language plpgsql as $$
begin
  perform hold_places(true);
  perform move_paid(array[new.id], array[before.cap_id], array[after.cap_id])
  from schools before, schools after
  where before.id = old.school_id and after.id = new.school_id and before.cap_id <> after.cap_id;
  return null;
end $$;

create function school_moves_paid() returns trigger language plpgsql as $$
begin
  perform hold_places(true);
  perform move_paid(array_agg(id), array_agg(old.cap_id), array_agg(new.cap_id)) from students where school_id = new.id;
  return null;
end $$;

-- Counts all payments again, and nobody settles one meanwhile. `npm run totals:rebuild` does it.
create function recount_payments() returns void language plpgsql as $$
begin
  perform hold_places(true);
  lock table payment_totals in share row exclusive mode;
  delete from payment_totals;
  insert into payment_totals (cap_id, cohort_id, month, payments, amount)
  select c.cap_id, m.cohort_id, month_paid(a), count(*), sum(p.amount)
  from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id
    join transfer_master_list m on m.id = p.master_list_id
    join students s on s.id = m.student_id join schools c on c.id = s.school_id
  where a.state = 'success' group by 1, 2, 3;
end $$;

-- Making a trigger locks its table against writers until the end, so nothing changes before the count below.
create trigger attempts_in_places_in after insert on payment_attempts
  referencing new table as added for each statement execute function count_paid_in_places();
create trigger attempts_in_places after update on payment_attempts
  referencing new table as added for each statement execute function count_paid_in_places();
create trigger attempts_in_places_none after truncate on payment_attempts
  for each statement execute function forget_months('payment_totals');
create constraint trigger student_moves_paid after update of school_id on students deferrable initially deferred
  for each row when (old.school_id <> new.school_id) execute function student_moves_paid();
create constraint trigger school_moves_paid after update of cap_id on schools deferrable initially deferred
  for each row when (old.cap_id <> new.cap_id) execute function school_moves_paid();

select recount_payments();

-- The months of the home page are read from here now. `payments_by_month` stays for programs of the release before.
