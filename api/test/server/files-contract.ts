import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { AwsClient } from 'aws4fetch'
import { Workbook } from 'exceljs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sendWaiting } from '../../src/home/outbox.service.ts'
import { bucketCalls, elementOf } from '../../src/kit/files/bucket-calls.ts'
import { newKey } from '../../src/kit/files/storage.ts'
import { refuseOtherStore } from '../../src/kit/files/store-check.ts'
import { makeContext } from '../../src/kit/process/context.ts'
import type { Settings } from '../../src/kit/process/settings.ts'
import { runCommand } from '../commands.ts'
import { startPost } from '../letters/post.ts'
import { until } from '../portal.ts'
import { fileOf, send } from '../registers/registers.ts'
import { type FilesStage, lost, placeOf } from './files-stage.ts'

/** What people do with files in a bucket, whichever store has it: the simulated one, and a real one. */
export function filesContract(stage: FilesStage) {
  const { store, filesBucket, a, b, filer, fileCase, letter, rows, officer, worker, another } = stage
  const { inBucket, at, held, withLetter, documentOf } = stage

  test('a filer uploads a document at one api, and reads it at another one with another disk', async () => {
    const { id } = await fileCase(filer, withLetter())
    const document = await documentOf(id)
    const got = await at(b, filer).get(`/storage/documents/${document.id}`)
    expect(got.status).toBe(200)
    expect(got.bytes.equals(letter)).toBe(true)
    const { objects, uploads } = await held()
    expect(objects).toMatchObject([
      { bucket: store.bucket.bucket, key: placeOf(document.key), size: letter.length },
    ])
    expect(uploads).toEqual([])
  })

  test('a file of several parts is kept whole, and read on another machine', async () => {
    const content = randomBytes(store.partBytes * 2.5)
    const { uploads } = await held()
    const path = await a.context.storage.temp()
    await writeFile(path, content)
    const key = await a.context.storage.keep(path)
    expect(existsSync(path)).toBe(false)
    expect((await buffer(await b.context.storage.read(key))).equals(content)).toBe(true)
    expect((await b.context.storage.withFile(key, (found) => readFile(found))).equals(content)).toBe(true)
    const { objects, uploads: after } = await held()
    expect(objects).toContainEqual({ bucket: store.bucket.bucket, key: placeOf(key), size: content.length })
    expect(after).toEqual(uploads)
    await b.context.storage.remove(key)
    await expect(a.context.storage.read(key)).rejects.toThrow(lost.body.message)
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
    const mail = () => rows('select id, state, outbox from mails where recipient = $1', [email])
    await until(async () => (await mail())[0].state === 'sent')
    const [{ id, outbox: name }] = await mail()
    expect(existsSync(join(b.settings.dataDir, 'outbox'))).toBe(false)
    // A worker without a mail server that takes it again writes it under the same name.
    expect(await sendWaiting(a.context, [id])).toBe(1)
    await until(async () => (await mail())[0].state === 'sent')
    const waiting = async () => (await store.held()).objects.filter(({ key }) => key === `outbox/${name}`)
    expect(await waiting()).toHaveLength(1)

    const read = await runCommand(a.settings, 'outbox', ['read', name], '', inBucket)
    expect(read.out).toMatch(/\/password\/reset\/[\w-]{43}/)
    await worker.stop()
    const post = await startPost()
    onTestFinished(post.close)
    const c = await another({ smtpUrl: post.url })
    const stop = await c.worker()
    const [sent, also] = await Promise.all([
      runCommand(a.settings, 'outbox', ['send', name], '', inBucket),
      sendWaiting(c.context, [id]),
    ])
    // Whoever comes second hears that nothing is to be sent, or no longer finds it.
    expect(sent.out + sent.err).toMatch(also === 1 ? /^(Queued: 0\.|No letter)/ : /^Queued: 1\./)
    await until(async () => (await mail())[0].outbox === null && (await waiting()).length === 0)
    expect(post.letters.map(({ to }) => to)).toEqual([[email]])
    await stop()
    worker.stop = await worker.start()
  })

  test('the file of a case that is refused does not stay in the store', async () => {
    const before = await held()
    const refused = await filer.upload('/admin/cases', { ...withLetter(), reviewer: 999_999 })
    expect(refused.status).toBe(422)
    expect(await held()).toEqual(before)
  })

  test('a filer is told that her document is missing in the store', async () => {
    const { id } = await fileCase(filer, withLetter())
    const document = await documentOf(id)
    await store.lose(placeOf(document.key))
    expect(await filer.get(`/storage/documents/${document.id}`)).toMatchObject(lost)
    await rows('update files set dropped_at = now() where key = $1', [document.key])
  })

  test('an operator verifies audit log, ledger and every stored file, and reads which one is missing', async () => {
    const { id } = await fileCase(filer, withLetter())
    const document = await documentOf(id)
    const verify = () => runCommand(a.settings, 'verify', [], '', inBucket)
    const sound = await verify()
    expect([sound.err, sound.code]).toEqual(['', 0])
    expect(sound.out).toMatch(/^audit log: holds, \d+ linked rows/)
    expect(sound.out).toMatch(
      /\nfiles: holds, \d+ files compared with their hashes, 0 old ones without a row/,
    )
    expect(sound.out).toMatch(/\nsending: (not )?held/)
    await store.lose(placeOf(document.key))
    const broken = await verify()
    const [{ file }] = await rows('select file_id as file from case_documents where id = $1', [document.id])
    expect(broken.err).toBe(`files: does not hold\n- file ${file}: its content is missing or damaged\n`)
    expect(broken.code).toBe(1)
    const { key: place } = await documentOf(id)
    await rows('update files set dropped_at = now() where key = $1', [place])
  })

  test('a filer reads a document of a bucket that was restored by a program without metadata, and an operator verifies it', async () => {
    const { id } = await fileCase(filer, withLetter())
    const document = await documentOf(id)
    const { call } = bucketCalls(store.bucket)
    await call('PUT', placeOf(document.key), { body: letter })
    const got = await filer.get(`/storage/documents/${document.id}`)
    expect(got.status).toBe(200)
    expect(got.bytes.equals(letter)).toBe(true)
    const verify = () => runCommand(a.settings, 'verify', [], '', inBucket)
    expect((await verify()).code).toBe(0)
    await call('PUT', placeOf(document.key), { body: 'another content' })
    const broken = await verify()
    expect(broken.err).toMatch(/^files: does not hold\n- file \d+: its content is not what was stored\n$/)
    await call('PUT', placeOf(document.key), { body: letter })
  })

  test('a filer is told that the store is full; once there is room, she sends it again', async () => {
    const before = await held()
    await store.full(true)
    onTestFinished(async () => void (await store.full(false)))
    expect(await filer.upload('/admin/cases', withLetter())).toMatchObject({
      status: 507,
      body: { code: 'storage_full' },
    })
    await store.full(false)
    expect(await held()).toEqual(before)
    expect((await filer.upload('/admin/cases', withLetter())).status).toBe(200)
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

  test('an upload that a killed process left behind is ended after a day, and never before', async () => {
    const { call } = bucketCalls(store.bucket)
    const before = await held()
    const place = placeOf(newKey())
    await call('POST', place, { query: { uploads: '' } })
    const { storage } = b.context
    await storage.sweep()
    expect((await held()).uploads).toEqual([...before.uploads, place].sort())
    const now = Date.now()
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + 86_500_000)
    onTestFinished(() => clock.mockRestore())
    await storage.sweep()
    clock.mockRestore()
    expect(await held()).toEqual(before)
  })

  test('the store refuses a body that was changed on its way, and keeps nothing', async () => {
    const { endpoint, bucket, key, secret, region } = store.bucket
    const client = new AwsClient({ accessKeyId: key, secretAccessKey: secret, region, service: 's3' })
    const before = await held()
    const sha256 = createHash('sha256').update('what was sent').digest('hex')
    const signed = await client.sign(`${endpoint}/${bucket}/${placeOf(newKey())}`, {
      method: 'PUT',
      headers: { 'x-amz-content-sha256': sha256 },
      body: 'what arrived',
    })
    const answer = await fetch(signed)
    expect([answer.status, elementOf(await answer.text(), 'Code')]).toEqual([
      400,
      'XAmzContentSHA256Mismatch',
    ])
    expect(await held()).toEqual(before)
  })

  test('an operator counts more files than the store lists at once, and they are removed', async () => {
    const { call } = bucketCalls(store.bucket)
    const before = (await held()).objects.length
    const places = Array.from({ length: 1_050 }, () => placeOf(newKey()))
    const together = async (act: (place: string) => Promise<unknown>) => {
      for (let at = 0; at < places.length; at += 50) await Promise.all(places.slice(at, at + 50).map(act))
    }
    await together((place) => call('PUT', place, { body: 'without a row' }))
    const swept = await runCommand(a.settings, 'files-sweep', [], '', inBucket)
    expect(swept.out).toMatch(new RegExp(`^0 of ${before + places.length} files have no row`))
    await together((place) => call('DELETE', place))
    expect((await held()).objects).toHaveLength(before)
  })
}
