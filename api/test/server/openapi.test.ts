import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openApiOf } from '../../src/openapi.ts'
import { startPortal } from '../portal.ts'

const portal = await startPortal()
const written = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))

test('an integrator finds every call of the portal in docs/openapi.json; after a change run `npm run openapi`', async () => {
  const document = JSON.parse(JSON.stringify(await openApiOf(portal.endpoints, '/api')))
  expect(document).toEqual(written)
  const calls = Object.values<object>(written.paths).flatMap((path) => Object.keys(path))
  expect(calls).toHaveLength(portal.endpoints.length)
})

test('an integrator reads who may call, what to send and what comes back', () => {
  expect(written.paths['/admin/schools/{id}'].put).toMatchObject({
    description: 'Asks for `schools.update`.',
    security: [{ session: [], antiForgery: [] }],
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }],
    responses: {
      200: { content: { 'application/json': { schema: { properties: { message: { type: 'string' } } } } } },
    },
  })
  const upload = written.paths['/admin/transfers/cohorts/import'].post.requestBody.content
  expect(Object.keys(upload)).toEqual(['multipart/form-data'])
  expect(JSON.stringify(upload)).toContain('"format":"binary"')
})
