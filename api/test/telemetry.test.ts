import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { endAgency, spawnWorker } from './agency.ts'
import { startApiProcess } from './api-process.ts'
import { startPortal, until } from './portal.ts'

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

const facts = (span: Sent) =>
  Object.fromEntries(
    span.attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  )

test('an operator follows a call of a trusted proxy from the api to its job in the worker, and reads no value of a person', async () => {
  const portal = await startPortal()
  const officer = await portal.signedIn('students.view', 'students.export')
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRUSTED_PROXIES: '127.0.0.1' }
  const { child, url, readyz } = await startApiProcess(portal, env)
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
  const headers = {
    'content-type': 'application/json',
    'x-xsrf-token': decodeURIComponent(officer.cookies.get('XSRF-TOKEN') ?? ''),
    cookie: [...officer.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  }
  const [given, refused] = ['4bf92f3577b34da6a3ce929d0e0e4736', '0af7651916cd43dd8448eb211c80319c']
  const begin = await fetch(`${url}/admin/schools/students/export`, {
    method: 'POST',
    headers: { ...headers, ...proxy, traceparent: `00-${given}-00f067aa0ba902b7-01` },
    body: JSON.stringify({ search: 'Fatoumata 76543210', locale: 'en' }),
  })
  expect(begin.status).toBe(202)
  // Whoever is no proxy does not choose the trace.
  await fetch(`${url}/session`, { headers: { traceparent: `00-${refused}-00f067aa0ba902b7-01` } })
  await until(
    async () => spans.some(({ name, service }) => name.startsWith('job') && service === 'portal-worker'),
    90_000,
  )
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
  expect(bodies.join()).not.toMatch(/Fatoumata|76543210|192\.0\.2\.7/)
}, 180_000)
