import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { linkAudits, verifyAudits } from '../../src/kit/audit/audit-chain.ts'
import { verifyLedger } from '../../src/transfers/ledger/ledger-check.service.ts'
import { startPortal, until } from '../portal.ts'
import { bodiesOf, callsOf, type MadeUp, ready, send, tell } from './random-calls.ts'
import { knownIds } from './random-ids.ts'
import { faultsOf, witness } from './random-judge.ts'
import { filesOf, fillStage, peopleOf, type Who } from './random-stage.ts'

/**
 * Every call of the api with values that its contract takes, made up from a seed, by several people, over the demo's rows. A new
 * call is in it by itself. A failure names the seed and the call; `RANDOM_SEED` and `RANDOM_RUNS` make others, and more.
 */
const seed = Number(process.env.RANDOM_SEED ?? 20_261_130)
const numRuns = Number(process.env.RANDOM_RUNS ?? 2)
const portal = await startPortal({ demoSize: 'small', agencyHosts: ['127.0.0.1:9'] })
const ids = knownIds(portal)
const log = await witness(portal)
let people: Who[] = []
let files: Awaited<ReturnType<typeof filesOf>>

beforeAll(async () => {
  await fillStage(portal, 'http://127.0.0.1:9')
  people = await peopleOf(portal)
  files = await filesOf(portal, people[0]?.client as Who['client'])
}, 120_000)

/** Signing out ends what the others need. */
const calls = portal.endpoints
  .filter(({ path }) => path !== '/logout')
  .map((endpoint) => ({ ...endpoint, name: `${endpoint.method} ${endpoint.path}` }))
type Row = (typeof calls)[number]

/** Calls of transfers that may be made again, each with its own row in the audit log. All others are done once, however often a button is pressed. */
const again: Record<string, string> = {
  'POST /admin/transfers/agency': 'two agencies may have one name',
  'POST /admin/transfers/parameter': 'two parameters may have one name',
  'POST /admin/transfers/statements/:id/resolve': 'another reason takes the place of the one before',
  'POST /admin/transfers/master-list/:id/name': 'a question to the agency, which moves nothing',
}
const isOnce = ({ name, path, method }: Row) =>
  method !== 'GET' && path.startsWith('/admin/transfers/') && !path.endsWith('/export') && !(name in again)

/** Calls that change a table and nothing of the programme, so that they have no audit row. */
const silent: Record<string, string> = {
  'POST /totp': 'codes are on once the first one was entered, and that is audited',
}

/** Somebody who is signed in; a call before may have signed her out. */
async function caller(who: number): Promise<Who> {
  const found = people[who % people.length] as Who
  if (found.name === 'a visitor' || (await found.client.get('/session')).body.user) return found
  await portal.owner.query('delete from failed_attempts')
  people = await peopleOf(portal)
  log.forget()
  return people[who % people.length] as Who
}

/** Makes a call, half of the changing ones twice at once, and returns what was wrong. */
async function faultsOfCall(row: Row, made: MadeUp): Promise<string[]> {
  const { name, client } = await caller(made.who)
  const call = await ready(row, made, ids, files)
  const changes = row.method !== 'GET'
  const now = await log.now()
  const began = performance.now()
  const answers = await Promise.all(
    Array.from({ length: changes && made.together ? 2 : 1 }, () => send(client, row, call)),
  )
  const faults = answers.flatMap((answer) => faultsOf(row, bodiesOf(row), answer))
  if (performance.now() - began > 20_000) faults.push('took longer than 20 seconds')
  if (changes && !(row.name in silent)) faults.push(...(await log.since(now, answers)))
  if (changes && answers.some(({ status }) => status < 300)) {
    ids.forget()
    log.forget()
    if (answers.length === 1) answers.push(await send(client, row, call))
    if (isOnce(row) && (await log.did(answers)) > 1) faults.push('done twice')
  }
  if (answers.some(({ status }) => status === 429)) await portal.owner.query('delete from failed_attempts')
  return faults.map((fault) => `${fault}: ${answers.map(({ status }) => status)} ${name}, ${tell(call)}`)
}

test.each(calls)('$name holds to its contract whatever a person sends', async (row) => {
  const faults: string[] = []
  for (const made of fc.sample(callsOf(row), { seed, numRuns }))
    faults.push(...(await faultsOfCall(row, made)))
  expect(faults, `seed ${seed}, ${numRuns} runs`).toEqual([])
})

test('a row that a person’s call deletes without an audit row is found', async () => {
  await portal.owner.query("insert into roles (name) values ('Gone')")
  log.forget()
  const now = await log.now()
  await portal.owner.query("delete from roles where name = 'Gone'")
  expect(await log.since(now, [])).toEqual(['deleted without an audit row: roles'])
})

test('after all these calls an operator finds that the ledger and the audit log hold', async () => {
  const { faults, payments } = await verifyLedger(portal.db)
  expect([faults, payments > 0]).toEqual([[], true])
  await until(async () => (await linkAudits(portal.db, portal.settings.secret, null)).linked === 0)
  expect(await verifyAudits(portal.db, portal.settings.secret)).toMatchObject({ fault: null })
})
