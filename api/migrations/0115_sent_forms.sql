-- Which forms were sent and did what they ask for (Calls 1.9). A form that makes something with nothing unique in it carries a key of its
-- own; its row is written in the transaction of what it makes. So whoever presses twice, or again after an answer was lost, makes one thing.
-- The key is that of one open form in one browser, so it tells nothing of anybody. Rows go with their sessions.
create table sent_forms (
  form uuid primary key,
  session_id bigint not null references sessions (id) on delete cascade
);
create index sent_forms_session_id_index on sent_forms (session_id);
