-- What agencies said that they hold, in their lists or by a reference. It is never sent from here, and its transaction
-- pays nobody else.
create table told_payments (
  agency_id bigint not null references transfer_agencies,
  key text not null,
  reference text,
  external_trx_id text,
  refused boolean not null,
  told_at timestamptz not null default now(),
  primary key (agency_id, key)
);
create index told_payments_reference on told_payments (agency_id, reference);
create index told_payments_transaction on told_payments (agency_id, external_trx_id);

create function note_told(agency bigint, payments jsonb) returns void language sql as $$
  insert into told_payments as t (agency_id, key, reference, external_trx_id, refused)
  select distinct on (key) agency, key, reference, external_trx_id, refused
  from jsonb_to_recordset(payments) d (key text, reference text, external_trx_id text, refused boolean)
  on conflict (agency_id, key) do update set reference = coalesce(excluded.reference, t.reference),
    external_trx_id = coalesce(excluded.external_trx_id, t.external_trx_id), refused = excluded.refused, told_at = now()
$$;

-- 'due': its agency is asked by reference before it is sent; 'clear': it was, and holds nothing; 'held': it holds it.
alter table payment_attempts
  add column first_asked text constraint payment_attempts_first_asked check (first_asked in ('due', 'clear', 'held'));

-- True of a payment that a database which is lost may have sent: its list and its day are older than a hold that did
-- not ask about it.
create function payment_is_asked_first(payment bigint, round bigint) returns boolean language sql stable as $$
  select exists (
    select from sending_holds h, transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id
    where g.id = round and c.created_at <= h.raised_at and g.due_on <= (h.raised_at at time zone 'utc')::date + 1
      and not exists (select from sending_hold_questions q
        where q.hold_id = h.id and q.payroll_id = payment and q.answer is not null))
$$;
