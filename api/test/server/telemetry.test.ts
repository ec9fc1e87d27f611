import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startApiProcess } from '../api-process.ts'
import type { Client } from '../client.ts'
import { addList, addPeople } from '../people.ts'
import { startPortal, until } from '../portal.ts'
import { endAgency, spawnWorker, startAgency } from '../transfers/agencies/agency.ts'
import { startStore } from './object-store.ts'

type Value = { stringValue?: string; intValue?: number | string }
type Sent = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Value }[]
  status: { code?: number }
}
const spans: (Sent & { service: string })[] = []
const bodies: string[] = []

/** A receiver of OTLP by HTTP, which keeps what arrives. */
const receiver = createServer(async (request, response) => {
  const body = await text(request)
  bodies.push(body)
  for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
    const service = resource.attributes.find(({ key }: { key: string }) => key === 'service.name')
    for (const scope of scopeSpans)
      for (const span of scope.spans) spans.push({ ...span, service: service.value.stringValue })
  }
  response.setHeader('content-type', 'application/json').end('{}')
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
afterAll(() => receiver.close())
const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`

const [store, agency] = await Promise.all([startStore(), startAgency()])
afterAll(() => agency.close())

const facts = (span: Sent) =>
  Object.fromEntries(
    span.attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  )

test('an operator follows a call of a trusted proxy to its job, its file and its payments, and reads no value of a person', async () => {
  const portal = await startPortal({ agencyHosts: [agency.host] })
  const officer = await portal.signedIn('students.view', 'students.export')
  const approver = await portal.signedInAs('Transfer Approver')
  const { officer: uploader } = await addPeople(portal.db, 3, agency.url)
  const cohort = await portal.db.transaction().execute((tx) => addList(tx, uploader, 3, 'Kayes'))
  const { bucket, key, secret, region } = store.bucket
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    TRUSTED_PROXIES: '127.0.0.1',
    PORTAL_STORAGE: 's3',
    S3_ENDPOINT: store.bucket.endpoint,
    S3_FILES_BUCKET: bucket,
    S3_KEY: key,
    S3_SECRET: secret,
    S3_REGION: region,
    S3_PATH_STYLE: 'yes',
  }
  const log = join(portal.settings.dataDir, 'api.log')
  const { child, url, readyz } = await startApiProcess(portal, { ...env, LOG_LEVEL: 'info' }, undefined, log)
  const worker = spawnWorker(portal.settings, undefined, undefined, env)
  onTestFinished(async () => {
    await Promise.all([endAgency(child, 'SIGKILL'), endAgency(worker, 'SIGKILL')])
  })
  await until(() =>
    fetch(readyz).then(
      ({ ok }) => ok,
      () => false,
    ),
  )

  const proxy = { 'x-forwarded-for': '192.0.2.7' }
  const send = (person: Client, path: string, trace: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-xsrf-token': decodeURIComponent(person.cookies.get('XSRF-TOKEN') ?? ''),
        cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...proxy,
        traceparent: `00-${trace}-00f067aa0ba902b7-01`,
      },
      body: JSON.stringify(body),
    })
  const given = '4bf92f3577b34da6a3ce929d0e0e4736'
  const approved = '8a3c60f7d188f8fa79d48a391a778fa6'
  const refused = '0af7651916cd43dd8448eb211c80319c'
  const search = { search: 'Fatoumata 76543210', locale: 'en' }
  expect((await send(officer, '/admin/schools/students/export', given, search)).status).toBe(202)
  const decision = `/admin/transfers/cohorts/${cohort}/approve`
  expect((await send(approver, decision, approved, { action: 'approved' })).status).toBe(200)
  // Whoever is no proxy does not choose the trace.
  await fetch(`${url}/session`, { headers: { traceparent: `00-${refused}-00f067aa0ba902b7-01` } })
  const arrived = (name: string) => spans.filter((span) => span.name === name)
  await until(async () => arrived('job export').length > 0 && arrived('order').length >= 3, 90_000)
  await Promise.all([endAgency(child, 'SIGTERM'), endAgency(worker, 'SIGTERM')])

  const trace = spans.filter(({ traceId }) => traceId === given)
  const call = trace.find(({ name }) => name === 'POST /api/admin/schools/students/export')
  expect(call).toMatchObject({ parentSpanId: '00f067aa0ba902b7', service: 'portal-api' })
  expect(facts(call as Sent)).toMatchObject({ 'http.response.status_code': 202 })
  const job = trace.find(({ name }) => name === 'job export')
  expect(job).toMatchObject({ parentSpanId: call?.spanId, service: 'portal-worker' })
  for (const within of [call, job]) {
    const statements = trace.filter(({ parentSpanId }) => parentSpanId === within?.spanId)
    expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['select']))
  }
  expect(spans.some(({ traceId }) => traceId === refused)).toBe(false)
  // The line of the call in the log leads to its trace.
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  const logged = lines.map((each) => JSON.parse(each)).filter(({ trace_id }) => trace_id === given)
  expect(logged.map((each) => JSON.stringify(each))).toContainEqual(
    expect.stringContaining('/api/admin/schools/students/export'),
  )
  // The file of the export goes to the store.
  const kept = trace.filter(({ name, parentSpanId }) => name === 'PUT store' && parentSpanId === job?.spanId)
  expect(kept.map(facts)).toContainEqual({ 'http.request.method': 'PUT', 'http.response.status_code': 200 })

  // Each payment is sent by a worker that nobody called, and is shown with the approval all the same.
  const round = spans.filter(({ traceId }) => traceId === approved)
  const approval = round.find(({ name }) => name.startsWith('POST /api/admin/transfers/cohorts/'))
  const orders = round.filter(({ name }) => name === 'order')
  expect(orders).toHaveLength(3)
  for (const order of orders) {
    expect(order).toMatchObject({ parentSpanId: approval?.spanId, service: 'portal-worker', attributes: [] })
    const [sent] = round.filter(({ parentSpanId }) => parentSpanId === order.spanId)
    expect(sent).toMatchObject({ name: 'POST agency', service: 'portal-worker' })
    expect(facts(sent as Sent)).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'server.address': agency.host,
    })
  }
  const numbers = (await agency.ledger()).map(({ phone }) => phone.slice(-8))
  expect(numbers).toHaveLength(3)
  for (const number of numbers) expect(bodies.join()).not.toContain(number)
  expect(bodies.join()).not.toMatch(/Fatoumata|76543210|192\.0\.2\.7/)
}, 180_000)
