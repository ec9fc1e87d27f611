-- A payment that waits without an order of this database may have one of a lost database. It was corrected at once, so that its agency's
-- answer about the first recipient was a contradiction for people to settle (Money 4.14, 8.2). At a bank that takes files an order of this
-- database that waits kept the account of before its correction for good, and the next file paid that account (Money 7.9).

create or replace function correct_payment(payment bigint, correction recipient_corrections) returns void language plpgsql as $$
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
    -- One that a lost database may have sent is asked about first, also once it is withheld. It is corrected when it comes back unsent.
    -- Nobody asks a bank that takes files: there, whoever released the hold has confirmed the round.
    and not (payment_is_asked_first(p.id, p.payroll_group_id)
      and (p.status = 'pending' or exists (select from payment_attempts a where a.payroll_id = p.id and a.state = 'pending'))
      and not exists (select from payment_attempts a where a.payroll_id = p.id and a.state <> 'failed' and a.first_asked = 'clear')
      and not exists (select from transfer_agencies g where g.id = agency_of_round(p.payroll_group_id) and agency_takes_files(g.protocol)));
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

-- Payments at banks that corrections before this release have left behind.
select correct_payment(p.id, k) from recipient_corrections k
  join transfer_master_list m on m.id = k.master_list_id join transfer_cohorts c on c.id = m.cohort_id
  join transfer_agencies g on g.id = c.transfer_agency_id and agency_takes_files(g.protocol)
  join transfer_payrolls p on p.master_list_id = m.id
where k.state = 'approved' and p.status = 'pending' and p.correction_id is distinct from k.id
  and not exists (select from recipient_corrections l where l.master_list_id = k.master_list_id and l.state = 'approved' and l.id > k.id)
order by p.id;
