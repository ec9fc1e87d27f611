-- A permission that its module no longer declares (decision 110) allows nothing: no role can have it.
alter table permissions add column dropped_at timestamptz,
  add column declared boolean not null generated always as (dropped_at is null) stored,
  add constraint permissions_declared_key unique (id, declared);
alter table role_permissions add column declared boolean not null default true,
  add constraint role_permissions_declared_check check (declared),
  add constraint role_permissions_declared_fkey foreign key (permission_id, declared)
    references permissions (id, declared) on delete cascade;

-- Which roles had it. A person gives it to them again if its module declares it again, or takes it away.
create table dropped_grants (
  role_id bigint not null references roles (id) on delete cascade,
  permission_id bigint not null references permissions (id) on delete cascade,
  dropped_at timestamptz not null default now(),
  constraint dropped_grants_key primary key (role_id, permission_id)
);
create index dropped_grants_permission_id_index on dropped_grants (permission_id);
