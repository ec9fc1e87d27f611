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

-- A payment that is under way when its recipient is corrected ends with the recipient of its order. If it fails, or comes back unsent, it
-- goes by the correction from then on (Money 4.14). It kept the old number for good: each further attempt went there, and the same
-- correction could not be proposed again.
create function correct_payment(payment bigint, correction recipient_corrections) returns void language plpgsql as $$
declare ended record;
begin
  update transfer_payrolls p set correction_id = correction.id,
    receiver_first_name = correction.new_values->>'receiver_first_name',
    receiver_last_name = correction.new_values->>'receiver_last_name',
    receiver_phone_number = correction.new_values->>'receiver_phone_number',
    receiver_account = correction.new_values->>'receiver_account',
    receiver_bank = correction.new_values->>'receiver_bank', updated_at = now()
  where p.id = payment and p.status in ('failed', 'pending') and p.written_off_at is null
    and p.correction_id is distinct from correction.id
    -- One that a lost database may have sent is asked about by its key first. It is corrected when it comes back unsent.
    and not exists (select from payment_attempts a where a.payroll_id = p.id and waits_to_be_asked(a));
  if not found then
    return;
  end if;
  -- An attempt that waits keeps what it went by, so it ends. A payment that waits gets the next one, which keeps who asked for it.
  update payment_attempts a set state = 'failed', reason = 'cancelled', settled_at = now()
  from transfer_payrolls p where p.id = payment and a.payroll_id = p.id and a.state = 'pending'
  returning a.n, a.user_id, p.status into ended;
  if ended.status = 'pending' then
    insert into payment_attempts (payroll_id, n, state, user_id) values (payment, ended.n + 1, 'pending', ended.user_id);
  end if;
end $$;

-- The lock orders the approval and whoever writes the outcome of a payment that is under way: the second one sees the first.
create or replace function correct_failed_payments() returns trigger language plpgsql as $$
begin
  perform from transfer_payrolls where master_list_id = new.master_list_id order by id for no key update;
  perform correct_payment(p.id, new) from transfer_payrolls p where p.master_list_id = new.master_list_id;
  return null;
end $$;

-- At the end of the transaction, so that the outcome is an event before the correction is one.
create function correction_of_what_came_back() returns trigger language plpgsql as $$
begin
  perform correct_payment(new.id, k) from recipient_corrections k
  where k.id = (select max(id) from recipient_corrections where master_list_id = new.master_list_id and state = 'approved');
  return null;
end $$;
create constraint trigger correction_of_what_came_back after update on transfer_payrolls deferrable initially deferred
  for each row when (old.status in ('sending', 'unknown') and new.status in ('failed', 'pending'))
  execute function correction_of_what_came_back();
