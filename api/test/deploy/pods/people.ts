import type { FormData } from 'undici'
import { expect } from 'vitest'
import { codeAt, stepAt } from '../../../src/access/totp.ts'
import { until } from '../../portal.ts'
import { fileOf } from '../../registers/registers.ts'
import type { Crowd } from '../shape/crowd.ts'
import { formOf, type Person } from '../shape/person.ts'

/** Signs somebody in, and turns one-time codes on. */
export async function signInWithCodes(crowd: Crowd, email: string): Promise<Person> {
  const person = await crowd.person(email)
  const { secret } = (await person.once('POST', '/totp')).body
  const code = codeAt(secret, stepAt(Date.now()) * 30_000)
  await send(person, '/totp/confirm', { code })
  return person
}

/** Sends a call and returns what was answered. If it was refused, the test says how. */
export async function send(person: Person, path: string, sent: object | FormData, expected = 200) {
  const { status, text, body } = await person.once('POST', path, sent)
  expect([status, text]).toEqual([expected, expect.any(String)])
  return body
}

/** Waits until the rows of an import are stored. */
export async function imported(person: Person, id: number) {
  const ended = await until(async () => {
    const { state, errors } = (await person.read(`/imports/${id}`)).body.import
    return ['imported', 'failed', 'review'].includes(state) && { state, errors }
  }, 60_000)
  expect(ended).toEqual({ state: 'imported', errors: [] })
}

/** Uploads a file of a register and waits until its rows are stored. */
export async function importFile(
  person: Person,
  path: string,
  field: string,
  rows: Parameters<typeof fileOf>[0],
) {
  const sent = await send(person, path, formOf({ [field]: fileOf(rows) }))
  await imported(person, sent.import.id)
}

/** Makes the agency at this address and a parameter. */
export async function makeAgency(person: Person, endpoint: string) {
  await send(person, '/admin/transfers/agency', {
    ...{ name: 'Agency', description: 'Mobile money', type: 'mobile_money', country: 'ml', fees: 1.5 },
    ...{ endpoint, details: '{"protocol": "sandbox"}' },
  })
  await send(person, '/admin/transfers/parameter', {
    ...{ name: 'Monthly', description: 'Per month', commission: 2, amount: 10_500 },
    ...{ currency: 'XOF', frequency: 1 },
  })
}
