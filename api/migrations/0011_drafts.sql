-- What a person has typed in a long form and not sent, for one session (Access 2.6). `content` is sealed, because it may be
-- about a child's health. A draft is read by its own session only, and goes with it.
create table drafts (
  session_id bigint not null references sessions (id) on delete cascade,
  form text not null,
  content bytea not null,
  saved_at timestamptz not null default clock_timestamp(),
  primary key (session_id, form),
  constraint drafts_form_check check (length(form) between 1 and 200),
  constraint drafts_content_check check (octet_length(content) <= 40000)
);

-- However a session ends: by sign-out, by another sign-in, by a new password or by deactivation.
create function drop_drafts() returns trigger language plpgsql as $$
begin
  delete from drafts where session_id = new.id;
  return null;
end $$;
create trigger sessions_drop_drafts after update of ended_at on sessions
  for each row when (new.ended_at is not null) execute function drop_drafts();
