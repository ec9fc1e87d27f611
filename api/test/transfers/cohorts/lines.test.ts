import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { dayFromNow, recipient, startStage } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { mortalWorkers } from '../../workers.ts'
import { startAgency } from '../agencies/agency.ts'
import { copyAgency } from '../agencies/copied.ts'

const stage = await startStage(900)
const { portal, agency, approver, imported, approve, cohort, progress } = stage
const other = await startAgency()
afterAll(() => other.close())
portal.settings.agencyHosts.push(other.host)
const second = await copyAgency(portal, 'Second agency', { endpoint: other.url })
const workers = mortalWorkers(portal.settings)
const worker = workers.start()
beforeEach(async () => {
  for (const one of [agency, other]) await one.set({ hostile: [], latency_ms: 0 })
})

let used = 0
const ending = (...digits: number[]) => digits.map((lastTwo) => recipient(++used, { lastTwo }))
const honest = (count: number) => ending(...Array.from({ length: count }, () => 20))
const settled = (id: number, ms?: number) =>
  progress(id, ({ round }) => round?.pending === 0 && round.unknown === 0, ms)

/** The movements of the agencies for a cohort, by reference. */
async function movedFor(id: number): Promise<Map<string, number>> {
  const { rows } = await portal.owner.query(
    `select p.reference from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
     where g.cohort_id = $1`,
    [id],
  )
  const moved = new Map<string, number>(rows.map(({ reference }) => [reference, 0]))
  for (const { reference, executed } of [...(await agency.ledger()), ...(await other.ledger())])
    if (moved.has(reference)) moved.set(reference, (moved.get(reference) ?? 0) + executed)
  return moved
}

test('payments that stay pending at the agency delay no other recipient, at this agency or another', {
  timeout: 60_000,
}, async () => {
  await agency.set({ hostile: [{ mode: 'pending_forever', numbers: ['40'] }] })
  const stuck: number[] = []
  for (let n = 0; n < 5; n++) stuck.push(await imported(`Pending ${n}`, ending(40)))
  for (const id of stuck) await approve(id)
  await until(async () => (await agency.ledger()).filter(({ result }) => result === 'pending').length === 5)
  const here = await imported('Beside them', honest(30))
  const there = await imported('Elsewhere', honest(60), { transfer_agency_id: second })
  await approve(here)
  await approve(there)
  await settled(there, 8_000)
  await settled(here, 8_000)
  await agency.set({ hostile: [] })
  for (const id of stuck) await settled(id)
})

test('nobody is paid twice after an agency’s address changed, and the old address settles the payments it received', {
  timeout: 60_000,
}, async () => {
  await agency.set({ hostile: [{ mode: 'error_paid' }, { mode: 'not_json', on: ['key'] }] })
  const id = await imported('Moved', honest(12))
  await approve(id)
  await progress(id, ({ round }) => round?.unknown === 12)
  const move = (url: string) =>
    portal.owner.query('update transfer_agencies set endpoint = $1, updated_at = now() where id = 1', [url])
  await move(other.url)
  const notFound = await until(async () => {
    const { rows } = await portal.owner.query(
      "select failure_reason from transfer_payrolls where failure_reason = 'not_found_elsewhere'",
    )
    return rows.length === 12
  }, 40_000)
  expect(notFound).toBe(true)
  expect([...(await movedFor(id)).values()]).toEqual(Array(12).fill(1))
  await agency.set({ hostile: [] })
  await move(agency.url)
  await settled(id, 45_000)
  expect([...(await movedFor(id)).values()]).toEqual(Array(12).fill(1))
})

test('a recipient for whom the account counts as empty is left for last, and Retry pays the others', {
  timeout: 60_000,
}, async () => {
  await agency.set({ latency_ms: 20 })
  const id = await imported('One poor number', [...ending(1), ...honest(120), ...ending(1), ...honest(80)])
  await approve(id)
  await progress(id, ({ status, round }) => status === 'error' && round.success + round.pending === 202)
  for (let retries = 0; retries < 2; retries++) {
    if ((await progress(id, () => true)).round.success === 200) break
    await approve(id)
    await progress(id, ({ status, round }) => status === 'error' && round.success + round.pending === 202)
  }
  expect((await progress(id, () => true)).round).toMatchObject({ success: 200, pending: 2, failed: 0 })
  expect((await cohort(id)).error_reason).toBe('The paying account is empty.')
})

/** An agency that pays every order after a moment and counts its concurrent calls. */
async function startCounter() {
  let open = 0
  let most = 0
  const paid = async (request: IncomingMessage) => {
    const order = (await json(request)) as { reference: string; amount: number; phone: string }
    const key = request.headers['idempotency-key'] as string
    return { ...order, id: `C-${key}`, key, status: 'success', currency: 'XOF', fee: 0 }
  }
  const server = createServer((request, response) => {
    open += 1
    most = Math.max(most, open)
    void paid(request).then((body) =>
      setTimeout(() => {
        open -= 1
        response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
      }, 20),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => server.close())
  const { port } = server.address() as { port: number }
  return { host: `127.0.0.1:${port}`, most: () => most }
}

test('an agency never gets more concurrent orders than it allows, from four rounds and two workers', {
  timeout: 60_000,
}, async () => {
  const counter = await startCounter()
  await workers.end(worker, 'SIGTERM')
  portal.settings.agencyHosts.push(counter.host)
  const third = await copyAgency(portal, 'Third agency', {
    endpoint: `http://${counter.host}`,
    details: { concurrency: 5 },
  })
  const pair = [workers.start(), workers.start()]
  const rounds: number[] = []
  for (let n = 0; n < 4; n++)
    rounds.push(await imported(`Four at once ${n}`, honest(40), { transfer_agency_id: third }))
  await Promise.all(rounds.map((id) => approve(id)))
  for (const id of rounds) await settled(id)
  expect(counter.most()).toBe(5)
  for (const one of pair) await workers.end(one, 'SIGTERM')
})

test('a worker that was frozen sends no order after its lease has expired', {
  timeout: 60_000,
}, async () => {
  await agency.set({ latency_ms: 400 })
  const frozen = workers.start()
  const id = await imported('Frozen', honest(240))
  await approve(id)
  await progress(id, ({ round }) => round?.success > 20)
  frozen.kill('SIGSTOP')
  const heir = workers.start()
  await settled(id, 40_000)
  const received = async () => (await agency.ledger()).reduce((sum, line) => sum + line.received, 0)
  const before = await received()
  frozen.kill('SIGCONT')
  const since = Date.now()
  await until(async () => Date.now() - since > 2_000)
  expect(await received()).toBe(before)
  expect([...(await movedFor(id)).values()].every((times) => times === 1)).toBe(true)
  for (const one of [frozen, heir]) await workers.end(one, 'SIGKILL')
})

test('payments that a killed worker left on their way can be settled by people although the next one may not call the agency', {
  timeout: 60_000,
}, async () => {
  await agency.set({ latency_ms: 60_000 })
  const killed = workers.start()
  const id = await imported('Left on their way', honest(3))
  await approve(id)
  await progress(id, ({ round }) => round?.sending === 3)
  await workers.end(killed, 'SIGKILL')
  const hosts = [...portal.settings.agencyHosts]
  portal.settings.agencyHosts.splice(0, hosts.length, 'nobody.example')
  const next = workers.start()
  portal.settings.agencyHosts.splice(0, 1, ...hosts)
  await progress(id, ({ round }) => round?.unknown === 3, 20_000)
  await workers.end(next, 'SIGTERM')
  await agency.set({ latency_ms: 0 })
  const last = workers.start()
  await settled(id)
  expect([...(await movedFor(id)).values()]).toEqual([1, 1, 1])
  await workers.end(last, 'SIGTERM')
})

test('administrators get one mail when an agency fails at everything, and no next round is made', {
  timeout: 90_000,
}, async () => {
  const failing = workers.start()
  await portal.owner.query(
    `update transfer_agencies set details = details || '{"progress_minutes": 0.05}' where id = $1`,
    [second],
  )
  await other.set({ hostile: [{ mode: 'error_unpaid' }] })
  // Two rounds over 60 days, the second one due today.
  const id = await imported('Failing', honest(8), { transfer_agency_id: second, to: dayFromNow(59) })
  await approve(id)
  const stalled = await progress(id, (now) => now.not_progressing_since !== null, 40_000)
  expect(stalled).toMatchObject({
    status: 'approved',
    round: { unknown: 8, success: 0, executed_at: null, percent: 0 },
  })
  await portal.owner.query(
    "update transfer_rounds set due_on = (now() at time zone 'utc')::date where cohort_id = $1",
    [id],
  )
  const notifications = (await approver.get('/notifications')).body.notifications.data
  expect(notifications[0].text).toContain('Payments by Second agency are not progressing')
  const letters = async () =>
    (
      await portal.owner.query(
        "select recipient from mails where subject = 'Payments by Second agency are not progressing' or subject = 'Les paiements par Second agency n’avancent pas'",
      )
    ).rows.map(({ recipient }) => recipient)
  const first = await letters()
  expect(first).toContain(approver.user.email)
  expect(new Set(first).size).toBe(first.length)
  const plan = async () =>
    (await cohort(id)).rounds.map(({ n, state }: { n: number; state: string }) => `${n} ${state}`)
  // Paying a whole cohort at another agency shows that the worker has looked for due rounds meanwhile.
  const elsewhere = await imported('Meanwhile', honest(1))
  await approve(elsewhere)
  await settled(elsewhere)
  expect(await plan()).toEqual(['1 made', '2 scheduled'])
  expect(await letters()).toEqual(first)
  // The approver resumes, and the agency behaves again.
  expect((await approver.post(`/admin/transfers/cohorts/${id}/rounds/2/start`)).status).toBe(200)
  await other.set({ hostile: [] })
  const done = await progress(
    id,
    (now) => now.round.n === 2 && now.round.success === 8 && now.not_progressing_since === null,
    60_000,
  )
  expect(done.round.executed_at).not.toBeNull()
  await workers.end(failing, 'SIGTERM')
})
