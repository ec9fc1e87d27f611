import { createHash } from 'node:crypto'
import type { AgencyAccess, Outcome } from './connector.ts'
import { readError } from './gsma-answers.ts'
import type { AgencyHttp, Post, Reply } from './http.ts'
import { signedCalls } from './oauth.ts'

/** Makes a call of an operator. A failure is returned as the outcome that it means for the payment. */
export type GsmaCall = (agency: AgencyAccess, path: string, post?: Post) => Promise<Reply | Outcome>

/** The calls of the operators of one connector, which share their tokens. */
export function gsmaCalls(http: AgencyHttp): GsmaCall {
  const signed = signedCalls(http)
  return (agency, path, post) => {
    const { endpoint, details } = agency
    const text = JSON.stringify(post?.body ?? {})
    return signed(agency, `${endpoint.replace(/\/+$/, '')}${path}`, {
      ...(post ? { method: 'POST', body: text, mayLeave: post.mayLeave } : { method: 'GET' }),
      headers: {
        'x-date': new Date().toISOString(),
        ...(typeof details.api_key === 'string' && { 'x-api-key': details.api_key }),
        ...(typeof details.client_id === 'string' && { 'x-client-id': details.client_id }),
        ...(post && { 'content-type': 'application/json', 'x-content-hash': sha256(text) }),
        ...post?.headers,
      },
    })
  }
}

/** Whether a call was answered with what it asked for. */
export const isGood = (reply: Reply): reply is Reply & { body: Record<string, unknown> } =>
  reply.status === 200 && reply.body !== null

/** A query that is refused says nothing about the order, except that its credentials are wrong or that it came too early. */
export function unfollowed(reply: Reply): Outcome {
  const outcome = readError(reply)
  if (outcome.kind === 'not_sent' || (outcome.kind === 'unusable' && outcome.reason === 'credentials'))
    return outcome
  return { kind: 'unknown', reason: `http_${reply.status}` }
}

/** SHA-256 in hexadecimal digits. */
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
