import { chance } from '../../src/demo/chance.ts'
import { dayBack } from './sync.ts'

type Counts = { enrolled: number; present: number }
type Sent = {
  id: string
  entity_type: string
  action: string
  created_at: string
  data: { school_admin_code: string; date: string; class: string; learners?: Counts; teachers?: Counts }
}

/** The days of this week up to today. */
export const week = Array.from({ length: ((new Date().getUTCDay() + 6) % 7) + 1 }, (_, back) =>
  dayBack(back),
).toReversed()

/** A week of reports from 200 schools: every class and the teachers, 5 % corrected (some twice), a few withdrawn. */
export function makeSource(seed: number, classes = ['7A', '8A'], days = week) {
  const dice = chance(seed)
  const counts = (enrolled: number): Counts => ({ enrolled, present: dice.whole(0, enrolled) })
  const sent: Sent[] = []
  for (const date of days)
    for (let school = 1; school <= 200; school++) {
      if (dice.percent(10)) continue
      for (const name of classes) {
        const first: Sent = {
          id: `${date}/${school}/${name}`,
          entity_type: 'attendance',
          action: 'create',
          created_at: `${date}T00:00:${String(dice.whole(0, 59)).padStart(2, '0')}.000Z`,
          data: {
            school_admin_code: `KIT-${school}`,
            date,
            class: name,
            learners: counts(dice.whole(20, 60)),
            ...(name === classes[0] && { teachers: counts(dice.whole(3, 9)) }),
          },
        }
        sent.push(first)
        if (dice.percent(5))
          sent.push({
            ...first,
            id: `${first.id}/again`,
            action: 'update',
            created_at: later(first, dice.whole(0, 40)),
            data: { ...first.data, learners: counts(50) },
          })
        if (dice.percent(1))
          sent.push({
            ...first,
            id: `${first.id}/gone`,
            action: 'delete',
            created_at: later(first, dice.whole(0, 40)),
          })
      }
    }
  return { sent, dice }
}

const later = ({ created_at }: Sent, seconds: number) =>
  new Date(Date.parse(created_at) + seconds * 1000).toISOString()

/** Computes the expected figures from the source, without any code of the portal. */
export function computed(sent: readonly Sent[]) {
  const last = new Map<string, { of: Sent; counts: Counts | null }>()
  const take = (key: string, of: Sent, counts: Counts) => {
    const before = last.get(key)?.of
    if (before && [before.created_at, before.id].join(' ') > [of.created_at, of.id].join(' ')) return
    last.set(key, { of, counts: of.action === 'delete' ? null : counts })
  }
  for (const message of sent) {
    const { school_admin_code, date, class: name, learners, teachers } = message.data
    if (learners) take(`${date}|${school_admin_code}|learners ${name}`, message, learners)
    if (teachers) take(`${date}|${school_admin_code}|teachers`, message, teachers)
  }
  const standing = [...last].flatMap(([key, { of, counts }]) => {
    const [date = '', school = '', who = ''] = key.split('|')
    return counts ? [{ date, school, who: who.split(' ')[0], id: of.id, ...counts }] : []
  })
  const day = (date: string) => {
    const own = standing.filter((one) => one.date === date)
    const sum = (who: string, field: 'present' | 'enrolled') =>
      own.filter((one) => one.who === who).reduce((total, one) => total + one[field], 0)
    const percent = (who: string) => Math.round((sum(who, 'present') * 1000) / sum(who, 'enrolled')) / 10
    return {
      reported_schools: new Set(own.map((one) => one.school)).size,
      total_teachers: sum('teachers', 'present'),
      total_students: sum('learners', 'present'),
      total_reports: new Set(own.map((one) => one.id)).size,
      teacher_attendance: percent('teachers'),
      student_attendance: percent('learners'),
    }
  }
  const { teacher_attendance, student_attendance, ...today } = day(week.at(-1) ?? '')
  return {
    ...today,
    week_summary: week.map((date) => {
      const { reported_schools, teacher_attendance, student_attendance } = day(date)
      return { date, reported_schools, teacher_attendance, student_attendance }
    }),
    silent: Array.from({ length: 200 }, (_, k) => `KIT-${k + 1}`).filter(
      (code) => !standing.some((one) => one.school === code),
    ),
  }
}

/** Shuffles a list. */
export function shuffled<T>(list: T[], next: () => number): T[] {
  return list
    .map((one) => ({ one, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
