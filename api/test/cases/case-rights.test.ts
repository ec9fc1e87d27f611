import { beforeEach, expect, test } from 'vitest'
import { sha256 } from '../../src/kit/secrets/seal.ts'
import { startPortal } from '../portal.ts'

const portal = await startPortal()
const { owner } = portal

beforeEach(() => portal.clear())

async function addCase(filer: number, reviewer: number, number: string) {
  await owner.query(
    `insert into reference_values (list, code, en, fr) values ('case_type', 'payment', 'Payment', 'Paiement'), ('case_channel', 'phone', 'Phone', 'Téléphone')
     on conflict do nothing`,
  )
  const { rows } = await owner.query(
    `insert into cases (number, title, description, priority, type_id, channel_id, assigned_id, user_id)
     select $3, 'Paiement manqué', 'Rien reçu', 'high_1_day', t.id, c.id, $2, $1 from reference_values t, reference_values c
     where t.list = 'case_type' and t.code = 'payment' and c.list = 'case_channel' and c.code = 'phone' returning id`,
    [filer, reviewer, number],
  )
  return rows[0].id as number
}

test('a case is listed for its filer, its reviewer, and people who may see all cases', async () => {
  const reviewer = await portal.signedInAs('Case Reviewer')
  const filer = await portal.signedIn()
  const stranger = await portal.signedIn()
  await addCase(filer.user.id, reviewer.user.id, 'CASE-1')
  await owner.query(
    "insert into partners (name, user_id, partner_type, partner_since) values ('Right To Play', $1, 'ngo', '2020-01-01')",
    [reviewer.user.id],
  )
  const seen = await filer.get('/admin/cases?search_term=manque', { 'accept-language': 'fr' })
  expect(seen.body).toMatchObject({
    isSearch: true,
    complains: {
      total: 1,
      data: [{ number: 'CASE-1', status: 'new', type: { name: 'Paiement' }, assigned_id: reviewer.user.id }],
    },
    partners: [{ name: 'Right To Play', user: { id: reviewer.user.id } }],
  })
  expect((await reviewer.get('/admin/cases')).body.complains.total).toBe(1)
  expect((await stranger.get('/admin/cases')).body.complains.total).toBe(0)
})

test('a consultant with an invite sees the case number and the masked reviewer, and nothing else of the case', async () => {
  const reviewer = await portal.account('Case Reviewer')
  const caseId = await addCase(reviewer.id, reviewer.id, 'CASE-2')
  await owner.query(
    `insert into referrals (case_id, number, comment, salutation, first_name, last_name, email, profession, user_id, invite_hash)
     values ($1, 'REF-1', 'Votre avis ?', 'dr', 'Ibrahima', 'Ndiaye', 'ibra@test.example', 'Doctor', $2, $3)`,
    [caseId, reviewer.id, sha256('the-invite')],
  )
  const consultant = await portal.visitor()
  const read = await consultant.get('/external/cases/the-invite')
  expect(read.body.complainReferral).toMatchObject({
    number: 'REF-1',
    comment: 'Votre avis ?',
    user: { first_name: 'A••••', last_name: 'D••••' },
    complain: { id: caseId, number: 'CASE-2' },
  })
  expect(JSON.stringify(read.body)).not.toMatch(/Paiement|Rien reçu|Diarra/)
  await owner.query('update referrals set resolved_at = now()')
  expect((await consultant.get('/external/cases/the-invite')).body.complainReferral.comment).toBeNull()
  await owner.query('update referrals set resolved_at = null, revoked_at = now()')
  for (const invite of ['the-invite', 'another', 'x'.repeat(150)]) {
    const refused = await consultant.get(`/external/cases/${invite}`)
    expect(refused.status).toBe(404)
    expect(refused.body.message).toMatch(/^Oops! Something doesn't seem right/)
  }
})
