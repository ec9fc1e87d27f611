-- What banks answer to files (pain.002 of ISO 20022, Money 7.10).
create table bank_answers (
  id bigint primary key generated always as identity,
  bank_file_id bigint not null references bank_files (id),
  file_id bigint not null references files (id),
  file_name text not null,
  -- Of its content, in hexadecimal digits. The same answer is one answer.
  sha256 text not null,
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  constraint bank_answers_content unique (bank_file_id, sha256),
  constraint bank_answers_file unique (file_id),
  constraint bank_answers_sha256 check (sha256 ~ '^[0-9a-f]{64}$')
);
create trigger money_is_final before update or delete on bank_answers for each row execute function money_is_final();

-- What an answer says of one payment, and what became of that here.
create table bank_answer_lines (
  bank_answer_id bigint not null references bank_answers (id),
  "row" integer not null,
  -- As the bank wrote it: the name of the payment in the file.
  end_to_end_id text not null,
  -- Null: no payment of the file has this name.
  attempt_id bigint references payment_attempts (id),
  status text not null,
  -- The bank's own code for a refusal.
  reason text,
  effect text not null,
  constraint bank_answer_lines_pkey primary key (bank_answer_id, "row"),
  constraint bank_answer_lines_effect check (
    effect in ('paid', 'failed', 'waiting', 'same', 'duplicate', 'differs', 'contradicts', 'unreadable', 'unknown')),
  constraint bank_answer_lines_attempt check ((attempt_id is null) = (effect = 'unknown'))
);
create index bank_answer_lines_attempt on bank_answer_lines (attempt_id);
create trigger money_is_final before update or delete on bank_answer_lines for each row execute function money_is_final();
