-- Notices tell whoever must act what happened, on the bell and by mail (Messages 4.3).
-- `occasion` tells apart what happens again to the same cohort or case. `mail_text` has no personal data, because mails
-- leave the portal. `bell` and `mail` are what the person preferred when it happened.
alter table notifications
  add column kind text,
  add column subject_id bigint,
  add column occasion text,
  add column mail_text jsonb,
  add column bell boolean not null default true,
  add column mail text not null default 'off',
  add constraint notifications_kind_check check (kind in
    ('cohort-to-approve', 'cohort-refused', 'cohort-in-error', 'case-assigned', 'case-due', 'expert-answered')),
  add constraint notifications_mail_check check (mail in ('at-once', 'digest', 'off')),
  add constraint notifications_notice_check check (num_nonnulls(kind, subject_id, occasion, mail_text) in (0, 4)),
  add constraint notifications_mailed_check check (mail = 'off' or kind is not null);
-- The same notice is written once for a person, however many workers find its reason.
create unique index notifications_notice_key on notifications (kind, subject_id, user_id, occasion);
drop index notifications_unread_index;
create index notifications_unread_index on notifications (user_id) where read_at is null and bell;

-- The mail of a notice has no body of its own: it is made from the notice when it is sent.
alter table mails add column notification_id bigint references notifications (id),
  add constraint mails_notification_id_key unique (notification_id);

-- How notices of a kind reach a person who chose. Without a row the defaults of the contracts hold.
create table notice_preferences (
  user_id bigint not null references users (id),
  kind text not null,
  bell boolean not null,
  mail text not null,
  primary key (user_id, kind),
  constraint notice_preferences_kind_check check (kind in
    ('cohort-to-approve', 'cohort-refused', 'cohort-in-error', 'case-assigned', 'case-due', 'expert-answered')),
  constraint notice_preferences_mail_check check (mail in ('at-once', 'digest', 'off'))
);

-- One mail a day with the notices that a person wants together.
create table notice_digests (
  id bigint primary key generated always as identity,
  user_id bigint not null references users (id),
  day date not null,
  created_at timestamptz not null default now(),
  constraint notice_digests_day_key unique (user_id, day)
);
alter table notifications add column digest_id bigint references notice_digests (id),
  add constraint notifications_digest_check check (digest_id is null or mail = 'digest');
create index notifications_digest_index on notifications (user_id, created_at) where mail = 'digest' and digest_id is null;
create index notifications_digest_id_index on notifications (digest_id) where digest_id is not null;
