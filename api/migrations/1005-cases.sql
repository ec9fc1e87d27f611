-- Gapless case numbers per year, and what kind of event a line of the history is.
create table case_numbers (year int primary key, last int not null check (last > 0));
alter table case_events add column act text not null default 'activity'
  check (act in ('filed', 'document', 'activity', 'assigned', 'referred', 'revoked', 'answered', 'declined', 'expired', 'resolved', 'rejected'));
