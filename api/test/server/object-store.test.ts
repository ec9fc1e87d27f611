import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { refuseOtherStore } from '../../src/kit/files/store-check.ts'
import { machineServer } from '../../src/machine/machine.routes.ts'
import { caseStage } from '../cases/case-stage.ts'
import { cloneDatabase } from '../database.ts'
import { startPortal, until } from '../portal.ts'
import { addPlaces, fileOf, send } from '../registers/registers.ts'
import { filesContract } from './files-contract.ts'
import { away, filesStage, lost, placeOf } from './files-stage.ts'
import { startStore } from './object-store.ts'

const store = await startStore()
// Parts of 1 KiB, so that a workbook has several.
await store.set({ min_part: 1024 })
const stage = await filesStage({ ...store, partBytes: 1024, full: (full) => store.set({ full }) })
const { a, filer, fileCase, officer, rows, held, withLetter, documentOf } = stage
beforeEach(() => store.honest())

describe('files in the simulated store', () => filesContract(stage))

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

test('an officer’s export is written again after the store was cut in the middle of it', async () => {
  const before = await held()
  await store.set({ cut: { method: 'PUT', after: 1000 } })
  const asked = await officer.post('/admin/schools/export', {})
  const path = `/storage/exports/${asked.body.file_name}`
  const waits = "select from pgboss.job where name = 'export' and state = 'retry'"
  await until(async () => (await rows(waits)).length === 1)
  expect((await officer.get(path)).status).toBe(202)
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

test('a filer is told that her document is damaged or missing in the store, and never gets other bytes', async () => {
  const { id } = await fileCase(filer, withLetter())
  const document = await documentOf(id)
  await store.set({ damage: true })
  expect(await filer.get(`/storage/documents/${document.id}`)).toMatchObject(lost)
  await store.lose(placeOf(document.key))
  expect(await filer.get(`/storage/documents/${document.id}`)).toMatchObject(lost)
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

test('a filer is told when the store has been stopped', async () => {
  await store.close()
  expect(await filer.upload('/admin/cases', withLetter())).toMatchObject(
    away('Nothing was saved: try again in a minute.'),
  )
  await refuseOtherStore(a.context)
})
