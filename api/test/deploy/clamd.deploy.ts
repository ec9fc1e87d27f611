import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { caseStage, file, pdf } from '../cases/case-stage.ts'
import { startPortal, until } from '../portal.ts'
import { eicar } from '../server/virus-scan.ts'

// Debian's package clamav-daemon, with a database of one signature instead of the 200 MB that freshclam fetches.
const folder = mkdtempSync(join(tmpdir(), 'clamd-'))
const port = await freePort()
writeFileSync(join(folder, 'own.ndb'), `Own.Test.File:0:*:${eicar.toString('hex')}\n`)
writeFileSync(
  join(folder, 'clamd.conf'),
  `Foreground yes\nTCPSocket ${port}\nTCPAddr 127.0.0.1\nDatabaseDirectory ${folder}\n`,
)
const clamd: ChildProcess = spawn('clamd', ['--config-file', join(folder, 'clamd.conf')], { stdio: 'ignore' })
const gone = new Promise((_, reject) => {
  clamd.once('error', () => reject(new Error('clamd is missing: apt-get install clamav-daemon')))
})
afterAll(() => {
  clamd.kill()
  rmSync(folder, { recursive: true, force: true })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('with Debian’s clamd a person uploads documents, and one with a virus is refused', async () => {
  const portal = await startPortal({ scanner: { host: '127.0.0.1', port } })
  const { filer, form } = await caseStage(portal)
  const upload = (content: Buffer) =>
    filer.upload('/admin/cases', { ...form, file: file('letter.pdf', content) })
  const ready = until(async () => (await upload(pdf)).status === 200)
  await Promise.race([ready, gone])
  const refused = await upload(Buffer.concat([pdf.subarray(0, 20), eicar, pdf.subarray(20)]))
  expect([refused.status, refused.body.errors?.file?.[0]]).toEqual([
    422,
    expect.stringMatching(/^The virus scanner found something/),
  ])
})
