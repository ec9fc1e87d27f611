-- Whoever may decide is told of a proposed budget, and reminded after two days of everything that two people decide (Messages 4.7).
alter table notifications drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in
    ('cohort-to-approve', 'cohort-refused', 'cohort-in-error', 'case-assigned', 'case-due', 'expert-answered', 'build-to-admit',
     'erasure-to-decide', 'payment-to-settle', 'cohort-to-move', 'decision-waits'));
alter table notice_preferences drop constraint notice_preferences_kind_check,
  add constraint notice_preferences_kind_check check (kind in
    ('cohort-to-approve', 'cohort-refused', 'cohort-in-error', 'case-assigned', 'case-due', 'expert-answered', 'build-to-admit',
     'erasure-to-decide', 'payment-to-settle', 'cohort-to-move', 'decision-waits'));
