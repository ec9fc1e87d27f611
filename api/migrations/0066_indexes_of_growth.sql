-- outside of a transaction
-- Refused attempts, which a report for donors counts up to the end of its period. They are one of a hundred, and each report read all
-- attempts ever made to find them (decision 171).
drop index concurrently if exists payment_attempts_failed;
create index concurrently if not exists payment_attempts_failed on payment_attempts (settled_at) include (payroll_id, n) where state = 'failed';
-- Notices and letters by age: each night read all of them to see that no more are old (decision 172).
drop index concurrently if exists notifications_created_at_index;
create index concurrently if not exists notifications_created_at_index on notifications (created_at);
drop index concurrently if exists mails_ended_index;
create index concurrently if not exists mails_ended_index on mails (created_at) where state in ('sent', 'failed');
