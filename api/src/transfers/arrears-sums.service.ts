import { type ArrearsOfAge, arrearAges, type arrears } from '@portal/contracts/arrears'
import type { AnswerOf } from '@portal/contracts/endpoint'
import { sql } from 'kysely'
import { type Db, rows } from '../kit/db.ts'
import { ageSince, type Chosen, owed, owedWhere } from './arrears-choice.service.ts'

type Sums = AnswerOf<typeof arrears.list>['totals']

/** SQL: the rounds with a bit for their age, so that the ages of a girl are one number. */
const agedRounds = sql`(select *, case ${ageSince(sql`due_on`)} ${sql.join(
  arrearAges.map((age, n) => sql`when ${sql.lit(age)} then ${sql.lit(2 ** n)}`),
  sql` `,
)} end as bit from transfer_payroll_groups offset 0)`

/** The sums of each age, whichever the list is filtered by, and those of the list. */
export async function sumByAge(
  db: Db,
  { age: wanted, ...query }: Chosen,
): Promise<{ totals: Sums; ages: ArrearsOfAge[] }> {
  const [sums, girlsOfAges] = await Promise.all([
    rows(
      db,
      sql<Omit<Sums, 'girls'> & { bit: number }>`
      select g.bit, count(*) as payments, sum(o.amount)::bigint as amount
      from ${owed(query, agedRounds)} where ${owedWhere(query)} group by 1`,
    ),
    rows(
      db,
      sql<{ bits: number; girls: number }>`
      select bits, count(*) as girls from (
        select o.student_id, bit_or(g.bit) as bits from ${owed(query, agedRounds)} where ${owedWhere(query)} group by 1) a group by 1`,
    ),
  ])
  const of = (bits: number): Sums => {
    const part = sums.filter(({ bit }) => bit & bits)
    const some = girlsOfAges.filter((girls) => girls.bits & bits)
    const sum = (values: number[]) => values.reduce((all, value) => all + value, 0)
    return {
      girls: sum(some.map(({ girls }) => girls)),
      payments: sum(part.map(({ payments }) => payments)),
      amount: sum(part.map(({ amount }) => amount)),
    }
  }
  const all = 2 ** arrearAges.length - 1
  return {
    totals: of(wanted ? 2 ** arrearAges.indexOf(wanted) : all),
    ages: arrearAges.map((age, n) => ({ age, ...of(2 ** n) })),
  }
}
