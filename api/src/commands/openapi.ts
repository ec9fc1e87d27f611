import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Endpoint } from '@portal/contracts/endpoint'
import Fastify from 'fastify'
import { registerDomains } from '../app.ts'
import { makeContext } from '../kit/process/context.ts'
import { readSettings } from '../kit/process/settings.ts'
import { openApiOf } from '../openapi.ts'

/** The document in the repository. With the argument `check` it is compared with the served calls and not written. */
const path = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url))

/** All calls that the api serves. The domains are registered as for serving, but nothing connects to a database. */
function servedCalls(): Endpoint[] {
  const settings = readSettings({
    DATABASE_URL: 'postgresql://portal@127.0.0.1:1/none',
    PORTAL_DATA_DIR: join(tmpdir(), 'portal-openapi'),
    PORTAL_DEMO: 'true',
    NODE_ENV: 'test',
  })
  const endpoints: Endpoint[] = []
  registerDomains({
    ...makeContext(settings),
    http: Fastify(),
    endpoints,
    limitCalls: async () => undefined,
    checkCaller: async () => {},
  })
  return endpoints
}

const text = `${JSON.stringify(await openApiOf(servedCalls(), '/api'), null, 1)}\n`
if (process.argv[2] !== 'check') {
  writeFileSync(path, text)
  console.log('Wrote docs/openapi.json.')
} else if (readFileSync(path, 'utf8') !== text) {
  console.error(
    'docs/openapi.json does not describe the calls as they are: run npm run openapi and commit it.',
  )
  process.exitCode = 1
}
