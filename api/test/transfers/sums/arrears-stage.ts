import { type Entry as Paid, startRetries } from '../payments/retries.ts'

export type Entry = Paid & { master_list_id: number; student_id: number }

/** Three lists of which payments failed: of this month, of two months ago with the same girls, and of three months ago. */
export async function startArrears() {
  const stage = await startRetries()
  const { portal, ending, imported, approve, settled, payments, paid } = stage
  const { owner } = portal

  // Every second girl goes to school in Yélimané.
  const { rows: places } = await owner.query(`
    with cap as (insert into caps (academy_id, name) select id, 'CAP YÉLIMANÉ' from academies returning id),
    school as (insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
      select 'Yélimané 1', 'YEL-001', 'primary', id, '2026-2027' from cap returning id),
    moved as (update students set school_id = (select id from school) where id % 2 = 0 returning id)
    select (select id from cap)::int as yelimane, (select id from school)::int as school, (select min(id) from caps)::int as kayes,
      (select min(id) from transfer_agencies)::int as agency, (select count(*) from moved)`)
  const { yelimane, school, kayes, agency } = places[0] as Record<
    'yelimane' | 'school' | 'kayes' | 'agency',
    number
  >

  /** Makes the only round of a cohort due this many days before. */
  const dueBefore = (cohort: number, days: number) =>
    owner.query('update transfer_payroll_groups set due_on = due_on - $2::int where cohort_id = $1', [
      cohort,
      days,
    ])

  // The girls of the first list are those of the second one, two months later; the agency knows no account of the first two.
  const rows = ending(2, 2, 3, 10)
  const older = await imported('Two months ago', rows)
  await approve(older)
  await settled(older)
  await dueBefore(older, 65)
  const newer = await imported('This month', rows, { name: 'This month' })
  await approve(newer, { confirmed_overlaps: [older] })
  await settled(newer)
  const others = (await paid('Long ago', 2, 10)).id
  await dueBefore(others, 91)
  const failed = async (cohort: number) =>
    ((await payments(cohort)) as Entry[]).filter(({ status }) => status === 'failed')

  return { ...stage, owner, yelimane, school, kayes, agency, dueBefore, older, newer, others, failed }
}
