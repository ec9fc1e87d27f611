import { sql } from 'kysely'
import pg from 'pg'
import { Pool } from 'undici'
import type { Db } from '../api/src/kit/database/db.ts'
import { listSchools } from '../api/src/registers/schools.service.ts'
import { addPeople } from '../api/test/people.ts'
import { type Figure, median, percent } from './figures.ts'
import { cpuMs, cpuMsWithChildren } from './process-use.ts'
import { onStage } from './stage.ts'
import { signInAdministrator } from './visitor.ts'

const aim = 0.45
const atOnce = 16
const blocks = 5
const blockMs = 1500
const schools = 200

type Statement = { name?: string; text: string; values: unknown[] }

/** Calls per second of the list route, with session checks, compared with the bare driver running the same SQL. */
export function measureLists(scale: number): Promise<Figure[]> {
  return onStage(async ({ context, agency, startApi, vacuum, pids: pidsOf }) => {
    const { db, settings } = context
    await addPeople(db, Math.round(15_000 * scale), agency.url)
    await sql`
      insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
      select 'École ' || n, 'KYS-' || lpad(n::text, 4, '0'), 'primary', c.id, '2026-2027' from caps c, generate_series(2, ${schools}::int) n
    `.execute(db)
    await sql`update students set school_id = (select min(id) from schools) + id % ${schools}`.execute(db)
    await vacuum()
    const statement = await statementOf(db)
    const origin = await startApi()
    const visitor = await signInAdministrator(context, origin)
    const http = new Pool(origin, { connections: atOnce })
    const driver = new pg.Pool({ connectionString: settings.databaseUrl, max: atOnce })
    const route = async () => {
      const { statusCode, body } = await http.request({
        method: 'GET',
        path: '/api/admin/schools/list',
        headers: { ...visitor.headers, 'accept-encoding': 'gzip, br' },
      })
      await body.dump()
      if (statusCode !== 200) throw new Error(`The list answered ${statusCode}`)
    }
    const named = () => driver.query(statement)
    const { text, values } = statement
    const unnamed = () => driver.query({ text, values })
    const rates = { route: [] as number[], named: [] as number[], unnamed: [] as number[] }
    const pids = pidsOf()
    const costs = { route: costOf(pids), named: costOf(pids) }
    for (const work of [route, named, unnamed]) await rateOf(work, blockMs)
    for (let n = 0; n < blocks; n++) {
      rates.route.push(await costs.route.during(() => rateOf(route, blockMs), blockMs))
      rates.named.push(await costs.named.during(() => rateOf(named, blockMs), blockMs))
      rates.unnamed.push(await rateOf(unnamed, blockMs))
    }
    await http.close()
    await driver.end()
    const [routed, prepared, plain] = [median(rates.route), median(rates.named), median(rates.unnamed)]
    const [called, queried] = [costs.route.each(), costs.named.each()]
    return [
      {
        figure: `List of schools over HTTP, ${atOnce} at once, against the bare driver with its SQL`,
        measured: `${percent(routed / prepared)} of the driver's prepared queries (${Math.round(routed)}/s of ${Math.round(prepared)}/s; ${percent(routed / plain)} of ${Math.round(plain)}/s unprepared). A call takes ${called.api.toFixed(2)} ms of the api's processor time and ${called.database.toFixed(2)} of the database's, a prepared query ${queried.database.toFixed(2)}`,
        aim: `≥ ${percent(aim)}`,
        holds: routed / prepared >= aim,
        command: 'npm run bench -- lists',
      },
    ]
  })
}

/** The statement that the route sends for its first page. */
async function statementOf(db: Db): Promise<Statement> {
  const seen: Statement[] = []
  const query = (statement: Statement) => {
    seen.push(statement)
    return db.pool.query(statement)
  }
  await listSchools({ pool: { query }, getExecutor: () => db.getExecutor() } as unknown as Db, {
    page: 1,
    per_page: 15,
    search: '',
  })
  const [statement] = seen
  if (!statement || seen.length !== 1) throw new Error(`The list of schools takes ${seen.length} statements`)
  return statement
}

/** Sums the processor time of api and database while something runs, which other programs of the machine do not disturb. */
function costOf(pids: { api: number; database: number }) {
  let [api, database, runs] = [0, 0, 0]
  return {
    async during(measure: () => Promise<number>, ms: number): Promise<number> {
      const before = { api: cpuMs(pids.api), database: cpuMsWithChildren(pids.database) }
      const rate = await measure()
      api += cpuMs(pids.api) - before.api
      database += cpuMsWithChildren(pids.database) - before.database
      runs += (rate * ms) / 1000
      return rate
    },
    /** Milliseconds for each run. */
    each: () => ({ api: api / runs, database: database / runs }),
  }
}

/** Runs something again and again with `atOnce` at a time. Returns how often it ran per second. */
async function rateOf(work: () => Promise<unknown>, ms: number): Promise<number> {
  let done = 0
  const began = performance.now()
  const one = async () => {
    while (performance.now() - began < ms) {
      await work()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return done / ((performance.now() - began) / 1000)
}
