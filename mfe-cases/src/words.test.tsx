import type { Referral } from '@portal/contracts/cases'
import { draw } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import { CasePill, ReferralPill } from './words.tsx'

test.each([
  ['new', 'NEW', 'pill good'],
  ['open', 'OPEN', 'pill good'],
  ['in_progress', 'AWAITING EXTERNAL INPUT', 'pill info'],
  ['resolved', 'RESOLVED', 'pill'],
  ['rejected', 'REJECTED', 'pill bad'],
] as const)('a person reads of a case that is %s: %s, drawn as "%s"', async (status, words, look) => {
  const { box, end } = await draw(<CasePill status={status} />)
  expect(box.textContent?.trim()).toBe(words)
  expect(box.querySelector('.pill')?.className).toBe(look)
  await end()
})

const at = '2026-11-01T08:00:00.000Z'
const awaited = {
  resolved_at: null,
  rejected_at: null,
  revoked_at: null,
  expired_at: null,
  undelivered: null,
}
test.each([
  [{}, 'AWAITING INPUT'],
  [{ undelivered: 'refused' }, 'NOT DELIVERED'],
  [{ undelivered: 'refused', revoked_at: at }, 'WITHDRAWN'],
  [{ resolved_at: at }, 'ANSWERED'],
  [{ rejected_at: at }, 'REQUEST REJECTED'],
  [{ revoked_at: at }, 'WITHDRAWN'],
  [{ expired_at: at }, 'EXPIRED'],
])('a reviewer reads of a consultation with %o: %s', async (ended, words) => {
  const { box, end } = await draw(<ReferralPill referral={{ ...awaited, ...ended } as Referral} />)
  expect(box.textContent?.trim()).toBe(words)
  await end()
})
