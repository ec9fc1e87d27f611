-- Whoever may erase is told of a request that waits for a second person (Messages 4.3).
alter table notifications drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in
    ('cohort-to-approve', 'cohort-refused', 'cohort-in-error', 'case-assigned', 'case-due', 'expert-answered', 'build-to-admit',
     'erasure-to-decide'));
alter table notice_preferences drop constraint notice_preferences_kind_check,
  add constraint notice_preferences_kind_check check (kind in
    ('cohort-to-approve', 'cohort-refused', 'cohort-in-error', 'case-assigned', 'case-due', 'expert-answered', 'build-to-admit',
     'erasure-to-decide'));
