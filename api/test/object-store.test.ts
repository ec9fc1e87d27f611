import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Workbook } from 'exceljs'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { sendWaiting } from '../src/home/outbox.service.ts'
import { makeContext } from '../src/kit/context.ts'
import type { Settings } from '../src/kit/settings.ts'
import { refuseOtherStore } from '../src/kit/store-check.ts'
import { machineServer } from '../src/machine/machine.routes.ts'
import { caseStage, file, pdf } from './case-stage.ts'
import { Client } from './client.ts'
import { runCommand } from './commands.ts'
import { cloneDatabase } from './database.ts'
import { startStore } from './object-store.ts'
import { type Portal, startPortal, until } from './portal.ts'
import { startPost } from './post.ts'
import { addPlaces, addSchools, fileOf, send } from './registers.ts'

const store = await startStore()
// Parts of 1 KiB, so that a workbook has several.
await store.set({ min_part: 1024 })
const filesBucket = { ...store.bucket, partBytes: 1024 }
/** The same store for commands. */
const inBucket = {
  PORTAL_STORAGE: 's3',
  S3_ENDPOINT: store.bucket.endpoint,
  S3_KEY: store.bucket.key,
  S3_SECRET: store.bucket.secret,
  S3_FILES_BUCKET: store.bucket.bucket,
}
const database = await cloneDatabase()
/** Two apis with different disks, and a worker on the second one's disk. */
const a = await startPortal({ filesBucket }, database)
const b = await startPortal({ filesBucket }, { ...database, drop: async () => {} })
let stopWorker = await b.worker()
const { filer, form, fileCase } = await caseStage(a)
await addPlaces(a)
await addSchools(a)
const officer = await a.signedInAs('School Officer')
beforeEach(() => store.honest())

/** The same person, when the balancer sends her to another api. */
function at(portal: Portal, person: Client) {
  const client = new Client(portal.http, portal.settings.apiBase)
  for (const [name, value] of person.cookies) client.cookies.set(name, value)
  return client
}
const letter = Buffer.concat([pdf.subarray(0, 9), Buffer.alloc(4000, '% \n'), pdf.subarray(9)])
/** What the store has besides letters, which leave when a worker comes to them. */
const held = async () => {
  const { objects, uploads } = await store.held()
  return { objects: objects.filter(({ key }) => !key.startsWith('outbox/')), uploads }
}
const withLetter = (name = 'letter.pdf') => ({ ...form, file: file(name, letter) })
const rows = async (query: string, values: unknown[] = []) => (await a.owner.query(query, values)).rows
const documentOf = async (caseId: number) =>
  (
    await rows(
      'select d.id, f.key from case_documents d join files f on f.id = d.file_id where d.case_id = $1',
      [caseId],
    )
  )[0]
const placeOf = (key: string) => `${key.slice(0, 2)}/${key}`
const away = (says: string) => ({
  status: 503,
  headers: { 'retry-after': '5' },
  body: {
    code: 'store_away',
    message: `The store of the portal’s files does not answer at the moment. ${says}`,
  },
})

test('a filer uploads a document at one api, and reads it at another one with another disk', async () => {
  const { id } = await fileCase(filer, withLetter())
  const document = await documentOf(id)
  const got = await at(b, filer).get(`/storage/documents/${document.id}`)
  expect(got.status).toBe(200)
  expect(got.bytes.equals(letter)).toBe(true)
  const { objects, uploads } = await held()
  expect(objects).toMatchObject([{ bucket: 'files', key: placeOf(document.key), size: letter.length }])
  expect(uploads).toEqual([])
})

test('an officer’s file is imported, and her list exported, by a worker with another disk', async () => {
  const place = { region: 'Ségou', cercle: 'Niono', commune: 'Niono', arrondissement: 'Niono' }
  const sent = await send(officer, 'locations', fileOf([place]))
  expect(sent.status).toBe(200)
  const ended = await until(async () => {
    const { body } = await officer.get(`/imports/${sent.body.import.id}`)
    return ['imported', 'failed'].includes(body.import.state) && body.import
  })
  expect(ended).toMatchObject({ state: 'imported', rows_new: 1 })

  const asked = await officer.post('/admin/schools/export', {})
  const got = await until(async () => {
    const answer = await officer.get(`/storage/exports/${asked.body.file_name}`)
    return answer.status === 200 && answer
  })
  const book = new Workbook()
  await book.xlsx.load(new Uint8Array(got.bytes).buffer)
  expect(book.worksheets[0]?.rowCount).toBe(4)
})

test('an invitation that a worker wrote to the store is read on another machine, and sent once by a worker with a mail server', async () => {
  const email = 'nana@test.example'
  const admin = await a.signedInAs('Administrator')
  const names = { first_name: 'Nana', last_name: 'Koné', gender: 'female' }
  const invited = { ...names, type: 'developer', user_title: 'mrs', email }
  expect((await admin.post('/admin/users', invited)).status).toBe(200)
  const mail = () => rows('select state, outbox from mails where recipient = $1', [email])
  await until(async () => (await mail())[0].state === 'sent')
  const [{ outbox: name }] = await mail()
  expect(existsSync(join(b.settings.dataDir, 'outbox'))).toBe(false)
  // A worker without a mail server that takes it again writes it under the same name.
  expect(await sendWaiting(a.context, [name])).toBe(1)
  await until(async () => (await mail())[0].state === 'sent')
  const waiting = async () => (await store.held()).objects.filter(({ key }) => key === `outbox/${name}`)
  expect(await waiting()).toHaveLength(1)

  const read = await runCommand(a.settings, 'outbox', ['read', name], '', inBucket)
  expect(read.out).toMatch(/\/password\/reset\/[\w-]{43}/)
  await stopWorker()
  const post = await startPost()
  onTestFinished(post.close)
  const c = await startPortal({ filesBucket, smtpUrl: post.url }, { ...database, drop: async () => {} })
  const stop = await c.worker()
  const [sent, also] = await Promise.all([
    runCommand(a.settings, 'outbox', ['send', name], '', inBucket),
    sendWaiting(c.context, [name]),
  ])
  // Whoever comes second hears that nothing is to be sent, or no longer finds it.
  expect(sent.out + sent.err).toMatch(also === 1 ? /^(Queued: 0\.|No letter)/ : /^Queued: 1\./)
  await until(async () => (await mail())[0].outbox === null && (await waiting()).length === 0)
  expect(post.letters.map(({ to }) => to)).toEqual([[email]])
  await stop()
  stopWorker = await b.worker()
})

test('a filer is told when the store is cut in the middle of her upload; nothing is left, and she sends it again', async () => {
  const before = await held()
  const [{ n }] = await rows('select count(*)::int as n from cases')
  await store.set({ cut: { method: 'PUT', after: 500 } })
  expect(await filer.upload('/admin/cases', withLetter())).toMatchObject(
    away('Nothing was saved: try again in a minute.'),
  )
  await store.honest()
  expect(await held()).toEqual(before)
  expect(await rows('select count(*)::int as n from cases')).toEqual([{ n }])
  expect((await filer.upload('/admin/cases', withLetter())).status).toBe(200)
})

test('the file of a case that is refused does not stay in the store', async () => {
  const before = await held()
  const refused = await filer.upload('/admin/cases', { ...withLetter(), reviewer: 999_999 })
  expect(refused.status).toBe(422)
  expect(await held()).toEqual(before)
})

test('an officer’s export is written again after the store was cut in the middle of it', async () => {
  const before = await held()
  await store.set({ cut: { method: 'PUT', after: 1000 } })
  const asked = await officer.post('/admin/schools/export', {})
  const path = `/storage/exports/${asked.body.file_name}`
  await until(async () => (await officer.get(path)).status === 409)
  expect(await held()).toEqual(before)
  await store.honest()
  await until(async () => (await officer.get(path)).status === 200)
})

test.each([
  ['cut in the middle', { cut: { method: 'GET', after: 2000 } }],
  ['overloaded', { refuse: 'SlowDown' }],
])('a filer whose document is read from a store that is %s is told to try again', async (_, switches) => {
  const { id } = await fileCase(filer, withLetter())
  const { id: document } = await documentOf(id)
  await store.set(switches)
  const got = await filer.get(`/storage/documents/${document}`)
  expect(got).toMatchObject(away('Try again in a minute.'))
  await store.honest()
  expect((await filer.get(`/storage/documents/${document}`)).status).toBe(200)
})

const lost = {
  status: 500,
  body: {
    code: 'file_lost',
    message:
      'The content of this file is missing or damaged where the portal keeps its files. Tell an administrator.',
  },
}

test('an operator verifies audit log, ledger and every stored file, and reads which one is missing', async () => {
  const { id } = await fileCase(filer, withLetter())
  const document = await documentOf(id)
  const verify = () => runCommand(a.settings, 'verify', [], '', inBucket)
  const sound = await verify()
  expect([sound.err, sound.code]).toEqual(['', 0])
  expect(sound.out).toMatch(/^audit log: holds, \d+ linked rows/)
  expect(sound.out).toMatch(/\nfiles: holds, \d+ files compared with their hashes, 0 old ones without a row/)
  expect(sound.out).toMatch(/\nsending: (not )?held/)
  await store.lose(placeOf(document.key))
  const broken = await verify()
  const [{ file }] = await rows('select file_id as file from case_documents where id = $1', [document.id])
  expect(broken.err).toBe(`files: does not hold\n- file ${file}: its content is missing or damaged\n`)
  expect(broken.code).toBe(1)
  const { key: place } = await documentOf(id)
  await rows('update files set dropped_at = now() where key = $1', [place])
})

test('a filer is told that her document is damaged or missing in the store, and never gets other bytes', async () => {
  const { id } = await fileCase(filer, withLetter())
  const document = await documentOf(id)
  await store.set({ damage: true })
  expect(await filer.get(`/storage/documents/${document.id}`)).toMatchObject(lost)
  await store.lose(placeOf(document.key))
  expect(await filer.get(`/storage/documents/${document.id}`)).toMatchObject(lost)
})

test('a filer is told that the store is full', async () => {
  await store.set({ full: true })
  expect(await filer.upload('/admin/cases', withLetter())).toMatchObject({
    status: 507,
    body: { code: 'storage_full' },
  })
})

test('with files on the disk, a filer is told the same of a document that is missing there, and an import of a missing file ends', async () => {
  const disk = await startPortal({}, await cloneDatabase())
  const stage = await caseStage(disk)
  const { id } = await stage.fileCase(stage.filer, withLetter())
  await addPlaces(disk)
  const person = await disk.signedInAs('School Officer')
  const place = { region: 'Ségou', cercle: 'Niono', commune: 'Niono', arrondissement: 'Niono' }
  const sent = await send(person, 'locations', fileOf([place]))
  rmSync(join(disk.settings.dataDir, 'files/kept'), { recursive: true })
  const { rows: documents } = await disk.owner.query('select id from case_documents where case_id = $1', [id])
  expect(await stage.filer.get(`/storage/documents/${documents[0].id}`)).toMatchObject(lost)
  await disk.worker()
  const ended = await until(async () => {
    const { body } = await person.get(`/imports/${sent.body.import.id}`)
    return body.import.state === 'failed' && body.import
  })
  expect(ended.problem).toBe(lost.body.message)
})

test('an operator reads that the store does not answer, while the process stays in service', async () => {
  const server = machineServer(a.context, { draining: false }, [], {})
  const ready = async () => (await server.inject({ url: '/readyz' })).json()
  expect(await ready()).toMatchObject({ checks: { object_store: { ok: true, required: false } } })
  await store.set({ silent: true })
  const [{ status, checks }, measures] = await Promise.all([ready(), server.inject({ url: '/metrics' })])
  expect(status).toBe('ready')
  expect(checks.object_store).toEqual({ ok: false, required: false, fault: 'ETIMEDOUT' })
  expect(measures.body).toMatch(/^portal_object_store_up 0$/m)
  await server.close()
})

test.each([
  ['a wrong secret', { secret: 'not the secret' }, 'SignatureDoesNotMatch'],
  ['a key that the store does not know', { key: 'nobody' }, 'InvalidAccessKeyId'],
  ['a bucket that does not exist', { bucket: 'elsewhere' }, 'NoSuchBucket'],
])('an operator who sets %s is told at the start', async (_, wrong, code) => {
  const settings: Settings = { ...a.settings, filesBucket: { ...filesBucket, ...wrong } }
  const context = makeContext(settings)
  await expect(refuseOtherStore(context)).rejects.toThrow(
    `refuses the bucket ${{ ...filesBucket, ...wrong }.bucket} (${code})`,
  )
  const { id } = await fileCase(filer, withLetter())
  const { key } = await documentOf(id)
  await expect(context.storage.read(key)).rejects.toThrow(code)
  await context.db.pool.end()
})

test('a filer is told when the store has been stopped', async () => {
  await store.close()
  expect(await filer.upload('/admin/cases', withLetter())).toMatchObject(
    away('Nothing was saved: try again in a minute.'),
  )
  await refuseOtherStore(a.context)
})
