import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cohortForm, dayFromNow, headings, listOf, recipient, sheetFile, startStage } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { mortalWorkers } from '../../workers.ts'

const stage = await startStage(20_000)
const { portal, officer, approver, upload } = stage
const workers = mortalWorkers(portal.settings)
const count = async (what: string) =>
  (await portal.owner.query(`select count(*) as n from ${what}`)).rows[0].n

/** Files of uploads in progress. */
const arriving = () => readdirSync(join(portal.settings.dataDir, 'files', 'temp')).length

test('an officer who double-clicks makes one cohort, and gets it in both responses', async () => {
  const file = listOf(3)
  const clicks = await Promise.all(Array.from({ length: 6 }, () => upload(file, { name: 'Double click' })))
  expect(clicks.map(({ status }) => status)).toEqual(clicks.map(() => 200))
  expect(new Set(clicks.map(({ body }) => body.cohort.id)).size).toBe(1)
  expect(new Set(clicks.map(({ body }) => body.import.id)).size).toBe(1)
  const messages = clicks.map(({ body }) => body.message)
  expect(messages.filter((message) => message === 'Transfer cohort import initiated...')).toHaveLength(1)
  expect(
    messages.filter((message) => message.startsWith('This target list was uploaded before')),
  ).toHaveLength(5)
  expect(await count('transfer_cohorts')).toBe(1)
  expect(await count('imports')).toBe(1)
  expect(await count("pgboss.job where name = 'import'")).toBe(1)
  const other = await upload(file, { name: 'Another name' })
  expect(other.body.cohort.id).not.toBe(clicks[0]?.body.cohort.id)
})

test('an officer who uploads a list again after its period, or with an agency that is inactive by now, is led to its cohort', async () => {
  const over = { from: dayFromNow(-9), to: dayFromNow(-1) }
  const first = await upload(listOf(3), { name: 'Over by now' })
  await portal.owner.query('update transfer_cohorts set "from" = $2, "to" = $3 where id = $1', [
    first.body.cohort.id,
    over.from,
    over.to,
  ])
  const same = { status: 200, body: { cohort: first.body.cohort, import: first.body.import } }
  expect(await upload(listOf(3), { name: 'Over by now', ...over })).toMatchObject(same)
  const another = await upload(listOf(3), { name: 'Another one', ...over })
  expect(another).toMatchObject({ status: 422, body: { errors: { to: ['This period is already over.'] } } })
  const admin = await portal.signedInAs('Administrator')
  await admin.put('/admin/transfers/agency/1', { status: 'inactive' })
  expect(await upload(listOf(3), { name: 'Over by now', ...over })).toMatchObject(same)
  await admin.put('/admin/transfers/agency/1', { status: 'active' })
})

test('nobody sees a cohort in a list or can decide on it before its import has finished', async () => {
  const sent = await upload(listOf(2), { name: 'Not in yet' })
  const { id } = sent.body.cohort
  const listed = await officer.get('/admin/transfers/cohorts?search=not+in+yet')
  expect(listed.body.cohorts.total).toBe(0)
  expect((await officer.get('/admin/transfers/settings')).body.cohorts).toEqual([])
  const early = await stage.approve(id)
  expect(early).toMatchObject({
    status: 409,
    body: { message: 'The target list of this cohort is not imported yet.' },
  })
  const no = await approver.post(`/admin/transfers/cohorts/${id}/approve`, { action: 'rejected' })
  expect(no.status).toBe(409)
  expect((await approver.post('/admin/transfers/cohorts/export', { cohort_id: id })).status).toBe(404)
  const progress = await officer.get(`/admin/transfers/cohorts/${id}/progress`)
  expect(progress.body).toMatchObject({
    status: 'pending',
    round: null,
    import: { state: 'queued', rows_read: 0 },
  })
})

test('when an officer cancels an import, its cohort is deleted and the import stays; she cannot cancel it twice', async () => {
  const sent = await upload(listOf(4), { name: 'Cancelled' })
  const path = `/imports/${sent.body.import.id}`
  const cancelled = await officer.post(`${path}/cancel`)
  expect(cancelled).toMatchObject({
    status: 200,
    body: { message: 'The import was cancelled. Nothing was saved.' },
  })
  expect((await officer.get(path)).body.import.state).toBe('cancelled')
  expect((await officer.get(`/admin/transfers/cohorts/${sent.body.cohort.id}/summary`)).status).toBe(404)
  expect((await officer.post(`${path}/cancel`)).status).toBe(409)
  const again = await upload(listOf(4), { name: 'Cancelled' })
  expect(again.body.cohort.id).not.toBe(sent.body.cohort.id)
})

test('an officer who cancels an import whose worker was killed uploads the same list again and gets another cohort', async () => {
  const sent = await upload(listOf(4), { name: 'Nobody cleaned up' })
  const { id } = sent.body.import
  await portal.owner.query("update imports set state = 'importing' where id = $1", [id])
  expect((await officer.post(`/imports/${id}/cancel`)).status).toBe(200)
  expect(await count(`transfer_cohorts where import_id = ${id}`)).toBe(1)
  const again = await upload(listOf(4), { name: 'Nobody cleaned up' })
  expect(again).toMatchObject({ status: 200, body: { message: 'Transfer cohort import initiated...' } })
  expect(again.body.cohort.id).not.toBe(sent.body.cohort.id)
  expect(again.body.import.id).not.toBe(id)
  expect(await count(`transfer_cohorts where import_id = ${id}`)).toBe(0)
  expect((await officer.get(`/imports/${id}`)).body.import.state).toBe('cancelled')
  const once = await upload(listOf(4), { name: 'Nobody cleaned up' })
  expect(once.body.cohort.id).toBe(again.body.cohort.id)
})

test('only a person who may upload target lists sees their imports, files and rejected rows', async () => {
  const sent = await upload(listOf(5), { name: 'Whose import' })
  const { id } = sent.body.import
  for (const path of [
    `/imports/${id}`,
    `/imports/${id}/file`,
    `/imports/${id}/rejected.xlsx`,
    '/imports?kind=target-list',
  ]) {
    expect((await officer.get(path)).status, path).toBe(200)
    expect((await approver.get(path)).status, path).toBe(403)
  }
  expect((await approver.post(`/imports/${id}/cancel`)).status).toBe(403)
  expect((await officer.get('/imports/987654')).status).toBe(404)
  expect((await officer.get('/imports?kind=nonsense')).status).toBe(422)
})

test('an officer’s upload that is cut off leaves nothing behind, and the next one works', async () => {
  const base = new URL(await portal.listen())
  const before = [await count('transfer_cohorts'), await count('imports'), await count('files')]
  const form = new Response(
    Object.entries(cohortForm(listOf(200), { name: 'Cut off' })).reduce((form, [name, value]) => {
      form.append(name, value instanceof File ? value : String(value))
      return form
    }, new FormData()),
  )
  const body = Buffer.from(await form.arrayBuffer())
  const head = [
    `POST ${base.pathname}/admin/transfers/cohorts/import HTTP/1.1`,
    `host: ${base.host}`,
    'x-requested-with: XMLHttpRequest',
    'accept: application/json',
    `cookie: ${[...officer.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`,
    `x-xsrf-token: ${decodeURIComponent(officer.cookies.get('XSRF-TOKEN') ?? '')}`,
    `content-type: ${form.headers.get('content-type')}`,
    `content-length: ${body.length}`,
    '',
    '',
  ].join('\r\n')
  for (const share of [0.3, 0.9, 0.99]) {
    const socket = connect(Number(base.port), base.hostname)
    await once(socket, 'connect')
    socket.write(head)
    await new Promise<void>((resolve) =>
      socket.write(body.subarray(0, Math.floor(body.length * share)), () => resolve()),
    )
    await until(async () => share < 0.5 || arriving() > 0)
    socket.destroy()
    await once(socket, 'close')
    await until(async () => arriving() === 0)
  }
  expect([await count('transfer_cohorts'), await count('imports'), await count('files')]).toEqual(before)
  expect((await upload(listOf(200), { name: 'Cut off' })).status).toBe(200)
})

test('when a worker is killed during an officer’s import, the next worker completes it exactly once', {
  timeout: 180_000,
}, async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => recipient(n + 1))
  const sent = await upload(sheetFile([headings, ...rows]), { name: 'Killed' })
  const { id } = sent.body.import
  const states: string[] = []
  for (const wanted of ['reading', 'importing']) {
    const worker = workers.start()
    await until(async () => {
      const {
        rows: [now],
      } = await portal.owner.query('select state, rows_read from imports where id = $1', [id])
      return now.state === wanted && (wanted === 'importing' || now.rows_read > 0) && states.push(now.state)
    }, 40_000)
    await workers.end(worker, 'SIGKILL')
    expect(await count(`transfer_master_list where cohort_id = ${sent.body.cohort.id}`)).toBe(0)
  }
  const worker = workers.start()
  const done = await stage.ended(id)
  expect(done).toMatchObject({
    state: 'imported',
    rows_read: 20_000,
    rows_imported: 20_000,
    rows_rejected: 0,
  })
  await workers.end(worker, 'SIGTERM')
  expect(await count(`transfer_master_list where cohort_id = ${sent.body.cohort.id}`)).toBe(20_000)
  expect(await count(`audits where event = 'imported' and auditable_id = '${sent.body.cohort.id}'`)).toBe(1)
  const notifications = await officer.get('/notifications')
  expect(
    notifications.body.notifications.data.filter(({ text }: { text: string }) => text.includes('"Killed"')),
  ).toHaveLength(1)
})

test.each(['reading', 'importing'])(
  'an officer cancels an import during %s, and nothing of it remains',
  { timeout: 60_000 },
  async (wanted) => {
    const rows = Array.from({ length: 20_000 }, (_, n) => recipient(n + 1))
    const sent = await upload(sheetFile([headings, ...rows]), { name: `Cancelled while ${wanted}` })
    const { id } = sent.body.import
    const worker = workers.start()
    await until(async () => {
      const {
        rows: [now],
      } = await portal.owner.query('select state, rows_read from imports where id = $1', [id])
      return now.state === wanted && now.rows_read > 0
    }, 40_000)
    const cancelled = await officer.post(`/imports/${id}/cancel`)
    expect(cancelled.status).toBe(200)
    await until(async () => (await count(`transfer_cohorts where import_id = ${id}`)) === 0, 20_000)
    expect((await officer.get(`/imports/${id}`)).body.import).toMatchObject({
      state: 'cancelled',
      rows_imported: 0,
    })
    expect(await count(`transfer_master_list where cohort_id = ${sent.body.cohort.id}`)).toBe(0)
    const notifications = (await approver.get('/notifications')).body.notifications.data
    expect(notifications.filter(({ text }: { text: string }) => text.includes(`while ${wanted}`))).toEqual([])
    await workers.end(worker, 'SIGTERM')
  },
)

/**
 * Uploads a list, spoils its import, and lets a worker try it once. Returns the import as it ended. The worker is stopped
 * again, so that none takes the next list before it is spoiled.
 */
async function imported(name: string, spoil: (id: number) => Promise<unknown>) {
  const sent = await upload(listOf(6), { name })
  const { id } = sent.body.import
  await spoil(id)
  await portal.owner.query(
    "update pgboss.job set retry_limit = 0 where name = 'import' and (data->>'id')::int = $1",
    [id],
  )
  const stop = await portal.worker()
  const ended = await stage.ended(id)
  await stop()
  expect((await officer.get(`/admin/transfers/cohorts/${sent.body.cohort.id}/summary`)).status).toBe(404)
  return ended
}

test('an officer whose import fails by an internal error reads so, and its cohort is deleted', async () => {
  await portal.owner.query(`create function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger trial before insert on import_rows for each row execute function refuse_row()`)
  expect(await imported('No rows', async () => {})).toMatchObject({
    state: 'failed',
    problem: 'The import failed on our side and nothing was saved. Upload the file again.',
  })
  await portal.owner.query('drop trigger trial on import_rows')
})

test('an officer whose file was lost reads so, and its cohort is deleted', async () => {
  const lost = async (id: number) => {
    const { rows } = await portal.owner.query<{ key: string }>(
      'select f.key from imports i join files f on f.id = i.file_id where i.id = $1',
      [id],
    )
    for (const { key } of rows) await portal.context.storage.remove(key)
  }
  expect(await imported('Lost file', lost)).toMatchObject({
    state: 'failed',
    problem:
      'The content of this file is missing or damaged where the portal keeps its files. Tell an administrator.',
  })
})

test('an officer’s damaged file fails the import, and its cohort is deleted', async () => {
  const long = [headings, ...Array.from({ length: 3000 }, (_, n) => recipient(n + 1))]
  const whole = Buffer.from(await sheetFile(long).arrayBuffer())
  // One changed byte in the compressed rows. The zip container and the headings are still readable.
  const at = whole.indexOf('worksheets/sheet1.xml') + Math.floor(whole.length / 2)
  whole[at] = (whole[at] ?? 0) ^ 0x55
  const sent = await upload(new File([new Uint8Array(whole)], 'bent.xlsx'), { name: 'Bent' })
  expect(sent.status).toBe(200)
  await portal.worker()
  expect(await stage.ended(sent.body.import.id)).toMatchObject({
    state: 'failed',
    problem: 'The file is cut off or damaged. Open it in Excel, save it again and choose it once more.',
  })
  expect((await officer.get(`/admin/transfers/cohorts/${sent.body.cohort.id}/summary`)).status).toBe(404)
  expect((await officer.get('/admin/transfers/cohorts?search=bent')).body.cohorts.total).toBe(0)
})
