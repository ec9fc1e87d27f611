import { sql } from 'kysely'
import type { Db, Tx } from '../src/kit/database/db.ts'
import { makeRound } from '../src/transfers/rounds/rounds.service.ts'
import { ribOf } from './transfers/banks/rib.ts'

/** Inserts a school with `students` students, an officer, and an active sandbox agency with its parameter. */
export async function addPeople(db: Db, students: number, agencyUrl: string): Promise<{ officer: number }> {
  await sql`insert into regions (country, name) values ('ml', 'KAYES')`.execute(db)
  await sql`insert into academies (region_id, name) select id, 'AE KAYES' from regions`.execute(db)
  await sql`insert into caps (academy_id, name) select id, 'CAP KAYES' from academies`.execute(db)
  await sql`
    insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
    select 'Kayes Khasso 1', 'KYS-001', 'primary', id, '2026-2027' from caps`.execute(db)
  await sql`
    with u as (
      insert into users (first_name, last_name, gender, type)
      select 'Élève', 'N° ' || n, 'female', 'student' from generate_series(1, ${students}::int) n returning id
    )
    insert into students (user_id, school_id, student_code)
    select u.id, (select id from schools limit 1), 'KYS-' || lpad(row_number() over (order by u.id)::text, 6, '0') from u
  `.execute(db)
  const { rows } = await sql<{ id: number }>`
    insert into users (first_name, last_name, email, gender, type, account) values ('Awa', 'Diarra', 'awa@example.org', 'female', 'partner', true)
    returning id`.execute(db)
  const officer = Number(rows[0]?.id)
  await sql`
    insert into transfer_agencies (name, description, type, country, fees, endpoint, protocol, details, user_id)
    values ('Sandbox', 'Simulator', 'mobile_money', 'ml', 1, ${agencyUrl}, 'sandbox', '{"protocol": "sandbox"}', ${officer})
  `.execute(db)
  await sql`
    insert into transfer_parameters (name, description, commission_hundredths, amount, frequency, user_id)
    values ('Monthly', 'Monthly grant', 200, 10500, 1, ${officer})`.execute(db)
  return { officer }
}

/** Inserts an approved cohort of the first `size` students with its first round. `lastTwo` returns the last two digits of a number. */
export function addRound(
  db: Db,
  officer: number,
  size: number,
  name: string,
  lastTwo?: (n: number) => number,
  atBank = false,
): Promise<{ cohort: number; round: number }> {
  return db.transaction().execute(async (tx) => {
    // A worker does this every second. Tests of single statements run without a worker.
    await sql`update sending_marks set incarnation = sending_incarnation(), at = now()`.execute(tx)
    const cohort = await addList(tx, officer, size, name, lastTwo, atBank)
    await sql`update transfer_cohorts set status = 'approved', decided_by = user_id, decided_at = now() where id = ${cohort}`.execute(
      tx,
    )
    await sql`
      insert into transfer_rounds (cohort_id, n, due_on) values (${cohort}, 1, (now() at time zone 'utc')::date)
    `.execute(tx)
    return { cohort, round: await makeRound(tx, cohort, 1) }
  })
}

/**
 * Inserts an imported list of the first `size` students, which waits for its decision. Returns its cohort. `atBank`: they have
 * an account too.
 */
export async function addList(
  tx: Tx,
  officer: number,
  size: number,
  name: string,
  lastTwo: (n: number) => number = (n) => 10 + (n % 90),
  atBank = false,
): Promise<number> {
  const phones = Array.from(
    { length: size },
    (_, n) => `+2237${String((n + 1) * 100 + lastTwo(n)).padStart(7, '0')}`,
  )
  const { rows } = await sql<{ id: number }>`
    with f as (insert into files (key, name, type, size, sha256) values (md5(${name}), 'list.xlsx', 'application/octet-stream', 1, sha256(${name}::bytea)) returning id),
    i as (insert into imports (kind, state, file_id, file_name, file_hash, user_id)
      select 'target-list', 'imported', id, 'list.xlsx', md5(${name}), ${officer} from f returning id)
    insert into transfer_cohorts (name, description, "from", "to", status, transfer_agency_id, transfer_parameter_id, import_id, file_hash,
      rounds_total, master_list_count, imported_at, user_id)
    select ${name}, ${name}, (now() at time zone 'utc')::date, (now() at time zone 'utc')::date + 27, 'pending',
      (select id from transfer_agencies limit 1), (select id from transfer_parameters limit 1), i.id, md5(${name}), 1, ${size}, now(),
      ${officer} from i returning id`.execute(tx)
  const cohort = Number(rows[0]?.id)
  await sql`
    insert into transfer_master_list (cohort_id, "row", receiver_first_name, receiver_last_name, receiver_phone_number, receiver_account,
      receiver_bank, student_id, student_code, amount, fees)
    select ${cohort}, n + 1, 'Fatoumata', 'Coulibaly ' || n, phones[n], ${atBank ? ribOf(1) : null}, ${atBank ? 'BMSMMLBA' : null}, id,
      student_code, 10500, 210
    from (select id, student_code, row_number() over (order by id) as n from students order by id limit ${size}) s,
      (select ${phones}::text[] as phones) p`.execute(tx)
  await sql`update transfer_cohorts set list_hash = transfer_list_hash(id) where id = ${cohort}`.execute(tx)
  return cohort
}
