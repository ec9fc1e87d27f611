-- A girl is once on a list (Imports 4.2). Her code can be corrected while a list is reviewed, so the unique key of the codes is not
-- enough. A unique index could not be made where a list has her twice already; rows of those stay as they are.
create function girl_is_once_on_list() returns trigger language plpgsql as $$
declare twice record;
begin
  select a.cohort_id, a.student_id into twice from added a join transfer_master_list m on m.cohort_id = a.cohort_id and m.student_id = a.student_id and m.id <> a.id limit 1;
  if found then
    raise exception 'girl % is twice on the list of cohort %', twice.student_id, twice.cohort_id
      using errcode = 'unique_violation', constraint = 'transfer_master_list_girl';
  end if;
  return null;
end $$;
create trigger girl_is_once_on_list after insert on transfer_master_list
  referencing new table as added for each statement execute function girl_is_once_on_list();
