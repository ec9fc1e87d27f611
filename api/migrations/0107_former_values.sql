-- outside of a transaction
-- What other people were called before is compared before a person is exported or erased (Access 7.2). The whole log and the changes of
-- all imports were read for it. These have only the codes, numbers and e-mails among them.
drop index concurrently if exists audit_values_former;
create index concurrently if not exists audit_values_former on audit_values (audit_id)
  where old_values ?| array['student_code', 'student_assigned_id', 'admission_number', 'parent_assigned_id', 'contact_1', 'contact_2', 'phone_1', 'email']::text[];
drop index concurrently if exists import_changes_former;
create index concurrently if not exists import_changes_former on import_changes (import_id)
  where "column" = any(array['student_code', 'student_assigned_id', 'admission_number', 'parent_assigned_id', 'contact_1', 'contact_2', 'phone_1', 'email']::text[]);
