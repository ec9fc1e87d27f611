-- The usual steps of a payment are recognised without calling a function; whatever else is asked for is judged as before.
drop trigger payroll_transition on transfer_payrolls;
create trigger payroll_transition before update on transfer_payrolls for each row
  when (new.amount <> old.amount or new.payroll_group_id <> old.payroll_group_id or new.master_list_id <> old.master_list_id
    or old.status <> new.status and not (
      old.status = 'pending' and new.status = 'sending'
      or old.status = 'sending' and new.status in ('success', 'failed', 'unknown')))
  execute function payroll_transition();

-- A first attempt has none before it.
drop trigger attempt_follows_refusal on payment_attempts;
create trigger attempt_follows_refusal before insert on payment_attempts for each row
  when (new.n > 1) execute function attempt_follows_refusal();

drop trigger attempt_transition on payment_attempts;
create trigger attempt_transition before update on payment_attempts for each row
  when (old.state in ('success', 'failed') or new.idempotency_key <> old.idempotency_key
    or new.payroll_id <> old.payroll_id or new.n <> old.n)
  execute function attempt_transition();
