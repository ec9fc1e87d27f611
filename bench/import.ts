import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { addPeople } from '../api/test/people.ts'
import { type Figure, median, seconds } from './figures.ts'
import { onStage } from './stage.ts'
import { targetListFile } from './target-list.ts'
import { signInAdministrator, type Visitor } from './visitor.ts'

const aim = 4
const times = 3

/** Time from the upload call to `imported`, compared with a bare `unnest` insert of the same rows. */
export function measureImport(scale: number): Promise<Figure[]> {
  const count = Math.round(15_000 * scale)
  return onStage(async (stage) => {
    await addPeople(stage.context.db, count, stage.agency.url)
    const visitor = await signInAdministrator(stage.context, await stage.startApi())
    await stage.startWorker()
    const file = targetListFile(count)
    const owner = new pg.Client({ connectionString: stage.ownerUrl })
    await owner.connect()
    try {
      // The lower limit of any import: an insert with the same columns, checks, generated columns and indexes. The second
      // insert has the foreign keys as well.
      await makeFloor(owner)
      await owner.query('create table bench_bare (like transfer_master_list including all)')
      const imports: number[] = []
      const floors: number[] = []
      const bare: number[] = []
      for (let n = 1; n <= times; n++) {
        const { ms, cohort } = await importOnce(owner, visitor, file, n, count)
        imports.push(ms)
        floors.push(await insertBare(owner, 'bench_floor', cohort, count))
        bare.push(await insertBare(owner, 'bench_bare', cohort, count))
      }
      const ratio = median(imports) / median(floors)
      return [
        {
          figure: `Import of ${count.toLocaleString('en-US')} rows, from the upload call to imported`,
          measured: `${ratio.toFixed(2)} × a bare unnest insert into a table of the same shape (${seconds(median(imports))} / ${seconds(median(floors))}, medians of ${times}; ${(median(imports) / median(bare)).toFixed(2)} × one without foreign keys)`,
          aim: `≤ ${aim} ×`,
          holds: ratio <= aim,
          command: 'npm run bench -- import',
        },
      ]
    } finally {
      await owner.end()
    }
  })
}

/** Makes a table of the shape of the master list, with its foreign keys. */
export async function makeFloor(owner: pg.Client) {
  await owner.query('create table bench_floor (like transfer_master_list including all)')
  await owner.query(`alter table bench_floor add foreign key (cohort_id) references transfer_cohorts,
    add foreign key (student_id) references students`)
}

/** Uploads a target list and waits until it is imported. */
export async function importOnce(owner: pg.Client, visitor: Visitor, file: File, n: number, count: number) {
  const began = performance.now()
  const { cohort, task } = await uploadList(visitor, file, n)
  for (;;) {
    const { rows } = await owner.query('select state, rows_new, problem from imports where id = $1', [task])
    if (rows[0].state === 'imported' && rows[0].rows_new === count) break
    if (['imported', 'failed', 'cancelled'].includes(rows[0].state))
      throw new Error(`Import: ${JSON.stringify(rows[0])}`)
    await pause(5)
  }
  return { ms: performance.now() - began, cohort }
}

/** Uploads a target list as the `n`th cohort. Returns the ids of cohort and import. */
export async function uploadList(
  { url, headers }: Visitor,
  file: File,
  n: number,
): Promise<{ cohort: number; task: number }> {
  const form = new FormData()
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  const fields = { name: `Bench ${n}`, description: 'Bench', from: day(0), to: day(27) }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('transfer_agency_id', '1')
  form.append('transfer_parameter_id', '1')
  form.append('target_list_file', file)
  const answer = await fetch(`${url}/admin/transfers/cohorts/import`, { method: 'POST', headers, body: form })
  const { cohort, import: task } = (await answer.json()) as {
    cohort?: { id: number }
    import?: { id: number }
  }
  if (!cohort || !task) throw new Error(`The upload answered ${answer.status}`)
  return { cohort: cohort.id, task: task.id }
}

const columns = [
  ['row', 'int'],
  ['receiver_first_name', 'text'],
  ['receiver_last_name', 'text'],
  ['receiver_phone_number', 'text'],
  ['student_id', 'bigint'],
  ['student_code', 'text'],
  ['amount', 'bigint'],
  ['fees', 'bigint'],
] as const

/** Inserts the rows of the import a second time, in one statement. */
export async function insertBare(
  owner: pg.Client,
  table: string,
  cohort: number,
  count: number,
): Promise<number> {
  const names = columns.map(([name]) => `"${name}"`).join(', ')
  const { rows } = await owner.query(
    `select ${names} from transfer_master_list where cohort_id = $1 order by id`,
    [cohort],
  )
  const values = columns.map(([name]) => rows.map((row) => row[name]))
  const arrays = columns.map(([, type], index) => `$${index + 2}::${type}[]`).join(', ')
  const began = performance.now()
  const { rowCount } = await owner.query(
    `insert into ${table} (cohort_id, ${names}) select $1, * from unnest(${arrays})`,
    [cohort, ...values],
  )
  const ms = performance.now() - began
  if (rowCount !== count) throw new Error(`The floor has ${rowCount} of ${count} rows`)
  return ms
}
