-- Reports for donors that read more payments than a call has time for. A worker counts them, and whoever asks for the same period,
-- place, agency and language finds them here (decision 171). They have no data of a person.
create table counted_reports (
  id bigint primary key generated always as identity,
  locale text not null,
  from_day date not null,
  to_day date not null,
  cap_id bigint references caps (id) on delete cascade,
  agency_id bigint references transfer_agencies (id),
  state text not null default 'waiting',
  payments_done bigint not null default 0,
  payments_total bigint not null,
  -- The figures, and the moment that they are of. They stay while they are counted again.
  report jsonb,
  counted_at timestamptz,
  asked_at timestamptz not null default now(),
  constraint counted_reports_once unique nulls not distinct (locale, from_day, to_day, cap_id, agency_id),
  constraint counted_reports_state check (state in ('waiting', 'counting', 'ready', 'failed')),
  constraint counted_reports_ready check (state <> 'ready' or (report is not null and counted_at is not null))
);
