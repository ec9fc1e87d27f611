import { expect, test } from 'vitest'
import type { Outcome } from '../connectors/connector.ts'
import { readAnswer } from './name-answers.service.ts'

const refused = (reason: string): Outcome => ({ kind: 'failed', reason, external_trx_id: null, echo: {} })
const noAccount = { outcome: 'not_found', holder: null, within_limits: null }

test('an approver reads "no active account" only of a number whose holder the agency refuses', () => {
  expect(readAnswer(refused('recipient-account-blocked'))).toEqual(noAccount)
  expect(
    readAnswer({ name: 'match', holder: 'Awa Diarra', within_limits: null, active: false }),
  ).toMatchObject({ outcome: 'not_found', holder: 'Awa Diarra' })
  for (const reason of ['recipient-limit-exceeded', 'request-validation-error', 'something-new'])
    expect([reason, readAnswer(refused(reason))]).toEqual([reason, null])
  expect(readAnswer({ kind: 'unknown', reason: 'http_500' })).toBeNull()
})
