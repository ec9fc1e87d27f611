import swagger from '@fastify/swagger'
import { type Access, type Endpoint, wordParams } from '@portal/contracts/endpoint'
import { toJsonSchema } from '@valibot/to-json-schema'
import Fastify from 'fastify'
import type { GenericSchema } from 'valibot'

const info = {
  title: 'Portal',
  version: '1',
  description:
    'The calls of the portal, made from its contracts by `npm run openapi`. What holds for all of them stands in docs/calls.md.',
}
const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'portal_session',
    description: 'Over https its name is `__Host-portal_session`.',
  },
  antiForgery: { type: 'apiKey', in: 'header', name: 'X-XSRF-TOKEN' },
  invite: { type: 'apiKey', in: 'header', name: 'X-Invite' },
  machine: { type: 'http', scheme: 'bearer' },
} as const

/** Builds the OpenAPI document of some calls with a server that never listens. */
export async function openApiOf(endpoints: readonly Endpoint[], base: string): Promise<object> {
  const server = Fastify({ routerOptions: { maxParamLength: 200 } })
  // The schemas are used only for the document. Calls are validated by valibot alone.
  server.setValidatorCompiler(() => () => true)
  server.setSerializerCompiler(() => JSON.stringify)
  await server.register(swagger, {
    openapi: { openapi: '3.1.0', info, servers: [{ url: base }], components: { securitySchemes } },
  })
  server.after(() => {
    for (const endpoint of inOrder(endpoints))
      server.route({
        method: endpoint.method,
        url: endpoint.path,
        schema: schemaOf(endpoint),
        handler: () => null,
      })
  })
  await server.ready()
  const document = server.swagger()
  await server.close()
  return document
}

const inOrder = (endpoints: readonly Endpoint[]) =>
  endpoints.toSorted((a, b) => (a.path + a.method < b.path + b.method ? -1 : 1))

function schemaOf(endpoint: Endpoint) {
  const { path, query, body, answer, access, fresh, multipart, method } = endpoint
  const params = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return {
    tags: [path.split('/')[path.startsWith('/admin/') ? 2 : 1] ?? 'portal'],
    description: whoMay(access) + (fresh ? ' Needs a sign-in within the last five minutes.' : ''),
    security: securityOf(access, method),
    ...(params.length > 0 && { params: paramsOf(params) }),
    ...(query && { querystring: jsonSchema(query, 'input') }),
    ...(body && { body: jsonSchema(body, 'input', multipart) }),
    ...(multipart && { consumes: ['multipart/form-data'] }),
    response:
      answer.type === 'null'
        ? { 204: { description: 'No answer.', type: 'null' } }
        : { 200: { description: 'The answer.', ...jsonSchema(answer, 'output') } },
  }
}

const paramsOf = (names: readonly string[]) => ({
  type: 'object',
  required: names,
  properties: Object.fromEntries(
    names.map((name) => [
      name,
      wordParams.includes(name) ? { type: 'string' } : { type: 'integer', minimum: 1 },
    ]),
  ),
})

/**
 * Converts a schema to JSON Schema. Checks that JSON Schema cannot express are left out; the server still makes them.
 * In a form, custom schemas are files.
 */
function jsonSchema(schema: GenericSchema, typeMode: 'input' | 'output', files = false) {
  const { $schema, ...rest } = toJsonSchema(schema, {
    typeMode,
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      files && valibotSchema.type === 'custom' ? { type: 'string', format: 'binary' } : jsonSchema,
  })
  return rest
}

function whoMay(access: Access): string {
  if (access === 'public') return 'Anybody may call.'
  if (access === 'session') return 'Any signed-in person may call.'
  if (access === 'invite') return 'Whoever holds the invite link may call.'
  if (access === 'machine') return 'A machine calls, with its token.'
  if (access === 'signed') return 'An agency calls, and signs the body.'
  const permissions = typeof access === 'string' ? [access] : access
  return `Asks for ${permissions.map((permission) => `\`${permission}\``).join(' or ')}.`
}

function securityOf(access: Access, method: Endpoint['method']): Record<string, string[]>[] {
  if (access === 'machine') return [{ machine: [] }]
  if (access === 'signed') return []
  const guarded: Record<string, string[]> = method === 'GET' ? {} : { antiForgery: [] }
  if (access === 'public') return method === 'GET' ? [] : [guarded]
  if (access === 'invite') return [{ invite: [], ...guarded }]
  return [{ session: [], ...guarded }]
}
