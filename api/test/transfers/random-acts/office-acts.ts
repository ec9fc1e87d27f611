import { readMarkFile, writeMarkFile } from '../../../src/transfers/sending-hold/sending-mark.ts'
import { until } from '../../portal.ts'
import type { Act } from './act.ts'
import { decidesOn } from './list-acts.ts'
import type { Person, World } from './stage.ts'

const base = '/admin/transfers'

/** Misbehaviour that a person at the agency can clear up. None of these says that an order was refused which was paid. */
const modes = [
  'other_amount',
  'other_reference',
  'other_phone',
  'repeated_id',
  'stale_answer',
  'fraction_fee',
  'wrong_types',
  'not_json',
  'cut_body',
  'error_unpaid',
  'error_paid',
  'throttles',
  'forgets',
  'pending_forever',
]

export const honest = { hostile: [], lost_reply_percent: 0, unreachable: false, float_amount: null }

async function misbehave(world: World) {
  const { agency } = world.pick(world.mobiles)
  const hostile = Array.from({ length: world.between(0, 2) }, () => ({
    mode: world.pick(modes),
    percent: world.between(5, 50),
  }))
  await agency.set({
    hostile,
    lost_reply_percent: world.pick([0, 0, 30]),
    unreachable: world.chance(0.08),
    float_amount: world.chance(0.1) ? world.between(0, 40_000) : null,
  })
}

const correctNumbers = async (world: World) =>
  world.pick(world.mobiles).agency.set({
    corrected: (
      await world.rows(
        "select distinct receiver_phone_number as n from transfer_payrolls where status = 'failed' and receiver_phone_number is not null order by 1",
      )
    )
      .map(({ n }) => n)
      .filter(() => world.chance(0.5)),
  })

async function proposeBudget(world: World) {
  const amount = world.pick([40_000, 150_000, 900_000, 5_000_000])
  const year = new Date().getUTCFullYear()
  const body = { year, amount, reason: 'Voted by the ministry' }
  return world.call('admin', 'POST', `${base}/parameter/${world.between(1, 2)}/budgets`, body)
}

async function setLimit(world: World) {
  const { user } = world.pick(world.people.approver as Person[])
  const amount = world.pick([null, 30_000, 400_000])
  return world.call('admin', 'POST', `/admin/users/${user.id}/approval-limit`, { amount })
}

/** An administrator deactivates the last approver, or activates her, who signs in again. */
async function deactivate(world: World) {
  const who = world.people.approver?.[2] as Person
  const [{ active }] = await world.rows('select deactivated_at is null as active from users where id = $1', [
    who.user.id,
  ])
  const { status } = await world.call('admin', 'PUT', `/users/profile/update/${who.user.id}`, {
    deactivate: active,
  })
  if (status === 200 && !active) await signIn(who)
}

/** Signs a person in again. */
export const signIn = (who: Person) =>
  who.post('/login', { email: who.user.email, password: who.user.password })

async function switchAgency(world: World) {
  const id = world.pick([...world.mobiles.map((mobile) => mobile.id), world.bankId])
  const [{ active, version }] = await world.rows(
    "select status = 'active' as active, version from transfer_agencies where id = $1",
    [id],
  )
  // It is mostly active.
  if (active && world.chance(0.6)) return false
  const status = active ? 'inactive' : 'active'
  return world.call('admin', 'PUT', `${base}/agency/${id}`, { status, version })
}

async function changeAgency(world: World) {
  const { id } = world.pick(world.mobiles)
  const [{ version }] = await world.rows('select version from transfer_agencies where id = $1', [id])
  const details = JSON.stringify({ protocol: 'sandbox', concurrency: world.between(1, 4) })
  return world.call('admin', 'PUT', `${base}/agency/${id}`, { details, version })
}

async function switchParameter(world: World) {
  const { parameters } = await world.read(`${base}/parameters`)
  const { id, status, version } = world.pick(parameters.data) as {
    id: number
    status: string
    version: number
  }
  if (status === 'active' && world.chance(0.6)) return false
  const next = status === 'active' ? 'inactive' : 'active'
  return world.call('admin', 'PUT', `${base}/parameter/${id}`, { status: next, version })
}

async function renameGirl(world: World) {
  const girl = await world.one(
    'select distinct student_id::int as id from transfer_master_list where student_id is not null order by 1',
  )
  if (!girl) return false
  const { student } = await world.read(`/admin/schools/students/${girl.id}`, world.people.admin?.[0])
  if (!student) return false
  return world.call('admin', 'PUT', `/admin/schools/students/${girl.id}`, {
    ...student,
    ...student.user,
    id: student.id,
    first_name: `Aïssata ${++world.names}`,
    date_of_birth: '2012-05-04',
    current_class_level: student.current_class_level ?? '7',
    student_assigned_id: student.student_assigned_id || `A-${girl.id}`,
    age_confirmed: true,
  })
}

async function askErasure(world: World) {
  const girl = await world.one('select id::int from students order by id')
  if (!girl) return false
  const body = { reason: 'Her mother asked in writing', stop_paying: world.chance(0.5) }
  return world.call('admin', 'POST', `/admin/people/student/${girl.id}/erasures`, body)
}

async function decideErasure(world: World) {
  const { erasures } = await world.read('/admin/erasures?state=asked', world.people.admin?.[0])
  if (!(erasures?.data.length > 0)) return false
  const { id, version } = world.pick(erasures.data) as { id: number; version: number }
  const action = world.chance(0.8) ? 'approved' : 'refused'
  return world.call('admin', 'POST', `/admin/erasures/${id}/decision`, { action, reason: 'Seen', version })
}

/** The database is found to be older than what was sent, as after a restored backup. The worker writes the mark, too, so it may need several tries. */
async function discontinuity(world: World) {
  const { settings } = world.portal
  await until(async () => {
    if ((await world.read(`${base}/sending-hold`)).hold) return true
    const kept = await readMarkFile(settings)
    // The worker is in this process and writes by the same temporary file, so one of two writes at once can fail. It is done again.
    if (kept.kind === 'read')
      await writeMarkFile(settings, { ...kept.mark, counter: kept.mark.counter + 50 }).catch(() => undefined)
    return false
  })
}

/** An approver confirms what could not be asked, and releases sending. */
async function releaseSending(world: World) {
  const { hold } = await world.read(`${base}/sending-hold`)
  if (!hold) return false
  for (const { id, failure, confirmed } of hold.rounds)
    if (failure && !confirmed)
      await world.call('approver', 'POST', `${base}/sending-hold/rounds/${id}/confirm`)
  return world.call('approver', 'POST', `${base}/sending-hold/release`)
}

async function writeInAgain(world: World) {
  for (const people of Object.values(world.people))
    for (const who of people) if ((await who.get('/session')).body.user === null) await signIn(who)
}

/** What the office, the agencies and the machines do. */
export const officeActs: Record<string, Act> = {
  'an agency misbehaves or not': { weight: 6, act: misbehave },
  'an agency is honest again': {
    weight: 5,
    act: (world) => world.pick(world.mobiles).agency.set(honest),
  },
  'an agency corrects numbers': { weight: 3, act: correctNumbers },
  'a budget is proposed': { weight: 2, act: proposeBudget },
  'a budget is decided': {
    weight: 2,
    act: decidesOn('parameter_budgets', `${base}/budgets`, 'approver', 'confirmed'),
  },
  'a limit is set': { weight: 2, act: setLimit },
  'an approver is deactivated or activated': { weight: 2, act: deactivate },
  'an agency is deactivated or activated': { weight: 3, act: switchAgency },
  'a change of an agency is proposed': { weight: 1.5, act: changeAgency },
  'a change of an agency is decided': {
    weight: 2,
    act: decidesOn('transfer_agency_changes', `${base}/agency/changes`, 'admin', 'confirmed'),
  },
  'a parameter is deactivated or activated': { weight: 2, act: switchParameter },
  'a girl is renamed': { weight: 3, act: renameGirl },
  'the erasure of a girl is asked for': { weight: 1.5, act: askErasure },
  'the erasure of a girl is decided': { weight: 2, act: decideErasure },
  'the database lost what was sent': { weight: 1, act: discontinuity },
  'sending is released': { weight: 5, act: releaseSending },
  'people sign in again': { weight: 2, act: writeInAgain },
}
