import { createServer } from 'node:net'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startApiProcess } from '../api-process.ts'
import { startPortal, until } from '../portal.ts'

// A store that accepts connections and never says a word.
const silent = createServer(() => {})
await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
afterAll(() => void silent.close())
const { port } = silent.address() as { port: number }
const bucket = {
  endpoint: `http://127.0.0.1:${port}`,
  bucket: 'modules',
  region: 'us-east-1',
  key: 'key',
  secret: 'hidden',
  pathStyle: true,
}
const portal = await startPortal({ registryBucket: bucket })

test('an administrator reads how the portal is while the store of the modules is silent, and that it is', async () => {
  const admin = await portal.signedInAs('Administrator')
  const began = performance.now()
  const { status, body } = await admin.get('/admin/system')
  expect(status).toBe(200)
  expect(performance.now() - began).toBeLessThan(8_000)
  expect(body.versions).toMatchObject({ modules: null, released_at: null })
  expect(body.versions.migration).toMatch(/\.sql$/)
})

test('people reach an api that was started while the store of the modules is silent', async () => {
  const { child, url, readyz } = await startApiProcess(portal, {
    S3_ENDPOINT: bucket.endpoint,
    S3_BUCKET: bucket.bucket,
    S3_KEY: bucket.key,
    S3_SECRET: bucket.secret,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const status = (address: string) =>
    fetch(address).then(
      (answer) => answer.status,
      () => 0,
    )
  await until(async () => (await status(`${url}/session`)) === 200, 60_000)
  await until(async () => (await status(readyz)) === 200, 60_000)
}, 150_000)
