-- Attendance has a last word: the latest report of a key wins, of two at one moment the one whose message id sorts last,
-- and a withdrawal stays on record so that an older report which arrives after it does not bring the figure back.
alter table attendance add column message_key text not null default '';
alter table attendance add column withdrawn boolean not null default false;
update attendance a set message_key = m.message_id from synced_messages m where m.id = a.message_id;

-- The dashboard sums a week out of this index alone.
drop index attendance_date_index;
create index attendance_date_index on attendance (date, school_id, who, enrolled, present, message_id) where not withdrawn;

-- What a worker looks for; the log's own index also holds what failed.
create index synced_messages_waiting_index on synced_messages (id) where processed_at is null and error is null;
-- Reasons are sentences in both languages.
update synced_messages set error = jsonb_build_object('en', v.words, 'fr', v.words)
  from (select id, error->key->>0 as words from synced_messages, jsonb_object_keys(error) as key where not error ? 'en') v
  where v.id = synced_messages.id;

alter table imports drop constraint imports_kind_check;
alter table imports add constraint imports_kind_check
  check (kind in ('locations', 'schools', 'partners', 'teachers', 'students', 'parents', 'target-list', 'attendance'));
