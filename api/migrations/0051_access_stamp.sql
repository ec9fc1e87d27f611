-- What the roles permit changes rarely, and was read anew from four tables by every call. Each api keeps it for as long as this stamp is
-- the same; the statement that reads the session reads the stamp as well (decision 158). A stamp is random, so that none comes
-- again when a standby takes over that has lost the last changes.
create table access_stamp (
  one boolean primary key default true,
  stamp uuid not null,
  constraint access_stamp_one check (one)
) with (fillfactor = 50);

create function stamp_access() returns trigger language plpgsql as $$
begin
  insert into access_stamp (stamp) values (gen_random_uuid()) on conflict (one) do update set stamp = excluded.stamp;
  return null;
end $$;

create trigger roles_stamp_access after insert or update or delete or truncate on roles
  for each statement execute function stamp_access();
create trigger role_permissions_stamp_access after insert or update or delete or truncate on role_permissions
  for each statement execute function stamp_access();
create trigger permissions_stamp_access after insert or update or delete or truncate on permissions
  for each statement execute function stamp_access();

insert into access_stamp (stamp) values (gen_random_uuid());
