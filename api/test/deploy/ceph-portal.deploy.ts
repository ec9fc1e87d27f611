import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Workbook } from 'exceljs'
import { beforeAll, expect, test } from 'vitest'
import { pdf } from '../cases/case-stage.ts'
import { rowXml, sheetXml, workbookParts, zip } from '../imports/workbooks.ts'
import { until } from '../portal.ts'
import { student } from '../registers/registers.ts'
import { makeCephStage } from './ceph-stage.ts'
import { formOf, type Heard, type Person } from './shape/person.ts'
import { makePlace } from './shape/place.ts'

const mebibyte = 1024 ** 2
/** The portal's own size of a part. */
const partBytes = 8 * mebibyte
const { folder, atEnd } = makePlace()

type Stage = Awaited<ReturnType<typeof makeCephStage>>
let stage: Stage
beforeAll(async () => {
  stage = await makeCephStage(folder, atEnd)
}, 300_000)

const letter = Buffer.concat([pdf.subarray(0, 9), randomBytes(1.5 * mebibyte), pdf.subarray(9)])
const photo = randomBytes(18 * mebibyte)
/** Students in a workbook of three parts, because somebody has put a photo into it. */
function studentsFrom(first: number, count: number) {
  const names = Object.keys(student(1))
  const rows = Array.from({ length: count }, (_, n) => Object.values(student(first + n)))
  const sheet = workbookParts([{ name: 'List', xml: sheetXml([names, ...rows].map(rowXml).join('')) }])
  const bytes = zip([...sheet, { name: 'xl/media/image1.png', data: photo }])
  return formOf({ school_students_file: new File([new Uint8Array(bytes)], 'students.xlsx') })
}
/** Waits until an import has ended, and says how. */
async function ended(person: Person, sent: Heard) {
  expect(sent.status).toBe(200)
  return until(async () => {
    const { body } = await person.read(`/imports/${sent.body.import.id}`)
    return ['imported', 'failed'].includes(body.import.state) && body.import
  }, 60_000)
}
const files = async () => (await stage.owner.query('select key from files order by key')).rows
async function caseForm(filer: Person, content: Buffer) {
  const lists = (await filer.read('/admin/cases')).body
  const { rows } = await stage.owner.query("select id from users where email = 'case.reviewer@shape.example'")
  return formOf({
    title: 'Payment not received',
    description: 'The guardian got nothing in October.',
    type: lists.complainTypes[0].id,
    channel: lists.complainChannels[0].id,
    reviewer: rows[0].id,
    priority: 'high_1_day',
    file: new File([new Uint8Array(content)], 'letter.pdf'),
  })
}
const documents = async () =>
  (
    await stage.owner.query(
      'select d.id, f.key from case_documents d join files f on f.id = d.file_id order by d.id',
    )
  ).rows
const unsaved =
  'The store of the portal’s files does not answer at the moment. Nothing was saved: try again in a minute.'
const placeOf = (key: string) => `${key.slice(0, 2)}/${key}`
const inBucket = async () => {
  const { objects, uploads } = await stage.ceph.held('portal-files')
  return { uploads, keys: objects.map(({ key }) => key).filter((key) => !key.startsWith('outbox/')) }
}
/** Waits until an upload in parts has begun, and not ended. */
const uploadBegun = () =>
  until(async () => {
    const answer = await stage.bucket.send('?uploads', { method: 'GET' })
    return (await answer.text()).includes('<Upload>')
  })
/** What each api and worker says of the store. */
const storeChecks = () =>
  Promise.all(
    [...stage.servers.apis, ...stage.servers.workers].map(async ({ machinePort }) => {
      const { status, checks } = await (await fetch(`http://127.0.0.1:${machinePort}/readyz`)).json()
      return { status, ok: checks.object_store.ok, required: checks.object_store.required }
    }),
  )
const everywhere = (ok: boolean) => Array(4).fill({ status: 'ready', ok, required: false })
const verify = () => stage.servers.command('api/src/commands/verify.ts')

async function exported(person: Person, path: string): Promise<Buffer> {
  const asked = await person.once('POST', path, {})
  expect(asked.status).toBe(202)
  return until(async () => {
    const { status, bytes } = await person.download(`/storage/exports/${asked.body.file_name}`)
    return status === 200 && bytes
  }, 120_000)
}

test('with files and modules in Ceph, people import students, export more than a part, file a case and are invited', async () => {
  const { admin, filer, servers, owner } = stage
  const sent = await admin.once('POST', '/admin/schools/students/import', studentsFrom(1, 300))
  expect(await ended(admin, sent)).toMatchObject({ state: 'imported', rows_new: 300 })

  // Long names that cannot be compressed. The index of the search would take longer than the export.
  await owner.query('drop index schools_search_index')
  await owner.query(
    `insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
     select (select string_agg(md5(n || ' ' || i), '') from generate_series(1, 80) i), 'LONG-' || n, 'public',
       (select id from caps where name = 'CAP CEPH'), '2026-2027' from generate_series(1, 8000) n`,
  )
  const bytes = await exported(admin, '/admin/schools/export')
  expect(bytes.length).toBeGreaterThan(partBytes)
  const book = new Workbook()
  await book.xlsx.load(new Uint8Array(bytes).buffer)
  expect(book.worksheets[0]?.rowCount).toBe(1 + 1 + 8000)

  const filed = await filer.once('POST', '/admin/cases', await caseForm(filer, letter))
  expect(filed.status).toBe(200)
  const [document] = await documents()
  const got = await filer.download(`/storage/documents/${document.id}`)
  expect(got.bytes.equals(letter)).toBe(true)

  const invited = {
    first_name: 'Nana',
    last_name: 'Koné',
    gender: 'female',
    type: 'developer',
    user_title: 'mrs',
  }
  const asked = await admin.once('POST', '/admin/users', { ...invited, email: 'nana@test.example' })
  expect(asked.status).toBe(200)
  const name = await until(async () => {
    const { rows } = await owner.query("select outbox from mails where recipient = 'nana@test.example'")
    return rows[0]?.outbox as string | null
  })
  expect(servers.command('api/src/commands/outbox.ts', ['read', String(name)])).toMatch(
    /\/password\/reset\/[\w-]{43}/,
  )
  expect((await inBucket()).uploads).toEqual([])
  expect(verify()).toMatch(/\nfiles: holds, \d+ files compared with their hashes/)
}, 300_000)

test('a person opens the portal and its modules from both servers, whose files are in Ceph', async () => {
  const { admin, servers, ceph } = stage
  const { modules } = JSON.parse((await admin.page('/modules.json')).text)
  const entries = modules.map(({ base }: { base: string }) => `${base}remoteEntry.js`)
  expect(entries.length).toBeGreaterThan(4)
  const page = (await admin.page('/')).text
  const assets = [...page.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path)
  expect(assets.length).toBeGreaterThan(0)
  for (const { port } of servers.apis)
    for (const path of [...entries, ...assets])
      expect([path, (await admin.page(path, `http://127.0.0.1:${port}`)).status]).toEqual([path, 200])
  const { objects } = await ceph.held('portal-modules')
  expect(objects.map(({ key }) => key)).toEqual(
    expect.arrayContaining(entries.map((path: string) => path.slice(1))),
  )
}, 120_000)

test('Ceph’s gateway is killed in the middle of an upload: the person is told that nothing was saved, and sends it again', async () => {
  const { admin, ceph } = stage
  const [before, then] = [await inBucket(), await files()]
  const [heard] = await Promise.all([
    admin.once('POST', '/admin/schools/students/import', studentsFrom(301, 10)),
    uploadBegun().then(() => ceph.gateway.stop('SIGKILL')),
  ])
  expect(heard).toMatchObject({ status: 503, body: { code: 'store_away', message: unsaved } })
  expect(await storeChecks()).toEqual(everywhere(false))
  expect(await files()).toEqual(then)
  // What needs no file goes on.
  expect((await admin.read('/admin/schools/list')).status).toBe(200)

  ceph.gateway.start()
  await ceph.gateway.ready()
  await until(async () => (await storeChecks()).every(({ ok }) => ok))
  // The parts of an upload that nobody could end wait for the worker, which ends them after a day.
  const after = await inBucket()
  expect(after.keys).toEqual(before.keys)
  expect(after.uploads).toHaveLength(1)
  const again = await admin.once('POST', '/admin/schools/students/import', studentsFrom(301, 10))
  expect(await ended(admin, again)).toMatchObject({ state: 'imported', rows_new: 10 })
  expect(verify()).toMatch(/\nfiles: holds/)
}, 120_000)

test('the gateway is killed while a worker stores an export, which is there once the gateway is back', async () => {
  const { admin, ceph } = stage
  const started = (await inBucket()).uploads.length
  const asked = await admin.once('POST', '/admin/schools/export', {})
  const path = `/storage/exports/${asked.body.file_name}`
  await until(async () => {
    const text = await (await stage.bucket.send('?uploads', { method: 'GET' })).text()
    return text.split('<Upload>').length - 1 > started
  }, 120_000)
  await ceph.gateway.kill()
  const bytes = await until(async () => {
    const { status, bytes } = await admin.download(path)
    return status === 200 && bytes
  }, 120_000)
  expect(bytes.length).toBeGreaterThan(partBytes)
  expect(verify()).toMatch(/\nfiles: holds/)
}, 240_000)

test('a disk of Ceph stands still: a filer is told within half a minute, and all goes on when it is back', async () => {
  const { filer, ceph } = stage
  const then = await documents()
  const form = await caseForm(filer, pdf)
  process.kill(ceph.osd.pid, 'SIGSTOP')
  const began = performance.now()
  const [heard, checks] = await Promise.all([filer.once('POST', '/admin/cases', form), storeChecks()])
  const waited = performance.now() - began
  process.kill(ceph.osd.pid, 'SIGCONT')
  expect(heard).toMatchObject({ status: 503, body: { code: 'store_away', message: unsaved } })
  expect(waited).toBeLessThan(30_000)
  expect(checks).toEqual(everywhere(false))
  expect(await documents()).toEqual(then)
  await until(async () => (await storeChecks()).every(({ ok }) => ok), 60_000)
  expect((await filer.once('POST', '/admin/cases', form)).status).toBe(200)
  expect(verify()).toMatch(/\nfiles: holds/)
}, 180_000)

test('an operator copies the bucket with Debian’s rclone, and fills an empty one from it', async () => {
  const { ceph, servers, filer } = stage
  const backups = join(folder, 'backups')
  mkdirSync(backups)
  // As the service `files-backup` of deploy/compose/store.yaml does.
  const copy = (day: string) =>
    ceph.rclone(
      'sync',
      ':s3:portal-files',
      join(backups, 'files'),
      '--backup-dir',
      join(backups, day),
      '--metadata',
    )
  await copy('files-one')
  const [{ key }] = await documents()
  await ceph.rclone('deletefile', `:s3:portal-files/${placeOf(key)}`)
  await copy('files-two')
  expect(readdirSync(join(backups, 'files-two'), { recursive: true })).toContain(placeOf(key))
  await ceph.rclone('copy', join(backups, 'files-two'), ':s3:portal-files', '--metadata')
  const [{ id }] = await documents()
  expect((await filer.download(`/storage/documents/${id}`)).bytes.equals(letter)).toBe(true)

  await ceph.makeBucket('restored')
  await ceph.makeBucket('restored-plainly')
  await ceph.rclone('copy', join(backups, 'files-two'), join(backups, 'files'), '--metadata')
  await ceph.rclone('sync', join(backups, 'files'), ':s3:restored', '--metadata')
  // A copy that lost its attributes, or a data folder that was copied into a bucket.
  await ceph.rclone('sync', join(backups, 'files'), ':s3:restored-plainly')
  for (const bucket of ['restored', 'restored-plainly'])
    expect(servers.command('api/src/commands/verify.ts', [], undefined, { S3_FILES_BUCKET: bucket })).toMatch(
      /\nfiles: holds/,
    )
}, 120_000)
