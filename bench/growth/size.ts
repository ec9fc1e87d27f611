/** One statement that fills one table. Ids are numbered from 1, so that rows refer to each other without a join. */
export type Filling = { table: string; sql: string }

/** How many rows of each kind there are. */
export type Nation = {
  students: number
  guardians: number
  teachers: number
  schools: number
  caps: number
  accounts: number
  /** Recipients of each cohort, each with `rounds` rounds. */
  cohort: number
  cohorts: number
  rounds: number
  payments: number
  audits: number
}

const whole = { students: 1_500_000, payments: 18_000_000, audits: 20_000_000 }

/** A nation, or fractions of it: of its people, of what was paid, and of what was logged. */
export function nationOf({ people, money, audits }: Record<'people' | 'money' | 'audits', number>): Nation {
  const students = Math.round(whole.students * people)
  const rounds = 12
  const cohort = Math.min(150_000, students, Math.round((whole.payments * money) / rounds))
  const cohorts = Math.max(1, Math.round((whole.payments * money) / rounds / cohort))
  return {
    students,
    guardians: Math.round(students * 0.6),
    teachers: Math.round(students / 50),
    schools: Math.max(100, Math.round(students / 100)),
    caps: Math.max(10, Math.round(200 * people)),
    accounts: 500,
    cohort,
    cohorts,
    rounds,
    payments: cohort * cohorts * rounds,
    audits: Math.round(whole.audits * audits),
  }
}
