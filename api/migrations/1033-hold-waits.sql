-- For so long after a hold was raised an order may still be on the line: the rest of a lease, then the longest call.
alter table sending_marks add column line_seconds integer not null default 35 check (line_seconds >= 0);
-- Asked before that, an agency would say of such an order that it does not know it.
create function line_is_clear() returns timestamptz language sql stable as $$
  select now() + make_interval(secs => coalesce((select line_seconds from sending_marks), 35))
$$;
alter table sending_holds add column asks_from timestamptz not null default line_is_clear();
alter table sending_hold_questions alter column ask_at set default line_is_clear();
alter table sending_hold_lists alter column ask_at set default line_is_clear();
