import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { analyticsSettings } from './lib/analytics.mjs'
import { freePort } from './lib/ports.mjs'

/** @param {number} port @returns {Promise<void>} */
function hold(port) {
  const server = createServer()
  onTestFinished(() => void server.close())
  return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
}

/** What the start command knows. @param {number} port @param {NodeJS.ProcessEnv} [env] @param {boolean} [demo] */
const settings = (port, env = {}, demo = true) => ({
  port,
  agencyPort: port + 1,
  host: '127.0.0.1',
  demo,
  url: `http://localhost:${port}`,
  env,
})

test('someone who starts the demo gets an analytics host with a secret of this start', async () => {
  const port = (await freePort()) - 2
  const first = await analyticsSettings(settings(port))
  const second = await analyticsSettings(settings(port))
  expect(first?.ANALYTICS_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(first?.ANALYTICS_SECRET).toMatch(/^[0-9a-f]{64}$/)
  expect(first?.ANALYTICS_SECRET).not.toBe(second?.ANALYTICS_SECRET)
})

test('someone whose default analytics port is taken still starts the portal', async () => {
  const taken = await freePort()
  await hold(taken)
  const found = await analyticsSettings(settings(taken - 2))
  expect(Number(found?.ANALYTICS_PORT)).not.toBe(taken)
})

test('someone who asks for an analytics port that is taken reads which one', async () => {
  const taken = await freePort()
  await hold(taken)
  await expect(analyticsSettings(settings(8080, { ANALYTICS_PORT: String(taken) }))).rejects.toThrow(
    `ANALYTICS_PORT=${taken + 1000}`,
  )
})

test('an operator with an analytics host, or without the demo, does not get the demo’s host', async () => {
  expect(
    await analyticsSettings(settings(8080, { ANALYTICS_URL: 'https://metabase.example' })),
  ).toBeUndefined()
  expect(await analyticsSettings(settings(8080, {}, false))).toBeUndefined()
})
