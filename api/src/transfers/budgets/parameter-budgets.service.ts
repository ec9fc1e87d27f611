import type { AnswerOf } from '@portal/contracts/endpoint'
import { fill, type Locale } from '@portal/contracts/sentences'
import type {
  BudgetOfApproval,
  BudgetProposal,
  ParameterBudget,
  parameterBudgets,
} from '@portal/contracts/transfers/parameter-budgets'
import { planRounds, roundAtApproval } from '@portal/contracts/transfers/rounds'
import { sql } from 'kysely'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, type Reader, rows, type Tx, transaction } from '../../kit/database/db.ts'
import { conflict, forbidden, notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import { tellOfDecision, withdrawDecision } from '../decisions/decision-reminders.service.ts'
import { say } from './parameter-budget.messages.ts'

type Year = Omit<BudgetOfApproval, 'needed'>
type Listed = Omit<ParameterBudget, 'proposed'> & {
  proposed: (Omit<NonNullable<ParameterBudget['proposed']>, 'barred' | 'own'> & { user_id: number }) | null
}

/** Lists the budgets of this year and those of other years that are to come or wait for a second person. */
export async function listBudgets(
  db: Db,
  actor: Actor,
  locale: Locale,
  fourEyes: boolean,
): Promise<AnswerOf<typeof parameterBudgets.list>> {
  const [now] = await rows(
    db,
    sql<{ year: number }>`select extract(year from now() at time zone 'utc')::integer as year`,
  )
  if (!now) throw new Error('the database has no clock')
  const found = await rows(
    db,
    sql<Listed>`
    with years as (
      select id as parameter_id, ${now.year}::integer as year from transfer_parameters where status = 'active'
      union
      select parameter_id, year from parameter_budgets where state = 'proposed' or state = 'confirmed' and year >= ${now.year})
    select y.parameter_id, p.name as parameter, y.year, counted_budget(p.id, y.year) as amount,
      coalesce(s.spent, 0)::bigint as spent, coalesce(s.reserved, 0)::bigint as reserved,
      (select jsonb_build_object('id', b.id, 'amount', b.amount, 'reason', b.reason, 'user_id', b.user_id,
          'created_at', to_char(b.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'user', jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name))
        from parameter_budgets b join users u on u.id = b.user_id
        where b.parameter_id = p.id and b.year = y.year and b.state = 'proposed') as proposed
    from years y join transfer_parameters p on p.id = y.parameter_id
    left join lateral (select spent, reserved from parameter_spending(p.id) where year = y.year) s on true
    order by y.year, p.name collate "fr-x-icu", p.id`,
  )
  return {
    year: now.year,
    budgets: found.map(({ proposed, ...budget }) => {
      if (!proposed) return { ...budget, proposed }
      const { user_id, ...rest } = proposed
      const own = user_id === actor.id
      return { ...budget, proposed: { ...rest, own, barred: own && fourEyes ? fill(say.own, locale) : null } }
    }),
  }
}

/** Proposes what may be paid with a parameter in a year. It counts once a second person confirms it (Money 5.17). */
export function proposeBudget(
  db: Db,
  actor: Actor,
  fourEyes: boolean,
  parameterId: number,
  { year, amount, reason }: BudgetProposal,
): Promise<void> {
  return transaction(db, async (tx) => {
    const name = await lockParameter(tx, parameterId)
    const { rows: found } = await sql<{ counted: number | null; waits: boolean }>`
      select counted_budget(${parameterId}, ${year}) as counted, exists (select from parameter_budgets
        where parameter_id = ${parameterId} and year = ${year} and state = 'proposed') as waits`.execute(tx)
    const { counted = null, waits } = found[0] ?? {}
    if (waits) throw conflict(say.waits)
    if (counted === amount) throw conflict(say.same)
    const { rows: made } = await sql<{ id: number }>`
      insert into parameter_budgets (parameter_id, year, amount, reason, user_id, two_people)
      values (${parameterId}, ${year}, ${amount}, ${reason}, ${actor.id}, ${fourEyes}) returning id`.execute(
      tx,
    )
    await audit(tx, actor, 'budget proposed', 'parameter', parameterId, {
      old: { year, budget: counted },
      new: { year, budget: amount, reason },
    })
    await tellOfDecision(tx, { what: 'budget', id: made[0]?.id ?? 0, name, by: actor.id }, fourEyes)
  })
}

/** Confirms or refuses a budget. Only the confirmation needs a second person. */
export function decideBudget(
  db: Db,
  actor: Actor,
  fourEyes: boolean,
  id: number,
  action: 'confirmed' | 'refused',
): Promise<void> {
  return transaction(db, async (tx) => {
    const { rows: of } = await sql<{ parameter_id: number }>`
      select parameter_id from parameter_budgets where id = ${id}`.execute(tx)
    if (!of[0]) throw notFound()
    // Approvals lock the same row, so that each of them counts either the earlier budget or this one.
    await lockParameter(tx, of[0].parameter_id)
    const { rows: found } = await sql<{
      parameter_id: number
      year: number
      amount: number
      state: string
      user_id: number
      counted: number | null
    }>`
      select parameter_id, year, amount, state, user_id, counted_budget(parameter_id, year) as counted
      from parameter_budgets where id = ${id}`.execute(tx)
    const budget = found[0]
    if (budget?.state !== 'proposed') throw conflict(say.decided)
    if (action === 'confirmed' && fourEyes && budget.user_id === actor.id) throw forbidden(say.own)
    await sql`
      update parameter_budgets set state = ${action}, decided_by = ${actor.id}, decided_at = now(),
        two_people = two_people and ${fourEyes}
      where id = ${id}`.execute(tx)
    await withdrawDecision(tx, 'budget', id)
    const { year, amount, counted } = budget
    await audit(tx, actor, `budget ${action}`, 'parameter', budget.parameter_id, {
      old: { year, budget: counted },
      new: { year, budget: amount },
    })
  })
}

/** Takes a budget back before it is decided. Its row says that its own proposer refused it. */
export function withdrawBudget(db: Db, actor: Actor, id: number): Promise<void> {
  return transaction(db, async (tx) => {
    const { rows: found } = await sql<{
      parameter_id: number
      year: number
      amount: number
      user_id: number
    }>`
      select parameter_id, year, amount, user_id from parameter_budgets where id = ${id}`.execute(tx)
    const budget = found[0]
    if (!budget) throw notFound()
    if (budget.user_id !== actor.id) throw forbidden(say.notOwn)
    await lockParameter(tx, budget.parameter_id)
    const { rows: withdrawn } = await sql`
      update parameter_budgets set state = 'refused', decided_by = ${actor.id}, decided_at = now()
      where id = ${id} and state = 'proposed' returning id`.execute(tx)
    if (withdrawn.length === 0) throw conflict(say.decided)
    await withdrawDecision(tx, 'budget', id)
    await audit(tx, actor, 'budget withdrawn', 'parameter', budget.parameter_id, {
      new: { year: budget.year, budget: budget.amount },
    })
  })
}

/** Reads the budgets of the years in which the rounds of a cohort would be paid if it were approved today. */
export async function budgetsOfCohort(db: Db, cohortId: number): Promise<BudgetOfApproval[]> {
  const found = await rows(
    db,
    sql<{
      parameter: number
      from: string
      to: string
      frequency: number
      cost: number
      pending: boolean
      today: string
    }>`
    select c.transfer_parameter_id as parameter, c."from", c."to", p.frequency, c.list_amount + c.list_fees as cost,
      c.status = 'pending' as pending, (now() at time zone 'utc')::date as today
    from transfer_cohorts c join transfer_parameters p on p.id = c.transfer_parameter_id
    where c.id = ${cohortId} and c.imported_at is not null`,
  )
  const cohort = found[0]
  if (!cohort) throw notFound()
  const plan = planRounds(cohort.from, cohort.to, cohort.frequency)
  const first = roundAtApproval(plan, cohort.today)
  const needed = new Map<number, number>()
  for (const { n, due_on } of plan) {
    const year = Number(due_on.slice(0, 4))
    if (n >= first) needed.set(year, (needed.get(year) ?? 0) + (cohort.pending ? cohort.cost : 0))
  }
  const years = await readYears(db, cohort.parameter, [...needed.keys()])
  return years.flatMap((year) => {
    const amount = needed.get(year.year)
    return amount === undefined ? [] : [{ ...year, needed: amount }]
  })
}

/**
 * Does what reserves money for a parameter, and throws if a budget is passed by it. The lock on the parameter makes such acts run
 * one after the other, so that two of them cannot both use what is left.
 */
export async function keepBudgets<T>(tx: Tx, parameterId: number, act: () => Promise<T>): Promise<T> {
  const parameter = await lockParameter(tx, parameterId)
  const before = new Map((await readYears(tx, parameterId)).map((year) => [year.year, year]))
  const done = await act()
  for (const { year, amount, spent, reserved } of await readYears(tx, parameterId)) {
    const was = before.get(year) ?? { spent: 0, reserved: 0 }
    const added = spent + reserved - was.spent - was.reserved
    if (amount !== null && added > 0 && spent + reserved > amount)
      throw conflict(
        say.passed,
        year,
        parameter,
        amount,
        was.spent,
        was.reserved,
        added,
        spent + reserved - amount,
      )
  }
  return done
}

/**
 * Does what records money as spent, whatever the budgets say. It takes the lock as well: an approval that counts at this moment would
 * take this money for its own.
 */
export async function recordSpent<T>(tx: Tx, parameterId: number, act: () => Promise<T>): Promise<T> {
  await lockParameter(tx, parameterId)
  return act()
}

async function lockParameter(tx: Tx, id: number): Promise<string> {
  const { rows: found } = await sql<{ name: string }>`
    select name from transfer_parameters where id = ${id} for no key update`.execute(tx)
  if (!found[0]) throw notFound()
  return found[0].name
}

/** Reads every year with costs, and the given ones. */
async function readYears(db: Reader, parameterId: number, years: number[] = []): Promise<Year[]> {
  const { rows: found } = await sql<Year>`
    select coalesce(s.year, y.year) as year, counted_budget(${parameterId}, coalesce(s.year, y.year)) as amount,
      coalesce(s.spent, 0)::bigint as spent, coalesce(s.reserved, 0)::bigint as reserved
    from parameter_spending(${parameterId}) s full join unnest(${years}::integer[]) y (year) on y.year = s.year
    order by 1`.execute(db)
  return found
}
