-- What a recipient is searched by, folded once when her row is written. Folding 150,000 rows for each search took more than
-- a second. Adding the column writes the table anew.
alter table transfer_master_list add column search text not null generated always as (
  portal_search(receiver_first_name || ' ' || receiver_last_name || ' ' || student_code || ' ' || coalesce(receiver_phone_number, ''))
) stored;
