-- outside of a transaction
-- The attendance of lists of more than 20,000 recipients, which a worker counts: a list of 150,000 girls has the reports of a month of a whole
-- country (decision 193). It has no data of a person.
create table if not exists kept_attendance (
  cohort_id bigint primary key references transfer_cohorts (id) on delete cascade,
  counted_at timestamptz not null,
  attendance jsonb not null
);
-- The payments of a girl with their round and state, and her rows of lists with their amounts: the sums of a CAP are of 90,000 payments,
-- each in a page of its own, and these indexes have them in a tenth of the pages. They replace those of the same keys.
drop index concurrently if exists transfer_payrolls_of_girl;
create index concurrently if not exists transfer_payrolls_of_girl on transfer_payrolls (master_list_id) include (id, payroll_group_id, status);
drop index concurrently if exists transfer_payrolls_master;
drop index concurrently if exists transfer_master_list_of_girl;
create index concurrently if not exists transfer_master_list_of_girl on transfer_master_list (student_id) include (id, cohort_id, amount, fees);
drop index concurrently if exists transfer_master_list_by_student;
-- The last report of each school: by the index of days each day before it was looked at, 257,763 pages for the silent schools of the home page.
drop index concurrently if exists attendance_of_school;
create index concurrently if not exists attendance_of_school on attendance (school_id, date) include (who) where not withdrawn;
