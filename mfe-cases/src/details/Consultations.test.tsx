import type { Referral } from '@portal/contracts/cases'
import { drawInShell } from '@portal/screens/test-host'
import { named } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import { Consultations } from './Consultations.tsx'

const referral: Referral = {
  id: 4,
  number: 'CAS-2026-0001-1',
  comment: 'Is this number still in use?',
  salutation: 'dr',
  first_name: 'Ibrahima',
  last_name: 'Ndiaye',
  email: 'ibra@test.example',
  profession: 'Telecom engineer',
  user: { first_name: 'Awa', last_name: 'Diarra' },
  created_at: '2026-06-03T10:00:00.000Z',
  expires_at: '2026-07-03T10:00:00.000Z',
  resolved_at: null,
  rejected_at: null,
  revoked_at: null,
  expired_at: null,
  undelivered: null,
  complain: { id: 1, number: 'CAS-2026-0001', title: 'Not paid', created_at: '2026-06-03T10:00:00.000Z' },
  document: null,
  documents: [],
  notes: [],
}

test.each([
  ['a filer who neither sees all cases nor reviews any', ['cases.view', 'cases.manage'], false],
  ['a reviewer', ['cases.view'], true],
  ['a person who sees all cases', ['cases.manage'], true],
])('%s is offered the page of the expert only if she may open it', async (_, lacking, offered) => {
  const { end } = await drawInShell(
    <Consultations caseId={1} referrals={[referral]} may={false} onAct={() => undefined} />,
    () => ({ body: {} }),
    '/admin/cases/1/details',
    lacking,
  )
  expect(named('See Details')).toBeDefined()
  expect(named('See as the expert') !== undefined).toBe(offered)
  await end()
})

test.each([
  [
    'refused',
    true,
    'The letter was not delivered: the address ibra@test.example was refused. Withdraw the request and ask again with the right address.',
  ],
  ['refused', false, 'The letter was not delivered: the address ibra@test.example was refused.'],
  [
    'not_taken',
    true,
    'The letter to ibra@test.example was not delivered: no mail server took it within two days. Check the address, withdraw the request and ask again.',
  ],
  [null, true, undefined],
] as const)(
  'whoever opens a case whose letter has the failure %s (may withdraw: %s) reads: %s',
  async (undelivered, may, words) => {
    const { end } = await drawInShell(
      <Consultations
        caseId={1}
        referrals={[{ ...referral, undelivered }]}
        may={may}
        onAct={() => undefined}
      />,
      () => ({ body: {} }),
      '/admin/cases/1/details',
      [],
    )
    expect(document.querySelector('.notice')?.textContent?.trim()).toBe(words)
    await end()
  },
)

test('whoever opens a case does not read that a letter was not delivered once its request was withdrawn', async () => {
  const { end } = await drawInShell(
    <Consultations
      caseId={1}
      referrals={[{ ...referral, undelivered: 'refused', revoked_at: '2026-06-04T10:00:00.000Z' }]}
      may
      onAct={() => undefined}
    />,
    () => ({ body: {} }),
    '/admin/cases/1/details',
    [],
  )
  expect(document.querySelector('.notice')).toBe(null)
  await end()
})
