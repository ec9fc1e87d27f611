-- What each run of the command ledger-verify compared and found, so that staff and monitors see that it runs and agrees.

create table ledger_checks (
  id bigint primary key generated always as identity,
  began_at timestamptz not null,
  ended_at timestamptz not null default now(),
  -- What was read: approved lists, payments and their events.
  lists bigint not null,
  payments bigint not null,
  events bigint not null,
  -- How many agencies gave a list that was compared, too; null if none was asked for one.
  agencies integer,
  -- How many sentences the command printed. None means that everything agrees.
  differences integer not null,
  constraint ledger_checks_times check (ended_at >= began_at),
  constraint ledger_checks_counts check (least(lists, payments, events, coalesce(agencies, 0), differences) >= 0)
);
create index ledger_checks_latest on ledger_checks (ended_at);

create trigger ledger_checks_keep before update or delete on ledger_checks for each row execute function refuse_change();
create trigger ledger_checks_keep_all before truncate on ledger_checks for each statement execute function refuse_change();
