-- What the rules of this release find in the payments of before. It is a file of its own, because the triggers lock tables while they are made.

-- Payments that wait although a statement that is open now has them as paid.
select stop_doubted_payments(array(select payroll_id from stated_payments where state = 'open'));

-- Payments that holds before this release have left in doubt.
select doubt_held_payment(payroll_id) from sending_hold_differences where kind = 'differs' and payroll_id is not null
group by payroll_id order by payroll_id;

-- Payments that corrections before this release have left behind.
select correct_payment(p.id, k) from recipient_corrections k join transfer_payrolls p on p.master_list_id = k.master_list_id
where k.state = 'approved' and p.status in ('failed', 'pending') and p.written_off_at is null and p.correction_id is distinct from k.id
  and not exists (select from recipient_corrections l where l.master_list_id = k.master_list_id and l.state = 'approved' and l.id > k.id)
order by p.id;
