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
    and p.correction_id is distinct from correction.id;
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
  perform from transfer_payrolls where master_list_id = new.master_list_id order by id for update;
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

-- Payments that corrections before this release have left behind.
select correct_payment(p.id, k) from recipient_corrections k join transfer_payrolls p on p.master_list_id = k.master_list_id
where k.state = 'approved' and p.status in ('failed', 'pending') and p.written_off_at is null and p.correction_id is distinct from k.id
  and not exists (select from recipient_corrections l where l.master_list_id = k.master_list_id and l.state = 'approved' and l.id > k.id)
order by p.id;
