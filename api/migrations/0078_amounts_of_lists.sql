-- outside of a transaction
-- The amounts of a list in their order, for the flags that an approver reads: quarters and high amounts are found without the rows of the
-- list (decision 200). Equal amounts share their entries, so 150,000 rows take 1 MB.
drop index concurrently if exists transfer_master_list_amounts;
create index concurrently if not exists transfer_master_list_amounts on transfer_master_list (cohort_id, amount);
