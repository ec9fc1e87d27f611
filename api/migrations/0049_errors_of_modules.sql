-- Those who watch a module are told when its errors rise (Messages 4.8).
alter table notifications drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in
    ('cohort-to-approve', 'cohort-refused', 'cohort-in-error', 'case-assigned', 'case-due', 'expert-answered', 'build-to-admit',
     'erasure-to-decide', 'payment-to-settle', 'cohort-to-move', 'decision-waits', 'module-errors'));
alter table notice_preferences drop constraint notice_preferences_kind_check,
  add constraint notice_preferences_kind_check check (kind in
    ('cohort-to-approve', 'cohort-refused', 'cohort-in-error', 'case-assigned', 'case-due', 'expert-answered', 'build-to-admit',
     'erasure-to-decide', 'payment-to-settle', 'cohort-to-move', 'decision-waits', 'module-errors'));
