import type { AnswerOf } from '@portal/contracts/endpoint'
import { type ArrearsOfAge, arrearAges, type arrears } from '@portal/contracts/transfers/arrears'
import { sql } from 'kysely'
import { type Db, rows, searchRows } from '../../kit/database/db.ts'
import { ageSince, type Chosen, owedOf, owedWhere } from './arrears-choice.service.ts'

type Sums = AnswerOf<typeof arrears.list>['totals']

/** What is owed of the rounds of one age. Each age has a bit, so that the ages of a girl are one number. */
type OfBit = Omit<Sums, 'girls'> & { bit: number }

/** The rounds of which something is owed, with the bit of their age and what their counters say. */
const readRounds = (db: Db, { transfer_agency_id: agency }: Pick<Chosen, 'transfer_agency_id'>) =>
  rows(
    db,
    sql<OfBit & { id: number }>`
    select g.id, g.failed - g.written_off as payments, g.failed_amount as amount,
      case ${ageSince(sql`g.due_on`)} ${sql.join(
        arrearAges.map((age, n) => sql`when ${sql.lit(age)} then ${sql.lit(2 ** n)}`),
        sql` `,
      )} end as bit
    from transfer_payroll_groups g where g.failed > g.written_off and ${owedWhere({ girls: undefined, transfer_agency_id: agency })}`,
  )

/**
 * The sums of each age, whichever the list is filtered by, and those of the list. The payments of whole rounds are in their counters.
 * Girls are not, because one may be owed payments of several: they are counted in the order of an index, with their rounds' bits as an
 * array, because joining the rounds takes as long again.
 */
export async function sumByAge(
  db: Db,
  { age: wanted, transfer_agency_id, ...query }: Chosen,
): Promise<{ totals: Sums; ages: ArrearsOfAge[] }> {
  const rounds = await readRounds(db, { transfer_agency_id })
  const bits: number[] = Array(Math.max(0, ...rounds.map(({ id }) => id))).fill(0)
  for (const { id, bit } of rounds) bits[id - 1] = bit
  const chosen = sql`(
    select o.student_id, o.amount, (${bits}::int[])[o.payroll_group_id::int] as bit
    from ${owedOf(query)} where ${owedWhere(query)} order by o.student_id offset 0) o where o.bit > 0`
  // Thousands of girls are compared by a hash of them, which only a statement that is planned for its values makes.
  const read = query.girls ? searchRows : rows
  const [sums, girlsOfAges] = await Promise.all([
    query.girls || query.cap || query.school || query.reason
      ? read(
          db,
          sql<OfBit>`select o.bit, count(*) as payments, sum(o.amount)::bigint as amount from ${chosen} group by 1`,
        )
      : rounds,
    read(
      db,
      sql<{ bits: number; girls: number }>`
      select bits, count(*) as girls from (select o.student_id, bit_or(o.bit) as bits from ${chosen} group by 1) a group by 1`,
    ),
  ])
  const of = (wantedBits: number): Sums => {
    const part = sums.filter(({ bit }) => bit & wantedBits)
    const some = girlsOfAges.filter((girls) => girls.bits & wantedBits)
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
