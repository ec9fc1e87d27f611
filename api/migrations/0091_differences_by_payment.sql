-- outside of a transaction
-- What holds found otherwise than here, by payment. It is asked for each refusal and for each failed payment that is shown.
drop index concurrently if exists sending_hold_differences_payment;
create index concurrently if not exists sending_hold_differences_payment on sending_hold_differences (payroll_id) where kind = 'differs';
