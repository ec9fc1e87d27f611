import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Pool } from 'undici'
import { addPeople, addRound } from '../api/test/people.ts'
import { type Figure, median, percent } from './figures.ts'
import { uploadList } from './import.ts'
import { type Habit, habits, openSessions } from './load-people.ts'
import { cpuMs, cpuMsWithChildren, residentMib } from './process-use.ts'
import { inWords, quantiles } from './sampler.ts'
import { closeAtEnd, onStage } from './stage.ts'
import { targetListFile } from './target-list.ts'
import { signInAdministrator, type Visitor } from './visitor.ts'

const aims = { perSecond: 1000, p99Ms: 150, apiMs: 0.7, databaseMs: 1.0, ofBare: 0.35, growth: 0.1 }
const atOnce = 64
const blocks = 5
const blockMs = 3000

/** Durations in ms of the answered calls of a habit, and what the others were answered. */
type Tally = { times: number[]; errors: string[] }

/**
 * 500 people at work for some minutes, while a round is paid and a list is imported; then the same reads as fast as they
 * are answered, against a bare Fastify that answers as many bytes.
 */
export function measureLoad(scale: number, minutes: number): Promise<Figure[]> {
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
    const all = habits(cohort, administrator)
    const people = all.reduce((sum, one) => sum + one.people, 0)
    const visitors = await openSessions(context, visitor, administrator, people)
    const http = new Pool(origin, { connections: atOnce })
    const stopWorker = await startWorker()
    const pids = stage.pids()

    const memory = { api: [] as number[], worker: [] as number[] }
    const sampler = setInterval(() => {
      memory.api.push(residentMib(pids.api))
      memory.worker.push(residentMib(pids.worker))
    }, 1000)
    await uploadList(visitor, targetListFile(Math.round(15_000 * scale)), 1)
    const began = performance.now()
    const tallies = await work(http, all, visitors, minutes * 60_000)
    const perSecond = callsOf(tallies) / ((performance.now() - began) / 1000)
    clearInterval(sampler)
    await stopWorker()

    const reads = all.filter(({ send, poll }) => !send && !poll)
    const full = await atFullSpeed(http, reads, visitors, pids)
    const first = visitors[0] ?? visitor
    const list = () => call(http, first, '/admin/schools/list')
    const { lists, bare } = await besideBare(await bodyOf(first, '/admin/schools/list'), list)
    await http.close()
    return figuresOf({ tallies, perSecond, memory, full, ofBare: lists / bare, lists, bare, people, minutes })
  })
}

const callsOf = (tallies: Map<string, Tally>) =>
  [...tallies.values()].reduce((sum, { times, errors }) => sum + times.length + errors.length, 0)

/** Lets each person do what she does, again and again. The first calls are spread, so that they do not come in step. */
async function work(http: Pool, all: Habit[], visitors: Visitor[], ms: number) {
  const tallies = new Map<string, Tally>(all.map(({ name }) => [name, { times: [], errors: [] }]))
  const end = performance.now() + ms
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
          if (answer.status < 400) tally.times.push(performance.now() - started)
          else tally.errors.push(String(answer.status))
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
      for (let n = 0; n < blocks; n++) {
        rates.lists.push(await rateOf(list, blockMs / 2))
        rates.bare.push(await rateOf(answer, blockMs / 2))
      }
      await http.close()
      return { lists: median(rates.lists), bare: median(rates.bare) }
    },
  )
}

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

/** Medians of the first, middle and last third of the samples, and by how much the last is above the middle one. */
function byThirds(samples: readonly number[]) {
  const size = Math.max(1, Math.floor(samples.length / 3))
  const thirds = [samples.slice(0, size), samples.slice(size, -size), samples.slice(-size)].map(median)
  const [, middle = 0, last = 0] = thirds
  return { thirds, growth: last / middle - 1 }
}

type Pids = { api: number; database: number }
type Measured = {
  tallies: Map<string, Tally>
  perSecond: number
  memory: Record<'api' | 'worker', number[]>
  full: Awaited<ReturnType<typeof atFullSpeed>>
  ofBare: number
  lists: number
  bare: number
  people: number
  minutes: number
}

function figuresOf({
  tallies,
  perSecond,
  memory,
  full,
  ofBare,
  lists,
  bare,
  people,
  minutes,
}: Measured): Figure[] {
  const command = `npm run bench:load${minutes === 3 ? '' : ` -- --minutes ${minutes}`}`
  const figure = (name: string, measured: string, aim = '', holds: boolean | null = null): Figure => ({
    figure: `Load: ${name}`,
    measured,
    aim,
    holds,
    command,
  })
  const errors = [...tallies].flatMap(([name, { errors }]) => errors.map((status) => `${name} ${status}`))
  return [
    ...[...tallies].map(([name, { times }]) => {
      const each = quantiles(times)
      return figure(
        `${name}, ${people} people`,
        inWords(each),
        `p99 ≤ ${aims.p99Ms} ms`,
        each.p99 <= aims.p99Ms,
      )
    }),
    figure(
      `errors of ${people} people in ${minutes} minutes`,
      `${errors.length} of ${callsOf(tallies)} calls (${perSecond.toFixed(0)}/s)${errors.length ? `: ${[...new Set(errors)].join(', ')}` : ''}`,
      'none',
      errors.length === 0,
    ),
    ...(['api', 'worker'] as const).map((role) => {
      const { thirds, growth } = byThirds(memory[role])
      const most = Math.max(...memory[role])
      return figure(
        `memory of the ${role} over ${minutes} minutes`,
        `${thirds.map((mib) => mib.toFixed(0)).join(', ')} MiB in each third (${percent(growth)} more in the last), ${most.toFixed(0)} MiB at most`,
        // Caches and the heap have their size after the first third.
        `last third ≤ ${percent(1 + aims.growth)} of the middle one`,
        growth <= aims.growth,
      )
    }),
    figure(
      `lists and searches, ${atOnce} at once`,
      `${full.rate.toFixed(0)}/s, ${inWords(full.times)}, ${full.errors} errors`,
      `≥ ${aims.perSecond}/s, p99 ≤ ${aims.p99Ms} ms`,
      full.rate >= aims.perSecond && full.times.p99 <= aims.p99Ms && full.errors === 0,
    ),
    figure(
      'processor time of the api for a call',
      `${full.apiMs.toFixed(2)} ms`,
      `≤ ${aims.apiMs} ms`,
      full.apiMs <= aims.apiMs,
    ),
    figure(
      'processor time of the database for a call',
      `${full.databaseMs.toFixed(2)} ms`,
      `≤ ${aims.databaseMs} ms`,
      full.databaseMs <= aims.databaseMs,
    ),
    figure(
      'list of schools against a bare Fastify that answers as much',
      `${percent(ofBare)} (${lists.toFixed(0)}/s of ${bare.toFixed(0)}/s)`,
      `≥ ${percent(aims.ofBare)}`,
      ofBare >= aims.ofBare,
    ),
  ]
}
