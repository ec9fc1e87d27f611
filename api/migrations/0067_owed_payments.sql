-- What is owed (Money 3.1): failed payments that are neither made again nor written off, each with its girl. A trigger keeps them in the
-- transaction that changes a payment, so this is an index of payments that the girl's number is in, and no figure of its own
-- (decision 172).
create table owed_payments (
  payroll_id bigint primary key,
  student_id bigint not null,
  payroll_group_id bigint not null,
  amount bigint not null,
  reason text
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
create index owed_payments_by_girl on owed_payments (student_id) include (payroll_group_id, amount, reason);

-- Most statements neither fail a payment nor make a failed one again, and end at the first line. Rows are looked up by key, because a plan
-- that was cached while the table was small would read all of it.
create function keep_owed() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not exists (select from removed where status = 'failed') and not exists (select from added where status = 'failed') then
    return null;
  end if;
  delete from owed_payments
  where payroll_id = any(array(select id from added where status <> 'failed' or written_off_at is not null));
  insert into owed_payments as o (payroll_id, student_id, payroll_group_id, amount, reason)
  select a.id, m.student_id, a.payroll_group_id, a.amount, a.failure_reason
  from added a, lateral (select student_id from transfer_master_list where id = a.master_list_id offset 0) m
  where a.status = 'failed' and a.written_off_at is null
  on conflict (payroll_id) do update set reason = excluded.reason where o.reason is distinct from excluded.reason;
  return null;
end $$;

-- Finds what is owed again. Whoever changes payments meanwhile waits until it is over. `npm run totals:rebuild` does it.
create function recount_owed() returns void language plpgsql as $$
begin
  lock table owed_payments in share row exclusive mode;
  delete from owed_payments;
  insert into owed_payments (payroll_id, student_id, payroll_group_id, amount, reason)
  select p.id, m.student_id, p.payroll_group_id, p.amount, p.failure_reason
  from transfer_payrolls p join transfer_master_list m on m.id = p.master_list_id
  where p.status = 'failed' and p.written_off_at is null;
end $$;

-- Making a trigger locks its table against writers until the end, so nothing changes before the payments are looked at. A payment begins as
-- pending, so only a change makes it owed.
create trigger keep_owed after update on transfer_payrolls
  referencing new table as added old table as removed for each statement execute function keep_owed();

select recount_owed();
