-- Who read what within the last hour, so that the audit log gets one entry for it. `mark` is a hash of what was read; the
-- person is 0 if nobody was signed in.
create table recent_reads (
  user_id bigint not null,
  mark bytea not null,
  read_at timestamptz not null default now(),
  primary key (user_id, mark)
);
create index recent_reads_read_at_index on recent_reads (read_at);

-- From where an export was asked for. The worker audits it with the file, when the number of rows is known.
alter table exports add ip_address text, add user_agent text, add request_id text;
