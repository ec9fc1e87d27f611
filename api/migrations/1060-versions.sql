-- Accounts, roles, agencies and parameters are edited by two people at once too: a form sends back the version it was
-- opened with (409 otherwise). The database counts, so that no way of changing such a row can forget to.
alter table users add column version integer not null default 1;
alter table roles add column version integer not null default 1;
alter table transfer_agencies add column version integer not null default 1;
alter table transfer_parameters add column version integer not null default 1;

create function count_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;

-- What forms edit of an account; signing in, passwords and codes leave the version as it is.
create trigger users_version before update on users for each row
  when ((old.first_name, old.last_name, old.email, old.gender, old.type, old.user_title, old.deactivated_at)
    is distinct from (new.first_name, new.last_name, new.email, new.gender, new.type, new.user_title, new.deactivated_at))
  execute function count_version();
create trigger roles_version before update on roles for each row
  when ((old.name, old.requires_totp) is distinct from (new.name, new.requires_totp))
  execute function count_version();
create trigger transfer_agencies_version before update on transfer_agencies for each row
  when ((old.status, old.endpoint, old.protocol, old.details, old.secrets)
    is distinct from (new.status, new.endpoint, new.protocol, new.details, new.secrets))
  execute function count_version();
create trigger transfer_parameters_version before update on transfer_parameters for each row
  when (old.status is distinct from new.status) execute function count_version();
