-- outside of a transaction
-- Why the letter of a consultation did not reach its expert, until it is sent after all (Cases 4.7). Letters are deleted by age, and the
-- reviewer may read it as long as the request is open.
alter table referrals add column if not exists undelivered text constraint referrals_undelivered_check check (undelivered in ('refused', 'not_taken'));
-- The letter of a consultation is looked for when the consultation ends, and every minute while it is open.
drop index concurrently if exists mails_referral_id_index;
create index concurrently if not exists mails_referral_id_index on mails (referral_id) where referral_id is not null;
