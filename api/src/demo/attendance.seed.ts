import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Tx } from '../kit/db.ts'
import { at, insertAll, oneRow } from './bulk.ts'
import { chance } from './chance.ts'
import { dayAfter, momentOf, schoolDays } from './days.ts'
import type { Registers } from './registers.seed.ts'

type Count = { enrolled: number; present: number }
export type Report = {
  message_id: string
  school: number
  date: string
  class: string
  learners: Count
  teachers: Count | null
}

/** What schools report of this week until today: most of them on most days, teachers with the first class. */
export function makeReports({ schools, classes, teachers }: Registers, today: string): Report[] {
  const dice = chance(991)
  const teacherCounts = schools.map(
    (_, school) => teachers.filter((teacher) => teacher.school === school).length,
  )
  const own = schools.map((_, school) => classes.filter((one) => one.school === school))
  const enrolled = own.map((list) => list.map(() => dice.whole(28, 62)))
  return schoolDays(today).flatMap((date) =>
    schools.flatMap((_, school) => {
      if (!dice.percent(date === today ? 62 : 91)) return []
      return at(own, school).map(({ name }, k) => ({
        message_id: uuidOf(`${date} ${school} ${name}`),
        school,
        date,
        class: name,
        learners: present(dice.whole(82, 97), at(at(enrolled, school), k)),
        teachers: k === 0 ? present(dice.whole(88, 100), at(teacherCounts, school)) : null,
      }))
    }),
  )
}

/** The messages as devices sent them, with the figures made of them, and a few that wait or were refused. */
export async function addAttendance(
  tx: Tx,
  reports: readonly Report[],
  registers: Registers,
  schoolIds: readonly number[],
  admin: number,
  today: string,
): Promise<void> {
  const { id: token } = await oneRow<{ id: number }>(
    tx,
    sql`
    insert into sync_tokens (name, token_hash, user_id, last_used_at)
    values ('SMS gateway', sha256(gen_random_uuid()::text::bytea), ${admin}, now()) returning id`,
  )
  const body = (report: Report) => ({
    school_admin_code: at(registers.schools, report.school).admin_code,
    date: report.date,
    class: report.class,
    learners: report.learners,
    ...(report.teachers && { teachers: report.teachers }),
  })
  const row = (message_id: string, data: object, sent: string) => ({
    message_id,
    sync_token_id: token,
    entity_type: 'attendance',
    action: 'create',
    data: JSON.stringify(data),
    created_at: sent,
    received_at: sent,
  })
  const types = {
    message_id: 'text',
    sync_token_id: 'bigint',
    entity_type: 'text',
    action: 'text',
    data: 'jsonb',
    created_at: 'timestamptz',
    received_at: 'timestamptz',
  }
  const rows = reports.map((report) => row(report.message_id, body(report), sentAt(report)))
  const ids = await insertAll(
    tx,
    'synced_messages',
    { ...types, processed_at: 'timestamptz' },
    rows.map((one) => ({ ...one, processed_at: one.received_at })),
  )
  await addFigures(tx, reports, ids, schoolIds)
  const strange = {
    school_admin_code: 'ML-XXX-9999',
    date: dayAfter(today, -1),
    class: '7',
    learners: { enrolled: 41, present: 38 },
  }
  const error = { 'data.school_admin_code': ['No school has this code.'] }
  const refused = {
    ...row(uuidOf('refused'), strange, momentOf(strange.date, '10:12:40')),
    error: JSON.stringify(error),
  }
  await insertAll(tx, 'synced_messages', { ...types, error: 'jsonb' }, [refused])
}

function addFigures(
  tx: Tx,
  reports: readonly Report[],
  messageIds: readonly number[],
  schoolIds: readonly number[],
): Promise<number[]> {
  const figures = reports.flatMap((report, k) => {
    const common = {
      school_id: at(schoolIds, report.school),
      date: report.date,
      reported_at: sentAt(report),
      message_id: at(messageIds, k),
    }
    const learners = { ...common, who: 'learners', class: report.class, ...report.learners }
    return report.teachers
      ? [learners, { ...common, who: 'teachers', class: '', ...report.teachers }]
      : [learners]
  })
  const types = {
    school_id: 'bigint',
    date: 'date',
    who: 'text',
    class: 'text',
    enrolled: 'int',
    present: 'int',
    reported_at: 'timestamptz',
    message_id: 'bigint',
  }
  return insertAll(tx, 'attendance', types, figures)
}

const present = (percent: number, enrolled: number): Count => ({
  enrolled,
  present: Math.round((enrolled * percent) / 100),
})

/** Morning of the day, never later than now. */
function sentAt({ date, school }: Report): string {
  const minute = String(school % 60).padStart(2, '0')
  const sent = momentOf(date, `08:${minute}:00`)
  const now = new Date().toISOString()
  return sent < now ? sent : now
}

/** The same text has the same id: a message sent twice counts once. */
function uuidOf(text: string): string {
  const hex = createHash('md5').update(`portal-demo ${text}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
