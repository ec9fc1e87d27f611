-- What each backup made, so that staff and monitors see that there are some. Written by the owner, from the script that makes them.

create table backups (
  id bigint primary key generated always as identity,
  ended_at timestamptz not null default now(),
  -- What made it, such as pg_dump or pgBackRest.
  maker text not null,
  bytes bigint not null,
  constraint backups_maker_length check (length(maker) between 1 and 40),
  constraint backups_bytes check (bytes > 0)
);
create index backups_latest on backups (ended_at);

create trigger backups_keep before update or delete on backups for each row execute function refuse_change();
create trigger backups_keep_all before truncate on backups for each statement execute function refuse_change();
