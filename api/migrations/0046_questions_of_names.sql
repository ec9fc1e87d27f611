-- Questions of people about one name at an agency (Money 5.21). They are counted, per person and per agency, for an hour.
create table name_questions (
  id bigint primary key generated always as identity,
  agency_id bigint not null references transfer_agencies (id),
  user_id bigint not null references users (id),
  asked_at timestamptz not null default now()
);
create index name_questions_person on name_questions (user_id, asked_at);
create index name_questions_agency on name_questions (agency_id, asked_at);
create index name_questions_old on name_questions (asked_at);

-- The limit holds whoever inserts: thirty of a person within an hour. The caller holds the person's row.
create function name_questions_limit() returns trigger language plpgsql as $$
begin
  perform from users where id = new.user_id for no key update;
  if (select count(*) from name_questions where user_id = new.user_id and asked_at > now() - interval '1 hour') > 30 then
    raise exception 'person % has asked about 30 names within an hour', new.user_id
      using errcode = 'check_violation', constraint = 'name_questions_limit';
  end if;
  return null;
end $$;
create trigger name_questions_limit after insert on name_questions for each row execute function name_questions_limit();
