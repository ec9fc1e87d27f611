-- Statements of agencies (Money 9): what an agency says that it paid, compared with what the portal paid through it.

-- Which column each heading of an agency's files is, as a person named it. A new choice is a new version.
create table statement_mappings (
  id bigint primary key generated always as identity,
  agency_id bigint not null references transfer_agencies (id),
  version integer not null,
  headings jsonb not null,
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  constraint statement_mappings_version unique (agency_id, version)
);
create trigger money_is_final before update or delete on statement_mappings
  for each row execute function money_is_final();

create table agency_statements (
  id bigint primary key generated always as identity,
  agency_id bigint not null references transfer_agencies (id),
  "from" date not null,
  "to" date not null,
  format text not null,
  state text not null default 'queued',
  file_id bigint not null references files (id),
  file_name text not null,
  file_hash text not null,
  mapping_id bigint references statement_mappings (id),
  -- The closed statement that this one replaces once it is closed itself.
  corrects_id bigint references agency_statements (id),
  lines_read integer not null default 0,
  -- Lines that an earlier statement of the agency has too. They are matched there.
  lines_repeated integer not null default 0,
  -- Why the file could not be read.
  problem jsonb,
  user_id bigint not null references users (id),
  -- False only if the installation allows one person to do both, as the demo does (Money 6.2).
  two_people boolean not null default true,
  ended_by bigint references users (id),
  ended_at timestamptz,
  -- Fencing token: a worker with an older one may not write.
  fence integer not null default 0,
  -- Grows with every resolution, so that nobody signs what they have not seen.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint agency_statements_period check ("to" >= "from"),
  constraint agency_statements_format check (format in ('xlsx', 'csv', 'camt', 'pain')),
  constraint agency_statements_state check (state in ('queued', 'reading', 'open', 'closed', 'withdrawn', 'failed')),
  constraint agency_statements_ended check ((state in ('closed', 'withdrawn')) = (ended_by is not null)),
  constraint agency_statements_corrects check (corrects_id <> id)
);
-- The same file of an agency is one statement.
create unique index agency_statements_content on agency_statements (agency_id, file_hash)
  where state not in ('failed', 'withdrawn');
create unique index agency_statements_corrected on agency_statements (corrects_id)
  where state not in ('failed', 'withdrawn');
create index agency_statements_agency on agency_statements (agency_id, "from");

-- A line as the agency wrote it. `number` and `name` are emptied when the person is erased, and after their time.
create table statement_lines (
  id bigint primary key generated always as identity,
  statement_id bigint not null references agency_statements (id),
  agency_id bigint not null references transfer_agencies (id),
  "row" integer not null,
  reference text,
  transaction_id text,
  number text,
  name text,
  amount bigint,
  fee bigint,
  day date,
  -- What is wrong with a line that cannot be read. A person has to look at it.
  problem text,
  -- Of the content, set when the line is matched.
  hash bytea,
  repeats_id bigint references statement_lines (id),
  constraint statement_lines_row unique (statement_id, "row"),
  constraint statement_lines_read check (problem is not null or amount is not null and day is not null),
  constraint statement_lines_amount check (amount between 0 and 1000000000000 and fee between 0 and 1000000000000)
);
-- The same line in two statements is matched once.
create unique index statement_lines_content on statement_lines (agency_id, hash) where repeats_id is null and hash is not null;
create index statement_lines_repeats on statement_lines (repeats_id) where repeats_id is not null;

create table statement_resolutions (
  id bigint primary key generated always as identity,
  statement_id bigint not null references agency_statements (id),
  reason text not null,
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  constraint statement_resolutions_reason check (reason ~ '\S')
);
create index statement_resolutions_statement on statement_resolutions (statement_id);

-- The comparison: one row for each line, and one for each payment that no line has.
create table statement_findings (
  id bigint primary key generated always as identity,
  statement_id bigint not null references agency_statements (id),
  category text not null,
  line_id bigint references statement_lines (id),
  payroll_id bigint references transfer_payrolls (id),
  -- Why a line has no payment of ours.
  cause text,
  their_amount bigint,
  our_amount bigint,
  their_fee bigint,
  expected_fee bigint,
  resolution_id bigint references statement_resolutions (id),
  constraint statement_findings_line unique (line_id),
  constraint statement_findings_category check (category in ('matched', 'amount', 'theirs', 'ours', 'fee')),
  constraint statement_findings_sides check (
    (category = 'ours') = (line_id is null) and (category = 'theirs') = (cause is not null)
    and (category = 'theirs' or payroll_id is not null)),
  constraint statement_findings_cause check (cause in ('unreadable', 'unknown', 'not_paid', 'already')),
  constraint statement_findings_resolution check (category <> 'matched' or resolution_id is null)
);
create unique index statement_findings_payment on statement_findings (statement_id, payroll_id) where category <> 'theirs';
create index statement_findings_page on statement_findings (statement_id, category, id);
create index statement_findings_matched on statement_findings (payroll_id) where category in ('matched', 'amount', 'fee');

-- Sums of each category, kept with the findings.
create table statement_totals (
  statement_id bigint not null references agency_statements (id),
  category text not null,
  count integer not null default 0,
  resolved integer not null default 0,
  their_amount bigint not null default 0,
  our_amount bigint not null default 0,
  their_fees bigint not null default 0,
  expected_fees bigint not null default 0,
  constraint statement_totals_pkey primary key (statement_id, category),
  constraint statement_totals_counts check (resolved between 0 and count)
);

-- Payments that a closed statement confirms to the franc, and their sums per round.
create table payment_confirmations (
  payroll_id bigint primary key references transfer_payrolls (id),
  statement_id bigint not null references agency_statements (id),
  amount bigint not null
);
create index payment_confirmations_statement on payment_confirmations (statement_id);
create table round_confirmations (
  payroll_group_id bigint primary key references transfer_payroll_groups (id),
  count integer not null,
  amount bigint not null,
  constraint round_confirmations_counts check (count >= 0 and amount >= 0)
);

-- Payments of an agency in a period are found without reading all payments.
create index payment_attempts_settled on payment_attempts (agency_id, settled_at) where state = 'success';

-- An earlier statement no longer counts for another one that replaces it, nor once its replacement is closed.
create function statement_counts(earlier bigint, later bigint) returns boolean language sql stable as $$
  select not exists (
    select from agency_statements s where s.corrects_id = earlier
      and (s.state = 'closed' or s.id = later and s.state not in ('failed', 'withdrawn')))
$$;

create function statement_goes_on() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.state in ('closed', 'withdrawn', 'failed') then
    raise exception 'statement % is final', old.id using errcode = 'insufficient_privilege';
  end if;
  if (new.agency_id, new."from", new."to", new.format, new.file_id, new.file_hash, new.mapping_id, new.corrects_id, new.user_id,
      new.created_at) is distinct from (old.agency_id, old."from", old."to", old.format, old.file_id, old.file_hash,
      old.mapping_id, old.corrects_id, old.user_id, old.created_at)
    or new.state <> old.state and not (
      old.state = 'queued' and new.state in ('reading', 'failed', 'withdrawn')
      or old.state = 'reading' and new.state in ('open', 'failed', 'withdrawn')
      or old.state = 'open' and new.state in ('closed', 'withdrawn')) then
    raise exception 'statement % cannot change like this', old.id using errcode = 'check_violation';
  end if;
  if new.state <> 'closed' then return new; end if;
  if exists (select from statement_totals t where t.statement_id = new.id and t.category <> 'matched' and t.resolved < t.count) then
    raise exception 'statement % has differences', new.id
      using errcode = 'check_violation', constraint = 'agency_statements_resolved';
  end if;
  -- Whoever uploaded it or resolved a difference of it does not sign it.
  if new.two_people and (new.ended_by = new.user_id or exists (
    select from statement_resolutions r where r.statement_id = new.id and r.user_id = new.ended_by)) then
    raise exception 'statement % is signed by somebody who worked on it', new.id
      using errcode = 'check_violation', constraint = 'agency_statements_two_people';
  end if;
  return new;
end $$;
create trigger statement_goes_on before update or delete on agency_statements
  for each row execute function statement_goes_on();

-- A replacement is for a closed statement of the same agency.
create function statement_corrects() returns trigger language plpgsql as $$
begin
  if not exists (select from agency_statements s where s.id = new.corrects_id and s.agency_id = new.agency_id and s.state = 'closed') then
    raise exception 'statement % cannot be replaced', new.corrects_id
      using errcode = 'check_violation', constraint = 'agency_statements_closed';
  end if;
  return new;
end $$;
create trigger statement_corrects before insert on agency_statements
  for each row when (new.corrects_id is not null) execute function statement_corrects();

-- A closed statement confirms payments, in place of the one that it replaces.
create function statement_confirms() returns trigger language plpgsql as $$
begin
  delete from payment_confirmations where statement_id = new.corrects_id;
  insert into payment_confirmations (payroll_id, statement_id, amount)
    select payroll_id, statement_id, our_amount from statement_findings
    where statement_id = new.id and category in ('matched', 'fee');
  return null;
end $$;
create trigger statement_confirms after update on agency_statements
  for each row when (old.state <> 'closed' and new.state = 'closed') execute function statement_confirms();

create function confirmations_count() returns trigger language plpgsql as $$
declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into round_confirmations as c (payroll_group_id, count, amount)
    select p.payroll_group_id, count(*), sum(a.amount) from changed a join transfer_payrolls p on p.id = a.payroll_id
    where sign = 1 group by p.payroll_group_id
  on conflict (payroll_group_id) do update set count = c.count + excluded.count, amount = c.amount + excluded.amount;
  update round_confirmations c set count = c.count - d.count, amount = c.amount - d.amount from (
    select p.payroll_group_id, count(*) as count, sum(a.amount) as amount
    from changed a join transfer_payrolls p on p.id = a.payroll_id where sign = -1 group by p.payroll_group_id) d
  where c.payroll_group_id = d.payroll_group_id;
  return null;
end $$;
create trigger confirmations_added after insert on payment_confirmations
  referencing new table as changed for each statement execute function confirmations_count();
create trigger confirmations_removed after delete on payment_confirmations
  referencing old table as changed for each statement execute function confirmations_count();

-- Lines and findings stay as they were read and compared, from the comparison on.
create function statement_lines_stay() returns trigger language plpgsql as $$
declare now_state text;
begin
  select state into now_state from agency_statements where id = old.statement_id;
  if tg_op = 'DELETE' then
    if now_state in ('open', 'closed') then
      raise exception 'lines of statement % stay', old.statement_id using errcode = 'insufficient_privilege';
    end if;
    return old;
  end if;
  if now_state = 'reading' or (new.number is null and new.name is null
    and to_jsonb(new) - '{number,name}'::text[] = to_jsonb(old) - '{number,name}'::text[]) then
    return new;
  end if;
  raise exception 'line % stays as it was read', old.id using errcode = 'insufficient_privilege';
end $$;
create trigger statement_lines_stay before update or delete on statement_lines
  for each row execute function statement_lines_stay();

create function statement_findings_stay() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (
    select from agency_statements where id = old.statement_id and state in ('open', 'closed')) then
    return old;
  end if;
  raise exception 'finding % stays as it is', old.id using errcode = 'insufficient_privilege';
end $$;
create trigger statement_findings_kept before delete on statement_findings
  for each row execute function statement_findings_stay();
create trigger statement_findings_stay before update on statement_findings for each row
  when ((new.id, new.statement_id, new.category, new.line_id, new.payroll_id, new.cause, new.their_amount, new.our_amount,
      new.their_fee, new.expected_fee)
    is distinct from (old.id, old.statement_id, old.category, old.line_id, old.payroll_id, old.cause, old.their_amount,
      old.our_amount, old.their_fee, old.expected_fee))
  execute function statement_findings_stay();

create function statement_is_open() returns trigger language plpgsql as $$
begin
  perform from agency_statements where id = new.statement_id and state = 'open' for update;
  if not found then
    raise exception 'statement % is not open', new.statement_id using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger statement_is_open before insert on statement_resolutions for each row execute function statement_is_open();
create trigger money_is_final before update or delete on statement_resolutions
  for each row execute function money_is_final();

-- A payment is matched by one statement of those that count. The lock of the agency orders two comparisons.
create function findings_are_added() returns trigger language plpgsql as $$
begin
  perform from transfer_agencies where id in (
    select s.agency_id from agency_statements s where s.id in (select statement_id from added)) for no key update;
  if exists (
    select from added a join statement_findings f on f.payroll_id = a.payroll_id and f.statement_id <> a.statement_id
    where a.category in ('matched', 'amount', 'fee') and f.category in ('matched', 'amount', 'fee')
      and statement_counts(f.statement_id, a.statement_id)
  ) then
    raise exception 'a payment is matched by two statements'
      using errcode = 'check_violation', constraint = 'statement_findings_once';
  end if;
  insert into statement_totals (statement_id, category, count, resolved, their_amount, our_amount, their_fees, expected_fees)
    select statement_id, category, count(*), count(resolution_id), coalesce(sum(their_amount), 0), coalesce(sum(our_amount), 0),
      coalesce(sum(their_fee), 0), coalesce(sum(expected_fee), 0)
    from added group by statement_id, category;
  return null;
end $$;
create trigger findings_are_added after insert on statement_findings
  referencing new table as added for each statement execute function findings_are_added();

-- Only a resolution of the same open statement is set, for thousands of findings at once.
create function findings_are_resolved() returns trigger language plpgsql as $$
begin
  if exists (
    select from added a left join statement_resolutions r on r.id = a.resolution_id and r.statement_id = a.statement_id
      left join agency_statements s on s.id = r.statement_id and s.state = 'open'
    where s.id is null
  ) then
    raise exception 'findings are resolved in an open statement' using errcode = 'insufficient_privilege';
  end if;
  update statement_totals t set resolved = t.resolved + d.resolved from (
    select a.statement_id, a.category, count(*) as resolved from added a join removed r on r.id = a.id
    where r.resolution_id is null and a.resolution_id is not null group by a.statement_id, a.category) d
  where t.statement_id = d.statement_id and t.category = d.category;
  return null;
end $$;
create trigger findings_are_resolved after update on statement_findings
  referencing new table as added old table as removed for each statement execute function findings_are_resolved();
