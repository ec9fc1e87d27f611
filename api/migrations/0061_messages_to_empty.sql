-- outside of a transaction
-- The processed messages of devices whose content is still kept. The night that empties those whose time is over read all messages ever
-- received for each thousand of them (decision 161).
drop index concurrently if exists synced_messages_kept_index;
create index concurrently if not exists synced_messages_kept_index on synced_messages (processed_at) where data::text <> '{}';
