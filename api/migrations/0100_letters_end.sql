-- When the links of a letter end: it is not sent after that (Messages 4.10). Null for a letter whose links do not end.
alter table mails add column expires_at timestamptz;
