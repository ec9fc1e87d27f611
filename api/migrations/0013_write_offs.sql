-- Failed payments that will not be made any more (Money 4.12). A write-off is final: arrears fall by its amount.
create table payment_write_offs (
  payroll_id bigint primary key references transfer_payrolls (id),
  -- A trigger copies it from the payment.
  amount bigint not null,
  reason text not null,
  user_id bigint not null references users (id),
  -- False only if the installation allows one person to do both, as the demo does (Money 6.2).
  two_people boolean not null default true,
  created_at timestamptz not null default now(),
  constraint payment_write_offs_reason check (reason ~ '\S')
);

-- Only a definite refusal is written off: not a payment in doubt, and not while a hold queries the agencies about it.
create function write_off_is_allowed() returns trigger language plpgsql as $$
declare payment record;
begin
  perform from sending_marks for share;
  select p.amount, p.status, p.written_off_at, g.cohort_id into payment
    from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
    where p.id = new.payroll_id for update of p;
  if payment.status is distinct from 'failed' or payment.written_off_at is not null
    or exists (select from payment_exceptions e where e.payroll_id = new.payroll_id and not e.resolved)
    or exists (select from sending_hold_differences d where d.payroll_id = new.payroll_id and d.kind = 'differs')
    or exists (select from sending_holds where released_at is null) then
    raise exception 'payment % cannot be written off', new.payroll_id
      using errcode = 'check_violation', constraint = 'payment_write_offs_failed';
  end if;
  if new.two_people and exists (select from cohort_touched_by(payment.cohort_id) t where t.user_id = new.user_id) then
    raise exception 'payment % is written off by somebody who touched its cohort', new.payroll_id
      using errcode = 'check_violation', constraint = 'payment_write_offs_two_people';
  end if;
  new.amount := payment.amount;
  return new;
end $$;
create trigger write_off_is_allowed before insert on payment_write_offs
  for each row execute function write_off_is_allowed();

create function write_off_payments() returns trigger language plpgsql as $$
begin
  update transfer_payrolls p set written_off_at = a.created_at, updated_at = now() from added a where p.id = a.payroll_id;
  return null;
end $$;
create trigger write_off_payments after insert on payment_write_offs
  referencing new table as added for each statement execute function write_off_payments();

create function money_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % never change', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger money_is_final before update or delete on payment_write_offs
  for each row execute function money_is_final();

-- A payment is written off by its row of `payment_write_offs`, once and for good.
create function written_off_by_its_row() returns trigger language plpgsql as $$
begin
  if old.written_off_at is not null or not exists (
    select from payment_write_offs w where w.payroll_id = new.id and w.created_at = new.written_off_at
  ) then
    raise exception 'payment % is not written off by a person', old.id
      using errcode = 'check_violation', constraint = 'payment_write_offs_row';
  end if;
  return new;
end $$;
create trigger written_off_by_its_row before update on transfer_payrolls for each row
  when (old.written_off_at is distinct from new.written_off_at) execute function written_off_by_its_row();

-- A new attempt needs the previous one to have failed (Money 4.2), and a payment that is not written off.
create or replace function attempt_follows_refusal() returns trigger language plpgsql as $$
begin
  if new.n > 1 and not exists (
    select 1 from payment_attempts a where a.payroll_id = new.payroll_id and a.n = new.n - 1 and a.state = 'failed'
  ) then
    raise exception 'attempt % of payment % needs a refused one before it', new.n, new.payroll_id using errcode = 'check_violation';
  end if;
  if exists (select from transfer_payrolls p where p.id = new.payroll_id and p.written_off_at is not null) then
    raise exception 'payment % is written off', new.payroll_id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create index payment_exceptions_payment on payment_exceptions (payroll_id) where not resolved;
