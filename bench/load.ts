import { fork } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Pool } from 'undici'
import { addPeople, addRound } from '../api/test/people.ts'
import { type Figure, median } from './figures.ts'
import { uploadList } from './import.ts'
import { commitAgain } from './load-commits.ts'
import { coldSeconds, figuresOf, type Tally } from './load-figures.ts'
import { addColleagues, everybody, type Habit, habits, openSessions } from './load-people.ts'
import { cpuMs, cpuMsWithChildren, letPeopleFirst, residentMib } from './process-use.ts'
import { quantiles } from './sampler.ts'
import { closeAtEnd, onStage } from './stage.ts'
import { targetListFile } from './target-list.ts'
import { signInAdministrator, type Visitor } from './visitor.ts'

const atOnce = 64
const blocks = 5
const blockMs = 3000

/**
 * People at work for some minutes, while a round is paid and a list is imported. All 500 of them also read as fast as they
 * are answered, against a bare Fastify that answers as many bytes; fewer leave the machine to others, and that part out.
 */
export function measureLoad(scale: number, minutes: number, wanted: number): Promise<Figure[]> {
  return onStage(async (stage) => {
    const { context, agency, startApi, startWorker } = stage
    const { officer } = await addPeople(context.db, Math.round(15_000 * scale), agency.url)
    await sql`
      insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
      select 'École ' || n, 'KYS-' || lpad(n::text, 4, '0'), 'primary', c.id, '2026-2027' from caps c, generate_series(2, 200) n
    `.execute(context.db)
    const { cohort } = await addRound(context.db, officer, Math.round(15_000 * scale), 'Load')
    await stage.vacuum()
    const origin = await startApi()
    const visitor = await signInAdministrator(context, origin)
    const { rows } = await sql<{ id: number }>`
      select id from users where email = 'bench@portal.example'`.execute(context.db)
    const administrator = Number(rows[0]?.id)
    const all = habits(cohort, await addColleagues(context), wanted)
    const people = all.reduce((sum, one) => sum + one.people, 0)
    const visitors = await openSessions(context, visitor, administrator, people)
    const http = new Pool(origin, { connections: atOnce })
    const stopWorker = await startWorker()
    const pids = stage.pids()
    letPeopleFirst(pids.worker)

    const samples = { api: [] as number[], worker: [] as number[], load: [] as number[] }
    const sampler = setInterval(() => {
      samples.api.push(residentMib(pids.api))
      samples.worker.push(residentMib(pids.worker))
      samples.load.push(loadavg()[0] ?? 0)
    }, 1000)
    await uploadList(visitor, targetListFile(Math.round(15_000 * scale)), 1)
    const commits = await commitAgain(stage.ownerUrl)
    const began = performance.now()
    const tallies = await work(http, all, visitors, minutes * 60_000)
    const perSecond = callsOf(tallies) / ((performance.now() - began) / 1000)
    clearInterval(sampler)
    const bareCommits = await commits.end()
    await stopWorker()

    const speed = wanted === everybody ? await speedOf(http, all, visitors, pids) : undefined
    await http.close()
    return figuresOf({ tallies, bareCommits, perSecond, samples, speed, people, wanted, minutes })
  })
}

/** What the portal can do at most, with the list of schools beside a bare Fastify that answers its body. */
async function speedOf(http: Pool, all: Habit[], visitors: Visitor[], pids: Pids) {
  const reads = all.filter(({ send, poll }) => !send && !poll)
  const full = await atFullSpeed(http, reads, visitors, pids)
  const first = visitors[0] as Visitor
  const list = () => call(http, first, '/admin/schools/list')
  return { full, ...(await besideBare(await bodyOf(first, '/admin/schools/list'), list)) }
}

const callsOf = (tallies: Map<string, Tally>) =>
  [...tallies.values()].reduce((sum, { times, errors }) => sum + times.length + errors.length, 0)

/** Lets each person do what she does, again and again. The first calls are spread, so that they do not come in step. */
async function work(http: Pool, all: Habit[], visitors: Visitor[], ms: number) {
  const tallies = new Map<string, Tally>(all.map(({ name }) => [name, { times: [], later: [], errors: [] }]))
  const began = performance.now()
  const end = began + ms
  let next = 0
  await Promise.all(
    all.flatMap((habit) =>
      Array.from({ length: habit.people }, async (_, n) => {
        const visitor = visitors[next++] as Visitor
        const tally = tallies.get(habit.name) as Tally
        let etag = ''
        await pause((habit.everyMs * n) / habit.people)
        for (let count = n; performance.now() < end; count++) {
          const started = performance.now()
          const sent = habit.send?.(count)
          const answer = await call(http, visitor, habit.path(count), sent, habit.poll ? etag : undefined)
          const took = performance.now() - started
          if (answer.status < 400) {
            tally.times.push(took)
            if (started - began > coldSeconds * 1000) tally.later.push(took)
          } else tally.errors.push(String(answer.status))
          etag = answer.etag
          const now = performance.now()
          await pause(Math.max(0, Math.min(started + habit.everyMs, end) - now))
        }
      }),
    ),
  )
  return tallies
}

/** Makes one call and reads its answer to the end. */
async function call(
  http: Pool,
  { headers }: Visitor,
  path: string,
  sent?: { method: 'PUT' | 'POST'; body: object },
  etag?: string,
) {
  const answer = await http.request({
    method: sent?.method ?? 'GET',
    path: `/api${path}`,
    headers: {
      ...headers,
      ...(sent && { 'content-type': 'application/json' }),
      ...(etag !== undefined && { 'x-poll': '1' }),
      ...(etag && { 'if-none-match': etag }),
    },
    ...(sent && { body: JSON.stringify(sent.body) }),
  })
  await answer.body.dump()
  return { status: answer.statusCode, etag: String(answer.headers.etag ?? '') }
}

async function bodyOf({ url, headers }: Visitor, path: string): Promise<string> {
  const answer = await fetch(url + path, { headers })
  return answer.text()
}

/** Reads of lists as fast as they are answered: how many a second, and the processor time of api and database for each. */
async function atFullSpeed(http: Pool, reads: Habit[], visitors: Visitor[], pids: Pids) {
  const times: number[] = []
  const before = { api: cpuMs(pids.api), database: cpuMsWithChildren(pids.database) }
  let n = 0
  let errors = 0
  const rate = await rateOf(async () => {
    const habit = reads[n % reads.length] as Habit
    const visitor = visitors[n % visitors.length] as Visitor
    const began = performance.now()
    const { status } = await call(http, visitor, habit.path(n++))
    if (status === 200) times.push(performance.now() - began)
    else errors++
  }, blocks * blockMs)
  return {
    rate,
    errors,
    times: quantiles(times),
    apiMs: (cpuMs(pids.api) - before.api) / n,
    databaseMs: (cpuMsWithChildren(pids.database) - before.database) / n,
  }
}

/** Calls per second of a list, and of a Fastify that answers its body and does nothing else, in turns. */
async function besideBare(body: string, list: () => Promise<unknown>) {
  const child = fork(join(import.meta.dirname, 'bare.ts'), { env: { ...process.env, BENCH_BODY: body } })
  return closeAtEnd(
    async () => void child.kill(),
    async () => {
      const [origin] = (await once(child, 'message')) as [string]
      const http = new Pool(origin, { connections: atOnce })
      const answer = async () => (await http.request({ method: 'GET', path: '/' })).body.dump()
      const rates = { lists: [] as number[], bare: [] as number[] }
      let bareCpu = 0
      let bareCalls = 0
      for (let n = 0; n < blocks; n++) {
        rates.lists.push(await rateOf(list, blockMs / 2))
        const before = cpuMs(child.pid ?? 0)
        const rate = await rateOf(answer, blockMs / 2)
        bareCpu += cpuMs(child.pid ?? 0) - before
        bareCalls += (rate * blockMs) / 2000
        rates.bare.push(rate)
      }
      await http.close()
      return { lists: median(rates.lists), bare: median(rates.bare), bareMs: bareCpu / bareCalls }
    },
  )
}

type Pids = { api: number; database: number }

async function rateOf(one: () => Promise<unknown>, ms: number): Promise<number> {
  let done = 0
  const began = performance.now()
  const again = async () => {
    while (performance.now() - began < ms) {
      await one()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, again))
  return done / ((performance.now() - began) / 1000)
}
