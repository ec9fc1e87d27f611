-- Whether every call about the attempt that began before the proposal has ended. A query, and the order that it may send again, take a
-- minute at most. Within that minute a later query, which a report of the agency or another worker may have brought, shows nothing: the
-- earlier one may still be on its way. After it, either the agency was queried since the proposal, or a minute more has passed (Money 4.18).
create or replace function settlement_is_asked(attempt bigint, asked integer, since timestamptz) returns boolean language sql stable as $$
  select since < now() - interval '1 minute' and (since < now() - interval '2 minutes'
    or exists (select from payment_attempts a where a.id = attempt and a.tries > asked))
$$;
