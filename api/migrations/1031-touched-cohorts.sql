-- Cells put right in the review of an import, with what stood in the file before, and who did it.
create table import_corrections (
  id bigint generated always as identity primary key,
  import_id bigint not null references imports (id) on delete cascade,
  "row" integer not null,
  "column" text not null,
  old_value text,
  new_value text,
  user_id bigint not null references users (id),
  created_at timestamptz not null default now()
);
create index import_corrections_import_id_index on import_corrections (import_id, "row");
create trigger import_corrections_keep before update on import_corrections for each row execute function refuse_change();
alter table imports add column confirmed_by bigint references users (id);

-- Who had a hand in what a cohort pays, to whom and through whom. None of them decides on it (four eyes).
create function cohort_touched_by(cohort bigint) returns table (user_id bigint, how text) language sql stable as $$
  select c.user_id, 'uploaded' from transfer_cohorts c where c.id = cohort
  union
  select i.confirmed_by, 'confirmed' from transfer_cohorts c join imports i on i.id = c.import_id
  where c.id = cohort and i.confirmed_by is not null
  union
  select k.user_id, 'corrected' from transfer_cohorts c join import_corrections k on k.import_id = c.import_id where c.id = cohort
  union
  select a.user_id, 'agency' from transfer_cohorts c join transfer_agencies a on a.id = c.transfer_agency_id where c.id = cohort
  union
  select p.user_id, 'parameter' from transfer_cohorts c join transfer_parameters p on p.id = c.transfer_parameter_id
  where c.id = cohort
  union
  select r.user_id, 'recipient' from transfer_master_list m join recipient_corrections r on r.master_list_id = m.id
  where m.cohort_id = cohort
$$;
