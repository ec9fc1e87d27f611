-- The name of a letter in the outbox, where it waits because there was no mail server; null for all others.
alter table mails add column outbox text;
