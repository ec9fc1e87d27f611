import { randomUUID } from 'node:crypto'
import { at } from './bulk.ts'
import type { Chance } from './chance.ts'
import { dayAfter } from './days.ts'

/** The part of a school that its reports need. */
export type ReportingSchool = { admin_code: string; classes: string[]; teachers: number }
/** One call to `POST /sync/messages`. The order of the list is the order of the calls. */
export type Delivery = { by: Gateway; body: object }
type Gateway = 'native' | 'rapidpro' | 'kobotoolbox' | 'commcare'

type Count = { enrolled: number; present: number }
type ClassReport = {
  id: string
  school: string
  date: string
  class: string
  learners: Count
  teachers: Count | null
  at: string
  phone: string
}

/**
 * Makes the calls of the schools' devices and gateways on one day: the portal's own batches, RapidPro runs, KoboToolbox
 * submissions and CommCare forms. One report in ten is sent twice, one in twenty is corrected, some are late, and a few
 * contain impossible values.
 */
export function makeDay(
  schools: readonly ReportingSchool[],
  date: string,
  now: Date,
  dice: Chance,
): Delivery[] {
  const deliveries: Delivery[] = []
  const batched: object[] = []
  const send = (by: Gateway, report: ClassReport) => {
    if (by === 'native') batched.push(nativeOf(report))
    else deliveries.push({ by, body: bodies[by](report) })
  }
  for (const school of schools) {
    const by = gatewayOf(dice)
    for (const report of reportsOf(school, date, now, dice)) {
      send(by, report)
      if (dice.percent(10)) send(by, report)
      if (dice.percent(5)) send(by, corrected(report, now, dice))
    }
    if (dice.percent(4)) for (const late of reportsOf(school, dayAfter(date, -1), now, dice)) send(by, late)
    if (school === schools[0] || dice.percent(2)) batched.push(nativeOf(mistaken(school, date, now, dice)))
  }
  for (let from = 0; from < batched.length; from += 100)
    deliveries.push({ by: 'native', body: { messages: batched.slice(from, from + 100) } })
  return deliveries
    .map((delivery) => ({ delivery, place: dice.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ delivery }) => delivery)
}

function gatewayOf(dice: Chance): Gateway {
  const place = dice.whole(1, 100)
  if (place <= 70) return 'native'
  return place <= 82 ? 'rapidpro' : place <= 92 ? 'kobotoolbox' : 'commcare'
}

function reportsOf(
  { admin_code, classes, teachers }: ReportingSchool,
  date: string,
  now: Date,
  dice: Chance,
): ClassReport[] {
  const phone = `+2237${String(dice.whole(0, 9_999_999)).padStart(7, '0')}`
  return classes.map((name, k) => ({
    id: randomUUID(),
    school: admin_code,
    date,
    class: name,
    learners: counted(dice.whole(28, 62), dice.whole(82, 97)),
    teachers: k === 0 ? counted(teachers, dice.whole(85, 100)) : null,
    at: secondsBefore(now, dice.whole(60, 1800)),
    phone,
  }))
}

const counted = (enrolled: number, percent: number): Count => ({
  enrolled,
  present: Math.round((enrolled * percent) / 100),
})
const secondsBefore = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()

/** The same report, counted again a little later and sent as another message. */
const corrected = (report: ClassReport, now: Date, dice: Chance): ClassReport => ({
  ...report,
  id: randomUUID(),
  learners: counted(report.learners.enrolled, dice.whole(82, 97)),
  at: secondsBefore(now, dice.whole(1, 59)),
})

/**
 * A report with an unknown school code or with more learners present than enrolled. It stays in the log with its
 * reason.
 */
function mistaken(school: ReportingSchool, date: string, now: Date, dice: Chance): ClassReport {
  const report = at(reportsOf({ ...school, classes: ['7'] }, date, now, dice), 0)
  return dice.percent(50)
    ? { ...report, school: school.admin_code.replace(/\d+$/, '9999') }
    : { ...report, learners: { enrolled: 41, present: 44 } }
}

function nativeOf({
  id,
  school,
  date,
  class: name,
  learners,
  teachers,
  at: created_at,
  phone,
}: ClassReport): object {
  const data = { school_admin_code: school, date, class: name, learners, ...(teachers && { teachers }) }
  return {
    id,
    entity_type: 'attendance',
    action: 'create',
    created_at,
    data: { ...data, reported_by: phone, channel: 'sms' },
  }
}

/** The answers of a report, with the field names of a form. */
const answersOf = ({ school, date, class: name, learners, teachers }: ClassReport) => ({
  school_code: school,
  date,
  class: name,
  learners_enrolled: learners.enrolled,
  learners_present: learners.present,
  ...(teachers && { teachers_enrolled: teachers.enrolled, teachers_present: teachers.present }),
})

const bodies: Record<Exclude<Gateway, 'native'>, (report: ClassReport) => object> = {
  rapidpro: (report) => ({
    contact: { uuid: randomUUID(), name: 'Direction', urn: `tel:${report.phone}` },
    flow: { uuid: '5f1c0d4e-6a0b-4b51-9f0e-0a4c8f9d2b11', name: 'Presence ecole' },
    run: { uuid: report.id, created_on: report.at },
    results: Object.fromEntries(
      Object.entries(answersOf(report)).map(([key, value]) => [
        key,
        { value: String(value), category: 'All Responses' },
      ]),
    ),
  }),
  kobotoolbox: (report) => ({
    _uuid: report.id,
    _xform_id_string: 'aPresenceEcole',
    _submission_time: report.at.slice(0, 19),
    _submitted_by: 'enquetrice',
    ...Object.fromEntries(
      Object.entries(answersOf(report)).map(([key, value]) => [`presence/${key}`, String(value)]),
    ),
  }),
  commcare: (report) => ({
    domain: 'girls-education',
    id: report.id,
    received_on: report.at,
    form: {
      '@name': 'Présence',
      '#type': 'data',
      presence: answersOf(report),
      meta: { instanceID: report.id, timeStart: report.at, timeEnd: report.at, username: 'directrice' },
    },
  }),
}
