import { permissions } from '@portal/contracts/permissions'
import { beforeAll, expect, test } from 'vitest'
import { makeDemo } from '../../src/demo/demo.service.ts'
import { openApiOf } from '../../src/openapi.ts'
import type { Answer, Client } from '../client.ts'
import { startPortal } from '../portal.ts'
import { type Call, encode, show, wrongBodies, wrongSegments, wrongTexts } from './wrong-values.ts'

/**
 * Every call of the api with wrong values in every field, made from its contract. A new call is in it by itself. The
 * database is the demo's, so that ids exist and a call gets as far as its queries.
 */
const portal = await startPortal({
  demoSize: 'small',
  agencyHosts: ['127.0.0.1:9'],
  identityProviders: [
    // Its name is what stands in a right path.
    {
      name: '1',
      label: 'Nobody',
      issuer: 'http://127.0.0.1:9',
      clientId: 'portal',
      clientSecret: 'none',
      domains: ['test.example'],
      longestMs: 1000,
    },
  ],
})
const document = JSON.parse(JSON.stringify(await openApiOf(portal.endpoints, '/api')))
const calls = portal.endpoints.map((endpoint) => ({
  ...endpoint,
  name: `${endpoint.method} ${endpoint.path}`,
  schema: document.paths[endpoint.path.replace(/:(\w+)/g, '{$1}')][endpoint.method.toLowerCase()] as Call,
}))
type Row = (typeof calls)[number]
let person: Client
/** A call was answered as that of a visitor, or succeeded and may have ended the session. */
let maybeSignedOut = false

beforeAll(async () => {
  await makeDemo(portal.context, { agencyUrl: 'http://127.0.0.1:9' })
}, 120_000)

/** Signs a person with every permission in, again where a call before may have signed her out. */
async function signedIn(): Promise<Client> {
  const isGone = !person || (maybeSignedOut && (await person.get('/session')).body.user === null)
  if (isGone) {
    await portal.owner.query('delete from failed_attempts')
    person = await portal.signedIn(...permissions)
  }
  maybeSignedOut = false
  return person
}

/** Makes a call, and once more if the rate limiter answered it: each value is to be read by the call itself. */
async function answerOf(call: () => Promise<Answer>): Promise<Answer> {
  const answer = await call()
  if (answer.status !== 429) return answer
  await portal.owner.query('delete from failed_attempts')
  return call()
}

/** Notes what ended in an error of the server, and a refusal that does not say in words what is wrong. */
function judge(faults: string[], what: string, { status, body }: Answer) {
  if (status === 401 || status < 300) maybeSignedOut = true
  if (status >= 500) faults.push(`${what}: ${status}`)
  if (status === 422) {
    const sentences = [body?.message, ...Object.values<string[]>(body?.errors ?? {}).flat()]
    if (!sentences.every((one) => typeof one === 'string' && one.length > 5))
      faults.push(`${what}: 422 without a sentence, ${JSON.stringify(body)}`)
  }
}

const rightPath = ({ path }: Row) => path.replace(/:\w+/g, '1')
const json = { 'content-type': 'application/json' }

async function inBody(row: Row, faults: string[]) {
  const [[type, content] = ['application/json', { schema: {} }]] = Object.entries(
    row.schema.requestBody?.content ?? {},
  )
  if (row.method === 'GET') return
  for (const [what, body] of wrongBodies(content.schema)) {
    const client = await signedIn()
    if (type === 'application/json') {
      judge(faults, what, await answerOf(() => client.send(row.method, rightPath(row), encode(body), json)))
      continue
    }
    const fields = Object.entries(body !== null && typeof body === 'object' ? body : { body })
    const form = fields.map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    judge(faults, what, await answerOf(() => client.upload(rightPath(row), Object.fromEntries(form))))
    const withFile = { ...Object.fromEntries(form), file: new File([], 'empty.xlsx') }
    const answer = await answerOf(() => client.upload(rightPath(row), withFile))
    judge(faults, `${what}, with an empty file`, answer)
  }
}

async function inQuery(row: Row, faults: string[]) {
  const client = await signedIn()
  for (const { name, in: where } of row.schema.parameters ?? []) {
    if (where !== 'query') continue
    const shapes = [`${name}=1&${name}=2`, `${name}[a]=1`, `${name}[]=1`]
    const texts = wrongTexts.map((text) => `${name}=${encodeURIComponent(text.toWellFormed())}`)
    for (const query of [...texts, ...shapes])
      judge(faults, `?${query.slice(0, 60)}`, await client.send(row.method, `${rightPath(row)}?${query}`))
    for (const raw of ['%', '%ED%A0%80', '%00', '%C0%80'])
      judge(faults, `?${name}=${raw}`, await client.send(row.method, `${rightPath(row)}?${name}=${raw}`))
  }
}

async function inPath(row: Row, faults: string[]) {
  if (!row.path.includes(':')) return
  for (const segment of wrongSegments) {
    const client = await signedIn()
    const path = row.path.replace(/:\w+/g, segment)
    const body = row.method === 'GET' ? undefined : {}
    judge(faults, path, await answerOf(() => client.send(row.method, path, body)))
  }
}

test.each(calls)(
  '$name answers wrong values with a sentence, never with an error of the server',
  async (row) => {
    const faults: string[] = []
    await inPath(row, faults)
    if (row.method === 'GET') await inQuery(row, faults)
    await inBody(row, faults)
    expect(faults).toEqual([])
  },
)

test('a person whose headers are wrong gets an answer, never an error of the server', async () => {
  const faults: string[] = []
  for (const name of [
    'cookie',
    'accept-language',
    'if-none-match',
    'x-xsrf-token',
    'x-invite',
    'accept',
    'x-poll',
    'authorization',
    'range',
  ])
    for (const value of [
      '',
      ';;==',
      '%',
      'x'.repeat(4000),
      '../..',
      'portal_session=%',
      'portal_session=a.b.c',
      '\u00e9',
      'bytes=9-1',
    ])
      for (const path of ['/session', '/admin/schools/list', '/survey/x'])
        judge(faults, `${name}: ${show(value)}`, await (await portal.visitor()).get(path, { [name]: value }))
  expect(faults).toEqual([])
})
