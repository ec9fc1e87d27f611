-- outside of a transaction
-- The girls of a list with their classes, for its attendance: both sides are read from an index in the same order, 1,485 pages
-- instead of 36,359 (decision 182).
drop index concurrently if exists transfer_master_list_girls;
create index concurrently if not exists transfer_master_list_girls on transfer_master_list (cohort_id, student_id);
drop index concurrently if exists students_classes;
create index concurrently if not exists students_classes on students (id) include (school_id, class_id, current_class_level);
-- A list in the order of names: all 150,000 were sorted for one page.
drop index concurrently if exists transfer_master_list_named;
create index concurrently if not exists transfer_master_list_named on transfer_master_list (cohort_id, receiver_last_name collate "fr-x-icu", id);
