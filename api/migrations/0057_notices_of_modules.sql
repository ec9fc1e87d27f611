-- Modules put lines into people's bell (decision 143). The kind of such a notice is the name of its module, by which people
-- also choose how notices of it reach them.
-- Existing rows satisfy the checks before, which were narrower, so the tables need not be read.
alter table notifications drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in
    ('cohort-to-approve', 'cohort-refused', 'cohort-in-error', 'case-assigned', 'case-due', 'expert-answered', 'build-to-admit',
     'erasure-to-decide', 'payment-to-settle', 'cohort-to-move', 'decision-waits', 'module-errors') or kind ~ '^mfe-[a-z][a-z0-9-]{0,60}$') not valid;
alter table notice_preferences drop constraint notice_preferences_kind_check,
  add constraint notice_preferences_kind_check check (kind in
    ('cohort-to-approve', 'cohort-refused', 'cohort-in-error', 'case-assigned', 'case-due', 'expert-answered', 'build-to-admit',
     'erasure-to-decide', 'payment-to-settle', 'cohort-to-move', 'decision-waits', 'module-errors') or kind ~ '^mfe-[a-z][a-z0-9-]{0,60}$') not valid;

-- How many lines a module has given on a day (UTC): it may give so many and no more.
create table module_notice_days (
  module text not null,
  day date not null,
  sent integer not null,
  primary key (module, day)
);
