-- outside of a transaction
-- The order of names with the text that is searched: a frequent word is found by walking this index alone, and not a million rows of the
-- table (decision 156). An entry has room for 2,700 bytes, so longer texts stand in an index of their own. Guardians of a place are
-- found by the girls, whose index gets the guardian.
drop index concurrently if exists students_named_index;
create index concurrently if not exists students_named_index on students (person collate "fr-x-icu", id) include (search, school_id) where length(search) <= 500;
drop index concurrently if exists students_named_long_index;
create index concurrently if not exists students_named_long_index on students (person collate "fr-x-icu", id) where length(search) > 500;
drop index concurrently if exists parents_named_index;
create index concurrently if not exists parents_named_index on parents (person collate "fr-x-icu", id) include (search) where length(search) <= 500;
drop index concurrently if exists parents_named_long_index;
create index concurrently if not exists parents_named_long_index on parents (person collate "fr-x-icu", id) where length(search) > 500;
drop index concurrently if exists parent_students_both_index;
create index concurrently if not exists parent_students_both_index on parent_students (student_id, parent_id);
drop index concurrently if exists parent_students_student_id_index;
-- Arrears add up failed payments: this index has what they add, so that the payments themselves are not read.
drop index concurrently if exists transfer_payrolls_owed;
create index concurrently if not exists transfer_payrolls_owed on transfer_payrolls (master_list_id) include (payroll_group_id, amount, failure_reason)
  where status = 'failed' and written_off_at is null;
drop index concurrently if exists transfer_payrolls_arrears;
