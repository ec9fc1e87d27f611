import { endpoint } from '@portal/contracts/endpoint'
import { day, done, listQuery } from '@portal/contracts/fields'
import * as v from 'valibot'
import { type ClientOptions, createClient } from './client.ts'
import type { Problem } from './problem.ts'

export const read = endpoint({
  method: 'GET',
  path: '/admin/cohorts/:id',
  access: 'transfers.view',
  query: listQuery(['name']),
  answer: v.object({ name: v.string() }),
})
export const change = endpoint({
  method: 'PUT',
  path: '/admin/cohorts/:id',
  access: 'cohorts.create',
  body: v.object({ from: day }),
  answer: done,
})

export const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

/** A client whose server gives these answers, one after the other; each call is kept. */
export function serving(answers: (Response | Error)[], options: Partial<ClientOptions> = {}) {
  const calls: { url: string; method: string; headers: Headers; body: unknown }[] = []
  const client = createClient({
    base: '/api',
    locale: () => 'fr',
    ...options,
    fetch: async (url, init) => {
      calls.push({
        url: String(url),
        method: init?.method ?? 'GET',
        headers: new Headers(init?.headers),
        body: init?.body,
      })
      const answer = answers[calls.length - 1]
      if (!answer) throw new Error('One call too many.')
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  return { client, calls }
}

/** The problem with which a call fails. */
export const failure = (call: Promise<unknown>): Promise<Problem> =>
  call.then(
    () => {
      throw new Error('It should have failed.')
    },
    (thrown) => thrown as Problem,
  )
