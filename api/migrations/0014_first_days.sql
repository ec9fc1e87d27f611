-- The guided first day of a person. A row begins when an invited person sets her first password, and when a person asks for it
-- on her profile. Home shows it until she leaves it.
create table first_days (
  user_id bigint primary key references users (id),
  begun_at timestamptz not null default now(),
  left_at timestamptz,
  constraint first_days_left_check check (left_at >= begun_at)
);

-- Steps that are done once their screen was opened, by module and id. What the audit log knows is not repeated here.
create table first_day_steps (
  user_id bigint not null references first_days (user_id) on delete cascade,
  step text not null,
  opened_at timestamptz not null default now(),
  primary key (user_id, step),
  constraint first_day_steps_step_check check (length(step) <= 100 and step ~ '^(portal|mfe-[a-z][a-z0-9-]*)/[a-z][a-z0-9-]*$')
);
