import { dayFromNow } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import type { Act } from './act.ts'
import { statementOf } from './papers.ts'
import type { World } from './stage.ts'

const base = '/admin/transfers'
const path = `${base}/statements`

async function uploadStatement(world: World) {
  const agency = world.pick([...world.mobiles.map(({ id }) => id), world.bankId])
  const statement_file =
    agency === world.bankId ? await world.bank.statement() : await statementOf(world, agency)
  const day = dayFromNow(0)
  const form = { statement_file, transfer_agency_id: agency, from: day, to: day }
  const sent = await world.send('officer', path, form)
  if (sent.status === 200) await compared(world, sent.body.statement.id)
}

/** Waits until a worker has read it and compared it, as its page does. */
const compared = (world: World, id: number) =>
  until(async () => {
    const { statement } = await world.read(`${path}/${id}`)
    return !['queued', 'reading'].includes(statement.state)
  })

const openStatement = (world: World) =>
  world.one("select id::int from agency_statements where state = 'open' order by id")

async function resolve(world: World) {
  const found = await openStatement(world)
  if (!found) return false
  const category = world.pick(['amount', 'theirs', 'ours', 'fee'])
  return world.call('officer', 'POST', `${path}/${found.id}/resolve`, { category, reason: 'Looked at' })
}

async function sign(world: World) {
  const found = await openStatement(world)
  if (!found) return false
  const { statement } = await world.read(`${path}/${found.id}`)
  return world.call('approver', 'POST', `${path}/${found.id}/sign`, { version: statement.version })
}

async function withdraw(world: World) {
  const found = await openStatement(world)
  return (
    found &&
    world.call('officer', 'POST', `${path}/${found.id}/withdraw`, { reason: 'It is of another month' })
  )
}

/** Somebody makes the file of a round at the bank and hands it in, mostly. */
export async function makeFile(world: World, round: number, by = world.call) {
  const { next } = await world.read(`${base}/cohorts/payroll/${round}/bank-files`)
  if (!next) return false
  const { payments, amount, account } = next
  return by('approver', 'POST', `${base}/cohorts/payroll/${round}/bank-files`, { payments, amount, account })
}

async function bankFile(world: World) {
  const round = await world.one(
    `select distinct g.id::int from transfer_payroll_groups g join transfer_payrolls p on p.payroll_group_id = g.id
       join transfer_cohorts c on c.id = g.cohort_id where c.transfer_agency_id = $1 and p.status = 'pending' order by 1`,
    [world.bankId],
  )
  return round && makeFile(world, round.id)
}

/** The bank takes a file, which somebody has downloaded. */
export async function handIn(world: World, id: number): Promise<string> {
  const person = world.people.approver?.[0]
  const { bytes, status } = (await person?.get(`/storage/bank-files/${id}`)) ?? { bytes: null, status: 0 }
  if (status !== 200 || !bytes) return ''
  await world.bank.take(bytes)
  return /<MsgId>([^<]+)</.exec(bytes.toString('utf8'))?.[1] ?? ''
}

async function bankAnswer(world: World) {
  const found = await world.one('select id::int from bank_files order by id')
  if (!found) return false
  const message = await handIn(world, found.id)
  if (!message) return false
  const answer_file = await world.bank.answer(message, world.pick(['received', 'final', 'final', 'again']))
  return world.send('officer', `${base}/bank-answers`, { answer_file })
}

/** What people do about statements, and about files for the bank. */
export const paperActs: Record<string, Act> = {
  'a statement is uploaded': { weight: 5, act: uploadStatement },
  'differences of a statement are resolved': { weight: 6, act: resolve },
  'a statement is signed': { weight: 4, act: sign },
  'a statement is withdrawn': { weight: 2, act: withdraw },
  'a file for the bank is made': { weight: 6, act: bankFile },
  'the bank answers': { weight: 5, act: bankAnswer },
}
