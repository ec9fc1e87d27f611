-- Files of orders for banks (Money 7.7). A person makes the file of a round and gives it to the bank; no worker sends its payments.

-- Whether an agency takes orders as files.
create function agency_takes_files(protocol text) returns boolean language sql immutable as $$ select protocol = 'file' $$;

create table bank_files (
  id bigint primary key generated always as identity,
  payroll_group_id bigint not null references transfer_payroll_groups (id),
  agency_id bigint not null references transfer_agencies (id),
  -- Derived from the keys of its payments, so that a copy of the database that makes the same file gives it the same name.
  message_id text not null,
  payments integer not null,
  amount bigint not null,
  file_id bigint not null references files (id),
  -- Of its content, in hexadecimal digits. It stays when the content is deleted.
  sha256 text not null,
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  constraint bank_files_message unique (message_id),
  constraint bank_files_message_form check (message_id ~ '^[0-9a-f]{32}$'),
  constraint bank_files_file unique (file_id),
  constraint bank_files_sums check (payments > 0 and amount > 0),
  constraint bank_files_sha256 check (sha256 ~ '^[0-9a-f]{64}$')
);
create index bank_files_round on bank_files (payroll_group_id);
create trigger money_is_final before update or delete on bank_files for each row execute function money_is_final();

-- An attempt is in one file, and the bank never gets a name of a payment twice.
create table bank_file_payments (
  attempt_id bigint primary key references payment_attempts (id),
  bank_file_id bigint not null references bank_files (id),
  end_to_end_id text not null,
  constraint bank_file_payments_end_to_end unique (end_to_end_id),
  constraint bank_file_payments_length check (length(end_to_end_id) between 1 and 35)
);
create index bank_file_payments_file on bank_file_payments (bank_file_id);
create trigger money_is_final before update or delete on bank_file_payments for each row execute function money_is_final();

-- How an attempt is called at a bank: the payment's reference, and from the second attempt on its number.
create function end_to_end_id(reference text, n integer) returns text language sql immutable as $$
  select case when n = 1 then reference else reference || '-' || n end
$$;

-- Minutes after which an agency that settles nothing is not progressing (Money 7.6), and an order that it still has is overdue. A
-- bank answers in days.
create or replace function agency_answer_minutes(details jsonb) returns numeric language sql immutable as $$
  select case when details->>'progress_minutes' ~ '^\d+(\.\d+)?$' then (details->>'progress_minutes')::numeric
    when agency_takes_files(details->>'protocol') then 3 * 24 * 60 else 10 end
$$;

-- Nobody asks a bank, so its orders have no time of the next question.
create or replace function attempt_is_overdue(attempt bigint) returns boolean language sql stable as $$
  select exists (select from payment_attempts a join transfer_agencies g on g.id = a.agency_id where a.id = attempt
    and (a.state = 'unknown' or a.state = 'sending'
      and (a.ask_at is not null or exists (select from bank_file_payments f where f.attempt_id = a.id))
      and a.sent_at < now() - make_interval(secs => (60 * agency_answer_minutes(g.details))::float)))
$$;
