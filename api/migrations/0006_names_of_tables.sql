-- The glossary's names: failed attempts for the rate limiter, and payments that agencies reported.
alter table guesses rename to failed_attempts;
alter index guesses_pkey rename to failed_attempts_pkey;
alter index guesses_subject_index rename to failed_attempts_subject_index;
alter index guesses_address_index rename to failed_attempts_address_index;
alter index guesses_created_at_index rename to failed_attempts_created_at_index;

alter table told_payments rename to reported_payments;
alter table reported_payments rename column told_at to reported_at;
alter index told_payments_pkey rename to reported_payments_pkey;
alter index told_payments_reference rename to reported_payments_reference;
alter index told_payments_transaction rename to reported_payments_transaction;

drop function note_told(bigint, jsonb);
create function note_reported(agency bigint, payments jsonb) returns void language sql as $$
  insert into reported_payments as t (agency_id, key, reference, external_trx_id, refused)
  select distinct on (key) agency, key, reference, external_trx_id, refused
  from jsonb_to_recordset(payments) d (key text, reference text, external_trx_id text, refused boolean)
  on conflict (agency_id, key) do update set reference = coalesce(excluded.reference, t.reference),
    external_trx_id = coalesce(excluded.external_trx_id, t.external_trx_id), refused = excluded.refused, reported_at = now()
$$;
