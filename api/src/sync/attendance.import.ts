import { createHash } from 'node:crypto'
import { attendanceSheet } from '@portal/contracts/attendance/attendance.sheet'
import { sentence } from '@portal/contracts/imports/import-sentences'
import { type RawBuilder, sql } from 'kysely'
import { registerImport } from '../imports/import-domains.service.ts'
import { readRow } from '../imports/import-sort.service.ts'
import type {
  CheckedRow,
  Fault,
  ImportDomain,
  RowToCheck,
  Stored,
  TaskRow,
} from '../imports/imports.service.ts'
import type { Reader, Tx } from '../kit/database/db.ts'
import { wholeSchool } from './adapters/answers.ts'
import { type Arrival, keepMessages } from './incoming.service.ts'
import { readSchools } from './processing.service.ts'
import { classKey, type KnownSchool, type Fault as ReportFault, readDate, readReport } from './report.ts'

/** Imports attendance from a workbook. Its rows become messages, which are processed like those of devices. */
const attendanceImport: ImportDomain = {
  kind: 'attendance',
  permission: 'sync.manage',
  sheet: async () => attendanceSheet,
  open: async (_, task) => {
    const first: FirstTeachers = new Map()
    return {
      sheet: attendanceSheet,
      check: (db, rows) => checkRows(db, rows, first),
      besides: (db, keys) => sameDay(db, task.id, keys),
      stored: readStored,
      spoilt: tooOld,
      // The message of a new row supersedes no report, also if a report of the same day was processed since the check.
      insert: (tx, part) => write(tx, task, part, { replaces: false }),
      update: (tx, part) => write(tx, task, part, { replaces: true }),
    }
  },
}

/** Registers the import. */
export const registerAttendanceImport = () => registerImport(attendanceImport)

type Values = CheckedRow['values']
/** The first row of the file that has counts of teachers, by school and day. */
type FirstTeachers = Map<string, { row: number; counts: string }>

const dayOf = (values: Values) => `${values.school_admin_code} ${values.date}`
const countsOf = (values: Values) => `${values.teachers_enrolled ?? ''}/${values.teachers_present ?? ''}`
const noCounts = '/'

/** The keys of rows that have counts of teachers, for the schools and days of these keys. */
async function sameDay(db: Reader, importId: number, keys: string[]): Promise<string[]> {
  const days = [...new Set(keys.map((key) => JSON.parse(key).slice(0, 2).join(' ')))]
  const { rows } = await sql<{ key: string }>`
    select distinct key from import_rows
    where import_id = ${importId} and cells ?| array['teachers_enrolled', 'teachers_present']
      and concat_ws(' ', key::jsonb->>0, key::jsonb->>1) = any(${days}::text[])`.execute(db)
  return rows.map(({ key }) => key)
}

async function checkRows(db: Reader, rows: RowToCheck[], first: FirstTeachers): Promise<CheckedRow[]> {
  const leftOut = new Set(rows.flatMap(({ row, left_out }) => (left_out ? [row] : [])))
  const checked = rows.map((row) => readRow(attendanceSheet, row, 'school_admin_code'))
  const schools = await readSchools(
    db,
    new Set(checked.flatMap(({ values }) => values.school_admin_code ?? [])),
  )
  for (const row of checked) {
    const { values } = row
    if (values.learners_present !== null || values.learners_enrolled !== null)
      values.class = values.class ? classKey(values.class) : wholeSchool
    else values.class = null
    row.key = keyOf(values)
  }
  const stored = await readStored(
    db,
    checked.flatMap(({ key, values }) => (key && leavesEnrolled(values) ? key : [])),
  )
  for (const row of checked) {
    if (row.errors.length === 0) checkReport(row, schools, stored.get(row.key ?? ''))
    if (row.errors.length === 0 && !leftOut.has(row.row)) checkTeachers(row, first)
  }
  return checked
}

/** Checks a row like the message that it becomes, and reports a fault at its cell. */
function checkReport(row: CheckedRow, schools: ReadonlyMap<string, KnownSchool>, stored: Stored | undefined) {
  const { values, errors } = row
  const received_at = new Date().toISOString()
  const data = reportOf(withEnrolled(values, stored))
  const read = readReport({ entity_type: 'attendance', action: 'create', data, received_at }, schools)
  if ('fault' in read) {
    const column = read.field?.replace('.', '_') ?? 'learners_present'
    errors.push({ column, value: values[column] ?? null, message: messageOf(read) })
  }
}

const messageOf = ({ fault }: ReportFault) => (typeof fault === 'string' ? fault : fault.en)

/** A school has one count of teachers per day, so a row with different counts than the first one contradicts it. */
function checkTeachers({ row, values, errors }: CheckedRow, first: FirstTeachers) {
  const counts = countsOf(values)
  if (counts === noCounts) return
  const day = dayOf(values)
  const other = first.get(day)
  // A review checks corrected rows first and all rows of the day after them, so an earlier row may come later.
  if (!other || row <= other.row) first.set(day, { row, counts })
  else if (counts !== other.counts) errors.push(contradicts(other.row, values))
}

function contradicts(other: number, values: Values): Fault {
  const { en, fr } = attendanceSheet.columns.date.label
  const message = sentence('row_conflict', other, en, fr)
  return { column: 'teachers_present', value: values.teachers_present ?? null, message }
}

const keyOf = ({ school_admin_code, date, class: name }: Values) =>
  school_admin_code && date ? JSON.stringify([school_admin_code, date, name ?? '']) : undefined

/**
 * Rows whose day has become too old while they waited. Their messages would be refused, and the import would say that they were
 * imported.
 */
async function tooOld(tx: Tx, importId: number): Promise<Map<number, Fault>> {
  const { rows: days } = await sql<{ date: string; rows: number[]; now: string }>`
    select entry->>'date' as date, array_agg("row") as rows, now() as now from import_rows
    where import_id = ${importId} and kind in ('new', 'changed') group by 1`.execute(tx)
  return new Map(
    days.flatMap(({ date, rows, now }) => {
      const read = readDate(date, new Date(now).toISOString())
      if ('value' in read) return []
      const fault = { column: 'date', value: date, message: messageOf(read) }
      return rows.map((row): [number, Fault] => [row, fault])
    }),
  )
}

const groups = ['learners', 'teachers'] as const
const leavesOut = (values: Values, who: (typeof groups)[number]) =>
  values[`${who}_present`] !== null && values[`${who}_enrolled`] === null
const leavesEnrolled = (values: Values) => groups.some((who) => leavesOut(values, who))

/** An empty number of enrolled keeps the stored one (Imports 2.2). Where there is none, the register's counts. */
const withEnrolled = (values: Values, stored: Stored | undefined): Values => ({
  ...values,
  ...Object.fromEntries(
    groups
      .filter((who) => leavesOut(values, who))
      .map((who) => [`${who}_enrolled`, stored?.values[`${who}_enrolled`] ?? null]),
  ),
})

/** Makes the data of a native message from a row. */
function reportOf(values: Values) {
  const group = (who: 'learners' | 'teachers') => {
    const [enrolled, present] = [values[`${who}_enrolled`], values[`${who}_present`]]
    if ((enrolled ?? present ?? null) === null) return {}
    return {
      [who]: {
        ...(enrolled && { enrolled: Number(enrolled) }),
        ...(present && { present: Number(present) }),
      },
    }
  }
  return {
    school_admin_code: values.school_admin_code,
    date: values.date,
    ...(values.class && { class: values.class }),
    ...group('learners'),
    ...group('teachers'),
  }
}

/** `counts` is false where all figures of a key were withdrawn. */
type Figures = Stored & { key: string; superseded: string; reported_at: string; counts: boolean }

/** The figures that count. One that was withdrawn is new when it comes again. */
const readStored = async (db: Reader, keys: string[]): Promise<Map<string, Stored>> =>
  new Map((await readFigures(db, keys)).flatMap((one) => (one.counts ? [[one.key, one]] : [])))

/** Returns the figures for the keys of rows, those that were withdrawn too: the learners of the class, and the teachers of the school. */
async function readFigures(db: Reader, keys: string[]): Promise<Figures[]> {
  const { rows } = await sql<Figures>`
    select k.key, coalesce(l.id, t.id, ol.id, ot.id) as id, l.id is not null or t.id is not null as counts,
      coalesce(ol.message_key, '') || ' ' || coalesce(ot.message_key, '') as superseded,
      greatest(ol.reported_at, ot.reported_at) as reported_at,
      jsonb_build_object('school_admin_code', s.admin_code, 'date', k.key::jsonb->>1, 'class', nullif(k.key::jsonb->>2, ''),
        'learners_enrolled', l.enrolled::text, 'learners_present', l.present::text,
        'teachers_enrolled', t.enrolled::text, 'teachers_present', t.present::text) as values
    from unnest(${keys}::text[]) as k (key) join schools s on s.admin_code = k.key::jsonb->>0
    left join attendance ol on ol.school_id = s.id and ol.date = (k.key::jsonb->>1)::date and ol.who = 'learners'
      and ol.class = k.key::jsonb->>2
    left join attendance ot on ot.school_id = s.id and ot.date = (k.key::jsonb->>1)::date and ot.who = 'teachers'
    left join attendance l on l.id = ol.id and not ol.withdrawn
    left join attendance t on t.id = ot.id and not ot.withdrawn
    where ol.id is not null or ot.id is not null`.execute(db)
  return rows
}

/**
 * Stores rows as messages. A message's id is the hash of its data and of the messages that it supersedes. So the same
 * file twice makes one report, and a return to an earlier number, or to what was withdrawn, makes a new one. It is later than what it
 * supersedes, also if the clock of the device was ahead; otherwise it would never count.
 */
async function write(
  tx: Tx,
  { id: task }: TaskRow,
  part: RawBuilder<unknown>,
  { replaces }: { replaces: boolean },
): Promise<void> {
  const { rows } = await sql<{ key: string; entry: Values; now: string }>`
    select p.key, p.entry, clock_timestamp() as now from ${part} order by p."row"`.execute(tx)
  const figures = await readFigures(
    tx,
    rows.map(({ key }) => key),
  )
  const superseded = new Map(figures.flatMap((one) => (replaces || !one.counts ? [[one.key, one]] : [])))
  const messages = rows.map(({ key, entry, now }): Arrival => {
    const before = superseded.get(key)
    const data = reportOf(withEnrolled(entry, before))
    const content = JSON.stringify([data, before?.superseded ?? ''])
    const created = Math.max(Date.parse(now), before ? Date.parse(before.reported_at) + 1 : 0)
    return {
      id: `excel:${createHash('sha256').update(content).digest('hex')}`,
      entity_type: 'attendance',
      action: 'create',
      data: { ...data, channel: 'excel', import: task },
      created_at: new Date(created).toISOString(),
      token: null,
    }
  })
  await keepMessages(tx, messages)
}
