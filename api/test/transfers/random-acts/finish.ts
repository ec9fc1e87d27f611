import { dayFromNow } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { decideOn } from './list-acts.ts'
import { honest, signIn } from './office-acts.ts'
import { handIn, makeFile } from './paper-acts.ts'
import { aMinuteLater, closingOf, proposeSettlement } from './payment-acts.ts'
import { quiet } from './quiet.ts'
import type { Person, World } from './stage.ts'

const base = '/admin/transfers'
type Named = { id: number }

/** Somebody of a role who may do it: the others of her role are barred, or have touched what it is about. */
function byAny(world: World): World['call'] {
  return async (role, method, path, body) => {
    const people = [...(world.people[role] as Person[]), ...(world.people.admin as Person[])]
    let answer = await world.callBy(role, people[0] as Person, method, path, body)
    for (const who of people.slice(1)) {
      if (answer.status < 400) break
      answer = await world.callBy(role, who, method, path, body)
    }
    return answer
  }
}
const sentByAny = (world: World): World['send'] => {
  return async (role, path, form) => {
    const people = world.people[role] as Person[]
    const first = await world.callBy(role, people[0] as Person, 'POST', path, undefined, form)
    return first.status < 400 ? first : world.callBy(role, people[1] as Person, 'POST', path, undefined, form)
  }
}

/** Everybody is there, agencies and parameters are active, and nothing limits what is approved. */
async function inOrder(world: World): Promise<void> {
  const by = byAny(world)
  for (const { agency } of world.mobiles) await agency.set(honest)
  for (const who of world.people.approver as Person[]) {
    const [{ active }] = await world.rows(
      'select deactivated_at is null as active from users where id = $1',
      [who.user.id],
    )
    if (!active) await by('admin', 'PUT', `/users/profile/update/${who.user.id}`, { deactivate: false })
    await by('admin', 'POST', `/admin/users/${who.user.id}/approval-limit`, { amount: null })
  }
  for (const people of Object.values(world.people)) for (const who of people) await signIn(who)
  const { agencies } = await world.read(`${base}/settings`)
  for (const { id, status, version } of agencies)
    if (status !== 'active') await by('admin', 'PUT', `${base}/agency/${id}`, { status: 'active', version })
}

/** The lists of proposals that wait, as their pages show them, each with its decision. */
async function decideProposals(world: World): Promise<void> {
  const by = byAny(world)
  const { corrections } = await world.read(`${base}/corrections?per_page=100`)
  for (const { id } of corrections.data)
    await by('approver', 'POST', `${base}/corrections/${id}/decide`, { action: 'refused' })
  const { settlements } = await world.read(`${base}/settlements?per_page=100`)
  for (const { id } of settlements.data)
    await by('approver', 'POST', `${base}/settlements/${id}/decide`, { action: 'approved' })
  const { exceptions } = await world.read(`${base}/exceptions?state=open&per_page=100`)
  for (const { id } of exceptions.data)
    await by('approver', 'POST', `${base}/exceptions/${id}/close`, await closingOf(world, id))
  const { budgets } = await world.read(`${base}/budgets`)
  for (const { proposed } of budgets)
    if (proposed) await by('approver', 'POST', `${base}/budgets/${proposed.id}/decide`, { action: 'refused' })
  const { agencies } = await world.read(`${base}/settings`)
  for (const { change } of agencies)
    if (change) await by('admin', 'POST', `${base}/agency/changes/${change.id}/decide`, { action: 'refused' })
  const { holds } = await world.read(`${base}/payee-holds?state=open&per_page=100`)
  for (const { id } of holds.data) await by('approver', 'POST', `${base}/payee-holds/${id}/release`)
}

/** Differences of statements are resolved, and they are signed; or their uploader's colleague withdraws them. */
async function endStatements(world: World): Promise<void> {
  const by = byAny(world)
  const day = dayFromNow(0)
  const form = { transfer_agency_id: world.bankId, from: day, to: day }
  if ((await world.bank.ledger()).files > 0)
    await sentByAny(world)('officer', `${base}/statements`, {
      ...form,
      statement_file: await world.bank.statement(),
    })
  await quiet(world)
  const { statements } = await world.read(`${base}/statements?state=open&per_page=100`)
  for (const { id } of statements.data as Named[]) {
    for (const category of ['amount', 'theirs', 'ours', 'fee'])
      await by('officer', 'POST', `${base}/statements/${id}/resolve`, { category, reason: 'Looked at' })
    const { statement } = await world.read(`${base}/statements/${id}`)
    const { version } = statement
    const signed = await by('approver', 'POST', `${base}/statements/${id}/sign`, { version })
    if (signed.status !== 200)
      await by('officer', 'POST', `${base}/statements/${id}/withdraw`, { reason: 'It cannot be signed' })
  }
}

async function releaseSending(world: World): Promise<void> {
  const by = byAny(world)
  await until(async () => {
    const { hold } = await world.read(`${base}/sending-hold`)
    if (!hold) return true
    for (const { id, failure, confirmed } of hold.rounds)
      if (failure && !confirmed) await by('approver', 'POST', `${base}/sending-hold/rounds/${id}/confirm`)
    return (await by('approver', 'POST', `${base}/sending-hold/release`)).status === 200
  })
}

/** Payments of a round that wait for somebody: each is ended by an act that its page offers. */
async function endPayments(world: World, round: number, patient: boolean): Promise<void> {
  const by = byAny(world)
  const { payrollGroup } = await world.read(`${base}/cohorts/payroll/${round}?per_page=100`)
  const entries: { id: number; status: string; acts: string[] }[] = payrollGroup.transfer_payrolls.data
  const { bank_files, next } = await world.read(`${base}/cohorts/payroll/${round}/bank-files`)
  if (next && next.payments > 0) await makeFile(world, round, by)
  for (const { id } of bank_files as Named[]) {
    const message = await handIn(world, id)
    if (!message) continue
    const answer_file = await world.bank.answer(message, 'final')
    await sentByAny(world)('officer', `${base}/bank-answers`, { answer_file })
  }
  for (const { id, acts, status } of entries) {
    if (acts.includes('settle')) await proposeSettlement(world, id, sentByAny(world))
    else if (acts.includes('write_off') && (status === 'failed' || !patient))
      await by('approver', 'POST', `${base}/arrears/write-off`, {
        payroll_ids: [id],
        reason: 'The story ends',
      })
  }
}

async function endCohort(world: World, id: number, patient: boolean): Promise<void> {
  const by = byAny(world)
  const { cohort } = await world.read(`${base}/cohorts/${id}/summary`)
  if (cohort.status === 'rejected' || cohort.closed) return
  if (cohort.status === 'pending') {
    await decideOn(world, id, 'rejected', by)
    return
  }
  if (cohort.stopped) await by('approver', 'POST', `${base}/cohorts/${id}/resume`)
  if (cohort.status === 'error') await decideOn(world, id, 'approved', by)
  const { proposal } = await world.read(`${base}/cohorts/${id}/move`)
  if (proposal)
    await by('approver', 'POST', `${base}/cohort-moves/${proposal.id}/decide`, { action: 'refused' })
  const { cohort: paid } = await world.read(`${base}/cohorts/${id}/payrolls?per_page=100`)
  for (const group of paid.transfer_payroll_groups.data as Named[])
    await endPayments(world, group.id, patient)
  await by('approver', 'POST', `${base}/cohorts/${id}/close`, { reason: 'The story ends' })
}

type Left = { id: number; status: string; open: string[] }

/** The lists that are not ended, with what their page says is open. */
async function left(world: World): Promise<Left[]> {
  const { cohorts } = await world.read(`${base}/cohorts?per_page=100`)
  const found: Left[] = []
  for (const { id, status, closed } of cohorts.data) {
    if (closed || status === 'rejected') continue
    const { open } = await world.read(`${base}/cohorts/${id}/closing`)
    found.push({ id, status, open: open.map(({ what }: { what: string }) => what) })
  }
  return found
}

const proposals = [
  'recipient_corrections',
  'payment_settlements',
  'cohort_moves',
  'parameter_budgets',
  'transfer_agency_changes',
]

/** Proposals on which nobody could decide. */
async function waiting(world: World): Promise<string[]> {
  const found = await Promise.all(
    proposals.map(async (table) => ({
      table,
      left: await world.rows(`select id from ${table} where state = 'proposed'`),
    })),
  )
  return found.flatMap(({ table, left: rows }) =>
    rows.map(({ id }) => `nobody can decide on ${id} of ${table}`),
  )
}

/** People end all that is open, by the calls of their screens. Returns what nobody could end. */
export async function faultsOfEnd(world: World): Promise<string[]> {
  let rest: Left[] = []
  for (let turn = 0; turn < 12; turn++) {
    await inOrder(world)
    await releaseSending(world)
    await quiet(world)
    await endStatements(world)
    await aMinuteLater(world)
    await decideProposals(world)
    const { cohorts } = await world.read(`${base}/cohorts?per_page=100`)
    for (const { id } of cohorts.data as Named[]) await endCohort(world, id, turn < 4)
    rest = await left(world)
    if (rest.length === 0) return waiting(world)
  }
  return rest.map((each) => `nobody can end list ${each.id} (${each.status}): ${each.open}`)
}
