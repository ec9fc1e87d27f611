import type { Country } from '@portal/contracts/fields'
import { sql } from 'kysely'
import type { OutSheet } from '../excel/write.ts'
import { type Db, rows } from '../kit/database/db.ts'

/** One row of a target list. Its keys are the names of the columns. */
export type TargetRow = {
  receiver_first_name: string
  receiver_last_name: string
  receiver_phone_number: string
  student_code: string
  amount?: number
}

const strangers = { ml: '+2239', sn: '+22176' }

/**
 * Makes a target list of `count` students of the demo for an agency of the country; their guardians are paid. Students
 * at schools of the country come first. If there are too few, students of the other country follow, with a made-up
 * number of this country. The first `skip` students are left out, so that several lists need not overlap.
 */
export function makeTargetList(
  db: Db,
  wish: { count: number; skip?: number; country?: Country },
): Promise<TargetRow[]> {
  const { count, skip = 0, country = 'ml' } = wish
  return rows(
    db,
    sql<TargetRow>`
    select u.first_name as receiver_first_name, u.last_name as receiver_last_name, s.student_code,
      case when g.country = ${country} then p.contact_1
        else ${strangers[country]} || lpad((s.id % 100000)::text, 5, '0') || (10 + s.id % 90)::text end as receiver_phone_number
    from students s
    join schools h on h.id = s.school_id join caps c on c.id = h.cap_id join academies a on a.id = c.academy_id
    join regions g on g.id = a.region_id
    join lateral (select min(parent_id) as id from parent_students where student_id = s.id) first on true
    join parents p on p.id = first.id and p.contact_1 is not null join users u on u.id = p.user_id
    order by g.country <> ${country}, s.id limit ${count} offset ${skip}`,
  )
}

/** The list as an Excel sheet. */
export function targetListWorkbook(list: readonly TargetRow[]): OutSheet {
  return {
    name: 'Target list',
    columns: [
      { key: 'receiver_first_name', header: 'receiver_first_name', kind: 'text' },
      { key: 'receiver_last_name', header: 'receiver_last_name', kind: 'text' },
      { key: 'receiver_phone_number', header: 'receiver_phone_number', kind: 'text' },
      { key: 'student_code', header: 'student_code', kind: 'text' },
      { key: 'amount', header: 'amount', kind: 'whole' },
    ],
    rows: list.map((row) => [
      row.receiver_first_name,
      row.receiver_last_name,
      row.receiver_phone_number,
      row.student_code,
      row.amount ?? null,
    ]),
  }
}

/** The list as CSV, from which LibreOffice and other programs make a workbook. */
export function targetListText(list: readonly TargetRow[]): string {
  const cell = (value: string | number | undefined) => `"${String(value ?? '').replaceAll('"', '""')}"`
  const lines = list.map((row) =>
    [row.receiver_first_name, row.receiver_last_name, row.receiver_phone_number, row.student_code, row.amount]
      .map(cell)
      .join(','),
  )
  return `\ufeff${['receiver_first_name,receiver_last_name,receiver_phone_number,student_code,amount', ...lines].join('\r\n')}\r\n`
}
