-- outside of a transaction
-- The girls who are owed longest are those of the oldest rounds, and the reasons that the filter of the arrears offers are few: both read
-- all that is owed, once for each page (decision 182). One payment of a hundred has a row here.
drop index concurrently if exists owed_payments_by_round;
create index concurrently if not exists owed_payments_by_round on owed_payments (payroll_group_id, student_id);
drop index concurrently if exists owed_payments_reasons;
create index concurrently if not exists owed_payments_reasons on owed_payments (reason) where reason is not null;
