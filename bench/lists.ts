import { sql } from 'kysely'
import pg from 'pg'
import { Pool } from 'undici'
import type { Db } from '../api/src/kit/db.ts'
import { listSchools } from '../api/src/registers/schools.service.ts'
import { addPeople } from '../api/test/people.ts'
import { type Figure, median, percent } from './figures.ts'
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
  return onStage(async ({ context, agency, startApi, vacuum }) => {
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
    for (const work of [route, named, unnamed]) await rateOf(work, blockMs)
    for (let n = 0; n < blocks; n++) {
      rates.route.push(await rateOf(route, blockMs))
      rates.named.push(await rateOf(named, blockMs))
      rates.unnamed.push(await rateOf(unnamed, blockMs))
    }
    await http.close()
    await driver.end()
    const [routed, prepared, plain] = [median(rates.route), median(rates.named), median(rates.unnamed)]
    return [
      {
        figure: `List of schools over HTTP, ${atOnce} at once, against the bare driver with its SQL`,
        measured: `${percent(routed / prepared)} of the driver's prepared queries (${Math.round(routed)}/s of ${Math.round(prepared)}/s; ${percent(routed / plain)} of ${Math.round(plain)}/s unprepared)`,
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
