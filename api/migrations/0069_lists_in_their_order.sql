-- outside of a transaction
-- The rows of a list in the order of its file, which is the order of its page. All 150,000 of a list were sorted for the first 15
-- (decision 172).
drop index concurrently if exists transfer_master_list_in_order;
create index concurrently if not exists transfer_master_list_in_order on transfer_master_list (cohort_id, "row", id);
-- Payments that were withheld, which a report for donors looks for up to the end of its period (decision 171). They are few.
drop index concurrently if exists transfer_payrolls_withheld;
create index concurrently if not exists transfer_payrolls_withheld on transfer_payrolls (withheld_at) where withheld_at is not null;
