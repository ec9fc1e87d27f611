-- Requests to erase a person. One person asks, another one decides, and a worker erases as the owner of the database (Access 7.7).
create table erasure_requests (
  id bigint primary key generated always as identity,
  -- By which kind and number of a record the person was named, and what the audit log calls her. Both stay after the erasure.
  kind text not null,
  record_id bigint not null,
  subject_type text not null,
  subject_id bigint not null,
  -- Cases about her, and those of namesakes.
  cases text[] not null,
  other_cases text[] not null,
  stop_paying boolean not null,
  reason text not null,
  state text not null default 'asked',
  -- Who asked, and who decided or took the request back.
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  decided_by bigint references users (id),
  decided_at timestamptz,
  decision text,
  -- What stood against it when it was to be carried out, in both languages.
  bars jsonb not null default '[]',
  -- Only the owner of the database sets it.
  erased_at timestamptz,
  version integer not null default 1,
  constraint erasure_requests_kind check (kind in ('student', 'guardian', 'teacher', 'user', 'expert')),
  constraint erasure_requests_state check (state in ('asked', 'approved', 'refused', 'withdrawn', 'erased', 'stopped')),
  constraint erasure_requests_decided check ((state = 'asked') = (decided_by is null) and (decided_by is null) = (decided_at is null)),
  constraint erasure_requests_four_eyes check (state in ('asked', 'withdrawn') or decided_by <> user_id),
  constraint erasure_requests_own check (state <> 'withdrawn' or decided_by = user_id),
  constraint erasure_requests_erased check ((state = 'erased') = (erased_at is not null)),
  constraint erasure_requests_reasons check (reason ~ '\S' and (state in ('asked', 'withdrawn') or decision ~ '\S'))
);
create unique index erasure_requests_open on erasure_requests (subject_type, subject_id) where state in ('asked', 'approved');
create index erasure_requests_record on erasure_requests (kind, record_id);
create index erasure_requests_user_id_index on erasure_requests (user_id);
create index erasure_requests_decided_by_index on erasure_requests (decided_by);

-- A request is decided once and carried out once. Its texts are emptied when the person is erased, and nothing else of it.
create function keep_erasure_requests() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (new.id, new.kind, new.record_id, new.subject_type, new.subject_id, new.stop_paying, new.user_id, new.created_at)
      is distinct from (old.id, old.kind, old.record_id, old.subject_type, old.subject_id, old.stop_paying, old.user_id, old.created_at)
    or (new.cases, new.other_cases) is distinct from (old.cases, old.other_cases)
    or new.reason <> old.reason and (new.reason <> '—' or new.state in ('asked', 'approved'))
    or old.decided_by is not null and (new.decided_by, new.decided_at) is distinct from (old.decided_by, old.decided_at)
    or new.state <> old.state and (old.state, new.state) not in (('asked', 'approved'), ('asked', 'refused'), ('asked', 'withdrawn'),
      ('approved', 'erased'), ('approved', 'stopped')) then
    raise exception 'request % stays as it was asked and decided', old.id using errcode = 'check_violation';
  end if;
  new.version := old.version + 1;
  return new;
end $$;
create trigger erasure_requests_keep before update or delete on erasure_requests
  for each row execute function keep_erasure_requests();
