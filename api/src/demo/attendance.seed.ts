import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../kit/database/db.ts'
import type { KeyRing } from '../kit/secrets/keys.ts'
import { sha256 } from '../kit/secrets/seal.ts'
import { classKey, readReport, reasonOf } from '../sync/report.ts'
import { at, insertAll, oneRow } from './bulk.ts'
import { chance } from './chance.ts'
import { dayAfter, momentOf, schoolDays } from './days.ts'
import type { Registers } from './registers.seed.ts'
import { demoSyncToken } from './sync-token.ts'

type Count = { enrolled: number; present: number }
export type Report = {
  message_id: string
  school: number
  date: string
  class: string
  learners: Count
  teachers: Count | null
}

/** A few schools have sent nothing this week, so that the dashboard can list them. */
const silent = (school: number) => school % 23 === 7
/** One in five of these has sent nothing last week either. */
const mute = (school: number) => school % 115 === 7

/**
 * Makes the reports of last week and of this week until today. Most schools report on most days. The teachers are
 * reported with the first class.
 */
export function makeReports({ schools, classes, teachers }: Registers, today: string): Report[] {
  const dice = chance(991)
  const teacherCounts = schools.map(
    (_, school) => teachers.filter((teacher) => teacher.school === school).length,
  )
  const own = schools.map((_, school) => classes.filter((one) => one.school === school))
  const enrolled = own.map((list) => list.map(() => dice.whole(28, 62)))
  const thisWeek = schoolDays(today)
  const lastWeek = schoolDays(dayAfter(thisWeek[0] ?? today, -1))
  return [...lastWeek, ...thisWeek].flatMap((date) =>
    schools.flatMap((_, school) => {
      const quiet = lastWeek.includes(date) ? mute(school) : silent(school)
      if (!dice.percent(date === today ? 62 : 91) || quiet) return []
      return at(own, school).map(({ name }, k) => ({
        message_id: uuidOf(`${date} ${school} ${name}`),
        school,
        date,
        class: classKey(name),
        learners: present(dice.whole(82, 97), at(at(enrolled, school), k)),
        teachers: k === 0 ? present(dice.whole(88, 100), at(teacherCounts, school)) : null,
      }))
    }),
  )
}

type Demo = { schoolIds: readonly number[]; admin: number; today: string; secret: KeyRing }

/**
 * Writes the messages as devices sent them, the figures made from them, and some messages that could not be processed.
 */
export async function addAttendance(
  tx: Tx,
  reports: readonly Report[],
  registers: Registers,
  { schoolIds, admin, today, secret }: Demo,
): Promise<void> {
  const { id: token } = await oneRow<{ id: number }>(
    tx,
    sql`
    insert into sync_tokens (name, token_hash, user_id, last_used_at)
    values ('SMS gateway', ${sha256(demoSyncToken(secret))}, ${admin}, now()) returning id`,
  )
  const kept = reports.map((report) => ({
    ...messageOf(registers, report),
    sync_token_id: token,
    processed_at: sentAt(report),
  }))
  const ids = await insertAll(tx, 'synced_messages', { ...messageTypes, processed_at: 'timestamptz' }, kept)
  await addFigures(tx, reports, ids, schoolIds)
  const failed = failedMessages(registers, schoolIds, today)
  await insertAll(
    tx,
    'synced_messages',
    { ...messageTypes, error: 'jsonb' },
    failed.map((one) => ({ ...one, sync_token_id: token })),
  )
}

const messageTypes = {
  message_id: 'text',
  sync_token_id: 'bigint',
  entity_type: 'text',
  action: 'text',
  data: 'json',
  created_at: 'timestamptz',
  received_at: 'timestamptz',
}

function messageOf(registers: Registers, report: Report) {
  const data = {
    school_admin_code: at(registers.schools, report.school).admin_code,
    date: report.date,
    class: report.class,
    learners: report.learners,
    ...(report.teachers && { teachers: report.teachers }),
  }
  const sent = sentAt(report)
  return {
    message_id: report.message_id,
    entity_type: 'attendance',
    action: 'create',
    data: JSON.stringify(data),
    created_at: sent,
    received_at: sent,
  }
}

/**
 * Messages with typical mistakes: a mistyped school, more present than enrolled, a date in the future, a date that is
 * too old, and a kind that is not processed.
 */
function failedMessages(registers: Registers, schoolIds: readonly number[], today: string) {
  const { admin_code } = at(registers.schools, 0)
  const yesterday = dayAfter(today, -1)
  const received_at = momentOf(yesterday, '10:12:40')
  const [student] = registers.students
  const sender = { reported_by: '+22376123456', channel: 'sms' }
  const good = {
    school_admin_code: admin_code,
    date: yesterday,
    class: '7',
    learners: { enrolled: 41, present: 38 },
  }
  const absent = { enrolled: 41, present: 40, absent_codes: [student?.student_code] }
  const tries: { entity_type: string; data: Record<string, unknown> }[] = [
    { entity_type: 'attendance', data: { ...good, school_admin_code: 'ML-XXX-9999', learners: absent } },
    { entity_type: 'attendance', data: { ...good, learners: { enrolled: 41, present: 44 } } },
    { entity_type: 'attendance', data: { ...good, date: dayAfter(today, 1) } },
    {
      entity_type: 'teacher_attendance',
      data: {
        school_admin_code: admin_code,
        date: dayAfter(today, -30),
        teachers: { enrolled: 6, present: 5 },
      },
    },
    { entity_type: 'student', data: { student_code: student?.student_code, current_class_level: '8' } },
  ]
  const known = new Map([
    [admin_code, { id: at(schoolIds, 0), teachers: 6, learners: new Map<string, number>() }],
  ])
  return tries.map(({ entity_type, data }, k) => {
    const read = readReport({ entity_type, action: 'create', data, received_at }, known)
    if (!('fault' in read)) throw new Error('A message that should fail does not')
    return {
      message_id: uuidOf(`failed ${k}`),
      entity_type,
      action: 'create',
      data: JSON.stringify({ ...data, ...sender }),
      created_at: received_at,
      received_at,
      error: JSON.stringify(reasonOf(read)),
    }
  })
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
      message_key: report.message_id,
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
    message_key: 'text',
  }
  return insertAll(tx, 'attendance', types, figures)
}

const present = (percent: number, enrolled: number): Count => ({
  enrolled,
  present: Math.round((enrolled * percent) / 100),
})

/** The time at which a report was sent: the morning of its day, but never later than now. */
function sentAt({ date, school }: Report): string {
  const minute = String(school % 60).padStart(2, '0')
  const sent = momentOf(date, `08:${minute}:00`)
  const now = new Date().toISOString()
  return sent < now ? sent : now
}

/** Derives an id from a text, so that a message that is made twice has the same id and counts once. */
function uuidOf(text: string): string {
  const hex = createHash('md5').update(`portal-demo ${text}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
