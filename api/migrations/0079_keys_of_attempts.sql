-- A trigger derives the key of each attempt when its payment is claimed. It called two functions that PostgreSQL cannot put into the
-- statement; before version 18 it plans such a function at each call (decision 201). The keys are the same.

-- The key from the keys of the installation: a UUID of version 8. The digest stands in it once, so that PostgreSQL puts the expression
-- into the statement that calls it.
create function key_from(inner_pad bytea, outer_pad bytea, reference text, n integer) returns uuid language sql stable as $$
  select overlay(overlay(left(keyed_digest(inner_pad, outer_pad, concat_ws(E'\n', 'key', reference, n)), 32)
    placing '8' from 13) placing 'a' from 17)::uuid
$$;
create or replace function payment_key(reference text, n integer) returns uuid language sql stable as $$
  select key_from(inner_pad, outer_pad, reference, n) from installation_identity
$$;
create or replace function attempt_key() returns trigger language plpgsql as $$
begin
  select key_from(i.inner_pad, i.outer_pad, p.reference, new.n), p.correction_id into new.idempotency_key, new.correction_id
    from transfer_payrolls p cross join installation_identity i where p.id = new.payroll_id;
  return new;
end $$;
