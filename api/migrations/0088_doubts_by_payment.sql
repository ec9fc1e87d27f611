-- outside of a transaction
-- What holds found otherwise than here, by payment. It is asked for each refusal and for each failed payment that is shown.
drop index concurrently if exists sending_hold_differences_payment;
create index concurrently if not exists sending_hold_differences_payment on sending_hold_differences (payroll_id) where kind = 'differs';
-- Exceptions on which somebody has decided are looked up by payment, too.
create index concurrently if not exists payment_exceptions_of_payment on payment_exceptions (payroll_id);
drop index concurrently if exists payment_exceptions_payment;
