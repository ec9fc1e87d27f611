import type { Pool } from 'pg'

/**
 * Kayes Khasso 1 has girls 1 to 8 in class 7A of level 7, and girl 9, a boy as 10, and 11 and 12 in class 8A of level 8.
 * Kita 1 is in another CAP and has no girl; Kolda is in Senegal.
 * Holds are of the officer with this id.
 */
export async function addSelectable(owner: Pool, officer: number): Promise<void> {
  await owner.query(`
    insert into regions (country, name) values ('sn', 'KOLDA');
    insert into academies (region_id, name) select id, 'IA KOLDA' from regions where name = 'KOLDA';
    insert into caps (academy_id, name) select id, 'IEF KOLDA' from academies where name = 'IA KOLDA';
    insert into caps (academy_id, name) select id, 'CAP KITA' from academies where name = 'AE KAYES';
    insert into schools (name, admin_code, type_of_school, cap_id, academic_year) select 'Kita 1', 'KIT-1', 'public', id, '2026-2027' from caps where name = 'CAP KITA';
    insert into classes (school_id, name) select id, k from schools, (values ('7 A'), ('8A')) v (k) where admin_code = 'KYS-001';
    update students s set current_class_level = case when right(student_code, 2)::int <= 8 then '7' else '8' end,
      class_id = (select id from classes where name = case when right(s.student_code, 2)::int <= 8 then '7 A' else '8A' end);
    update users set gender = 'male' where id = (select user_id from students where student_code = 'KYS-000010')`)
  await addGuardian(owner, 'Abroad', ['+221771234567', null], [1, 2])
  await addGuardian(owner, 'Second number', [null, '+22376000002'], [2, 3])
  await addGuardian(owner, 'First number', ['+22376000003', '+22376000004'], [2, 4, 5, 6, 9])
  await owner.query(
    `insert into payee_holds (student_id, reason, user_id) select id, 'Two families', $1 from students where student_code = 'KYS-000005'`,
    [officer],
  )
  /** Class 7A was at 80 % over the days that count; what is older than them does not. */
  await owner.query(`
    insert into attendance (school_id, date, who, class, enrolled, present, reported_at)
    select id, (now() at time zone 'utc')::date - d, 'learners', '7A', 10, n, now()
    from schools, (values (1, 9), (2, 7), (40, 0)) v (d, n) where admin_code = 'KYS-001'`)
}

/** A guardian of girls by the end of their code, with contacts. */
export async function addGuardian(
  owner: Pool,
  code: string,
  contacts: [string | null, string | null],
  girls: number[],
) {
  await owner.query(
    `with u as (insert into users (first_name, last_name) values ('Fatoumata', $1) returning id),
      p as (insert into parents (user_id, parent_assigned_id, contact_1, contact_2) select id, $1, $2, $3 from u returning id)
     insert into parent_students (parent_id, student_id) select p.id, s.id from p, students s where right(s.student_code, 2)::int = any($4)`,
    [code, ...contacts, girls],
  )
}
