-- outside of a transaction
-- What a recipient of a list is searched by, for searches that few of them match (decision 172). Payments do not change lists, so only an
-- import writes it.
drop index concurrently if exists transfer_master_list_search_index;
create index concurrently if not exists transfer_master_list_search_index on transfer_master_list using gin (search gin_trgm_ops);
