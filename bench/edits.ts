import { sql } from 'kysely'
import { addPeople } from '../api/test/people.ts'
import { type Figure, median } from './figures.ts'
import { uploadList } from './import.ts'
import { onStage } from './stage.ts'
import { targetListFile } from './target-list.ts'
import { signInAdministrator, type Visitor } from './visitor.ts'

const aim = 0.5
const idleMs = 3000

/**
 * Audited edits per second of one person while a list is imported, compared with an idle portal. No request waits for
 * the hash chain: a worker links the rows afterwards, at most a second later (Access 6.4).
 */
export function measureEdits(scale: number): Promise<Figure[]> {
  const rows = Math.round(15_000 * scale)
  return onStage(async (stage) => {
    const { db } = stage.context
    await addPeople(db, rows, stage.agency.url)
    const visitor = await signInAdministrator(stage.context, await stage.startApi())
    await stage.startWorker()
    const found = await sql<{ id: number }>`
      select id from users where email = 'bench@portal.example'`.execute(db)
    const edit = editor(visitor, Number(found.rows[0]?.id))
    const until = performance.now() + idleMs * scale
    const idle = await editsPerSecond(edit, async () => performance.now() < until)
    const { task } = await uploadList(visitor, targetListFile(rows), 1)
    const lags: number[] = []
    const busy = await editsPerSecond(edit, async () => {
      lags.push(await unlinkedFor(db))
      const { rows: state } = await sql<{ state: string }>`
        select state from imports where id = ${task}`.execute(db)
      return state[0]?.state !== 'imported'
    })
    return [
      {
        figure: `Audited edits while ${rows.toLocaleString('en-US')} rows are imported`,
        measured: `${(busy / idle).toFixed(2)} × idle (${busy.toFixed(0)} / ${idle.toFixed(0)} a second, one person; the chain ${median(lags).toFixed(2)} s behind, ${Math.max(...lags).toFixed(2)} s at most)`,
        aim: `≥ ${aim} ×`,
        holds: busy / idle >= aim,
        command: 'npm run bench -- edits',
      },
    ]
  })
}

/** Age in seconds of the oldest audit row that is not linked yet. */
async function unlinkedFor(db: Parameters<typeof addPeople>[0]): Promise<number> {
  const { rows } = await sql<{ behind: number }>`
    select coalesce(extract(epoch from now() - min(a.created_at)), 0)::float as behind
    from audits a where not exists (select from audit_links l where l.audit_id = a.id)`.execute(db)
  return rows[0]?.behind ?? 0
}

function editor({ url, headers }: Visitor, id: number) {
  let n = 0
  return async () => {
    const answer = await fetch(`${url}/users/profile/update/${id}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ first_name: `Awa ${++n}`, last_name: 'Bench' }),
    })
    if (!answer.ok) throw new Error(`The edit answered ${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
  }
}

async function editsPerSecond(edit: () => Promise<void>, goesOn: () => Promise<boolean>): Promise<number> {
  let edits = 0
  let spent = 0
  while (await goesOn()) {
    const began = performance.now()
    for (let n = 0; n < 10; n++) await edit()
    spent += performance.now() - began
    edits += 10
  }
  return edits / (spent / 1000)
}
