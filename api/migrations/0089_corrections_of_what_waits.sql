-- A payment that waits to be sent goes by an approved correction, too (Money 4.14). One of a round that was made before the approval, or
-- that was made again, was sent to the number that two people had found to be wrong.

-- Only an approved correction changes whom a payment pays, and only while no order of it is on its way.
create or replace function payment_keeps_its_recipient() returns trigger language plpgsql as $$
begin
  if old.status in ('failed', 'pending') and new.status = old.status and new.written_off_at is null and new.fees = old.fees
    and new.correction_id is not null and exists (
      select from recipient_of(new.master_list_id) r
      where (r.correction_id, r.first_name, r.last_name, r.phone, r.account, r.bank) is not distinct from
        (new.correction_id, new.receiver_first_name, new.receiver_last_name, new.receiver_phone_number,
          new.receiver_account, new.receiver_bank))
  then
    return new;
  end if;
  raise exception 'payment % cannot change whom it pays', old.id using errcode = 'check_violation', constraint = 'transfer_payrolls_of_list';
end $$;

-- An attempt that waits keeps what it went by, so it ends. A payment that waits gets the next one, which keeps who asked for it.
create or replace function correct_failed_payments() returns trigger language plpgsql as $$
declare ended record;
begin
  update transfer_payrolls p set correction_id = new.id,
    receiver_first_name = new.new_values->>'receiver_first_name',
    receiver_last_name = new.new_values->>'receiver_last_name',
    receiver_phone_number = new.new_values->>'receiver_phone_number',
    receiver_account = new.new_values->>'receiver_account',
    receiver_bank = new.new_values->>'receiver_bank', updated_at = now()
  where p.master_list_id = new.master_list_id and p.status in ('failed', 'pending') and p.written_off_at is null;
  for ended in
    update payment_attempts a set state = 'failed', reason = 'cancelled', settled_at = now()
    from transfer_payrolls p
    where p.master_list_id = new.master_list_id and p.correction_id = new.id and p.status in ('failed', 'pending')
      and a.payroll_id = p.id and a.state = 'pending'
    returning a.payroll_id, a.n, a.user_id, p.status
  loop
    if ended.status = 'pending' then
      insert into payment_attempts (payroll_id, n, state, user_id) values (ended.payroll_id, ended.n + 1, 'pending', ended.user_id);
    end if;
  end loop;
  return null;
end $$;

-- The rows of before satisfied the narrower constraint.
alter table money_events drop constraint money_events_kind, add constraint money_events_kind check (case kind
    when 'expected' then status_before is null and status = 'pending'
    when 'opening' then status_before = 'pending' and status <> 'pending'
    when 'instructed' then status_before = 'pending' and status = 'sending'
    when 'returned' then status_before = 'sending' and status = 'pending'
    when 'unknown' then status_before = 'sending' and status = 'unknown'
    when 'waiting' then status_before = 'unknown' and status = 'sending'
    when 'paid' then status_before in ('sending', 'unknown') and status = 'success'
    when 'failed' then status_before in ('pending', 'sending', 'unknown') and status = 'failed'
    when 'settled' then status_before in ('sending', 'unknown') and status in ('success', 'failed')
    when 'withheld' then status_before in ('pending', 'sending') and status = 'failed'
    when 'released' then status_before = 'failed' and status = 'pending'
    when 'retried' then status_before = 'failed' and status = 'pending'
    when 'corrected' then status_before in ('failed', 'pending') and status = status_before
    when 'written_off' then status_before = 'failed' and status = 'failed'
    when 'moved' then status_before = 'pending' and status = 'pending'
    when 'fee_corrected' then status_before = status
    when 'confirmed' then status_before = status
    when 'unconfirmed' then status_before = status
    else false end) not valid;
