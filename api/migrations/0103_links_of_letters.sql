-- Which link a letter carries: that of a consultation, or one to choose a password. Whoever ends the link ends the letter (Messages 4.10).
-- No foreign keys: a link may be deleted before its letter. Null for letters without such a link, and for those of the release before.
alter table mails add column referral_id bigint;
alter table mails add column password_token_id bigint;
