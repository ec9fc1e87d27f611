-- outside of a transaction
-- The rows of a list whose recipient was erased. They are few in every list, and nothing is paid for them.
drop index concurrently if exists transfer_master_list_erased;
create index concurrently if not exists transfer_master_list_erased on transfer_master_list (cohort_id) where erased_at is not null;
