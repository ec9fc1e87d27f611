import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { backendLimit } from './limits.ts'

const sent = v.record(v.string(), v.unknown(), 'required')

/**
 * Calls to a server that a live module declares in `backends`. The portal passes on path, query and JSON body, with a token
 * that names the person, her permissions of the module, and the call. `rest` is the path below the declared address. The
 * JSON of the server is the answer; its 400, 403, 404, 409, 422 and 429 are passed on, everything else is 502, and 504 if it
 * takes longer than 10 seconds.
 */
export const moduleBackends = {
  get: endpoint({
    method: 'GET',
    path: '/modules/:module/backend/:backend/:rest',
    access: 'session',
    answer: v.unknown(),
  }),
  create: endpoint({
    method: 'POST',
    path: '/modules/:module/backend/:backend/:rest',
    access: 'session',
    body: sent,
    bodyLimit: backendLimit,
    answer: v.unknown(),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/modules/:module/backend/:backend/:rest',
    access: 'session',
    body: sent,
    bodyLimit: backendLimit,
    answer: v.unknown(),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/modules/:module/backend/:backend/:rest',
    access: 'session',
    answer: v.unknown(),
  }),
  /** The public keys with which those servers verify the tokens, as a JSON Web Key Set. */
  keys: endpoint({
    method: 'GET',
    path: '/modules/keys.json',
    access: 'public',
    answer: v.object({
      keys: v.array(
        v.object({
          kty: v.literal('EC'),
          crv: v.literal('P-256'),
          x: v.string(),
          y: v.string(),
          kid: v.string(),
          alg: v.literal('ES256'),
          use: v.literal('sig'),
        }),
      ),
    }),
  }),
}
