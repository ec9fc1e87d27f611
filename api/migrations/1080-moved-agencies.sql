-- A backup from before an agency moved knows its address of before: what was sent to the one after cannot be asked for.
alter table sending_hold_lists add column moved boolean not null default false;
alter table sending_holds drop constraint sending_holds_reasons_check,
  add constraint sending_holds_reasons_check check (reasons <> '{}'
    and reasons <@ array['behind', 'timeline', 'server', 'mark_missing', 'mark_unreadable', 'absence', 'clock', 'moved']);
alter table sending_hold_rounds drop constraint sending_hold_rounds_failure_check,
  add constraint sending_hold_rounds_failure_check check (failure in ('cannot_ask', 'unreachable', 'moved'));
