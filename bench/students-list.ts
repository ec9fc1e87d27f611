import pg from 'pg'
import { Pool } from 'undici'
import type { Db } from '../api/src/kit/database/db.ts'
import type { Actor } from '../api/src/kit/http/session.ts'
import { listStudents } from '../api/src/registers/students.service.ts'
import { type Figure, median, percent } from './figures.ts'
import { addSchools, addStudents, sendStudents, studentsFile } from './nation.ts'
import { onStage } from './stage.ts'
import { state } from './students-import.ts'
import { signInAdministrator } from './visitor.ts'

const aim = 0.45
const calls = 150
const schools = 1500

type Statement = { text: string; values: unknown[] }
type Query = { page: number; per_page: number; search: string; sort?: 'last_name' | '-last_name' }

/** The list of students at national scale, compared with the bare driver running the same statements, and during an import. */
export function measureStudentsList(scale: number): Promise<Figure[]> {
  const count = Math.round(150_000 * scale)
  return onStage(async ({ context, startApi, startWorker, vacuum }) => {
    const { db, settings } = context
    await addSchools(db, schools)
    await addStudents(db, count)
    await vacuum()
    const origin = await startApi()
    const visitor = await signInAdministrator(context, origin)
    const http = new Pool(origin, { connections: 1 })
    const driver = new pg.Pool({ connectionString: settings.databaseUrl, max: 1 })
    const route = async ({ page, search }: Query) => {
      const { statusCode, body } = await http.request({
        method: 'GET',
        path: `/api/admin/schools/students/list?page=${page}&search=${encodeURIComponent(search)}`,
        headers: visitor.headers,
      })
      await body.dump()
      if (statusCode !== 200) throw new Error(`The list answered ${statusCode}`)
    }
    const last = Math.ceil(count / 15)
    const cases: [string, Query][] = [
      ['first page', { page: 1, per_page: 15, search: '' }],
      ['page in the middle', { page: Math.round(last / 2), per_page: 15, search: '' }],
      ['last page', { page: last, per_page: 15, search: '' }],
      ['search of a family', { page: 1, per_page: 15, search: 'dembele 1402' }],
      ['search of a tenth', { page: 1, per_page: 15, search: 'kadiatou' }],
    ]
    const figures: Figure[] = []
    for (const [name, query] of cases) {
      const statements = await statementsOf(db, query)
      const floor = () => runAll(driver, statements)
      const routed = () => route(query)
      for (let n = 0; n < 10; n++) await floor().then(routed)
      const times = { floor: [] as number[], route: [] as number[] }
      for (let n = 0; n < calls; n++) {
        times.floor.push(await timed(floor))
        times.route.push(await timed(routed))
      }
      const [bare, ms] = [median(times.floor), median(times.route)]
      figures.push({
        figure: `List of ${count.toLocaleString('en-US')} students, ${name}, against the bare driver`,
        measured: `${percent(bare / ms)} of its speed (${ms.toFixed(1)} ms of ${bare.toFixed(1)} ms, medians of ${calls})`,
        aim: `≥ ${percent(aim)}`,
        holds: bare / ms >= aim,
        command: 'npm run bench -- students-list',
      })
    }
    const stop = await startWorker()
    figures.push(await whileImporting(db, () => route({ page: 1, per_page: 15, search: '' }), visitor, scale))
    await stop()
    await http.close()
    await driver.end()
    return figures
  })
}

/** The 99th percentile of the call's duration while 15,000 rows are imported, compared with an idle portal. */
async function whileImporting(
  db: Db,
  call: () => Promise<void>,
  visitor: Parameters<typeof sendStudents>[0],
  scale: number,
): Promise<Figure> {
  const rows = Math.round(15_000 * scale)
  const idle: number[] = []
  for (let n = 0; n < 600; n++) idle.push(await timed(call))
  const busy: number[] = []
  const id = await sendStudents(visitor, studentsFile(rows, schools), false)
  let over = false
  const end = state(db, id, 'imported').then(() => {
    over = true
  })
  while (!over) busy.push(await timed(call))
  await end
  const ratio = p99(busy) / p99(idle)
  return {
    figure: `p99 of the list of students while ${rows.toLocaleString('en-US')} students are imported`,
    measured: `${ratio.toFixed(2)} × idle (${p99(busy).toFixed(1)} ms of ${busy.length} calls / ${p99(idle).toFixed(1)} ms of ${idle.length})`,
    aim: '≤ 2 ×',
    holds: ratio <= 2,
    command: 'npm run bench -- students-list',
  }
}

const p99 = (times: number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN

/** The statements that the route sends for a page. */
async function statementsOf(db: Db, query: Query): Promise<Statement[]> {
  const seen: Statement[] = []
  const watched = {
    getExecutor: () => db.getExecutor(),
    pool: {
      query: (statement: Statement) => {
        seen.push(statement)
        return db.pool.query(statement)
      },
    },
  }
  await listStudents(watched as unknown as Db, { can: () => true } as unknown as Actor, query)
  return seen.map(({ text, values }) => ({ text, values }))
}

async function runAll(driver: pg.Pool, statements: Statement[]) {
  for (const [at, statement] of statements.entries())
    await driver.query({ name: `s${at}${statement.text.length}`, ...statement })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
