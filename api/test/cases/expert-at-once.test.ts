import { beforeAll, expect, test } from 'vitest'
import { bothAtOnce } from '../at-once.ts'
import { startPortal } from '../portal.ts'
import { asConsultant, caseStage, expert, file, inviteOf, pdf } from './case-stage.ts'

const portal = await startPortal()
const { reviewer, fileCase } = await caseStage(portal)
beforeAll(async () => {
  await portal.worker()
})

test('an expert whose document was taken is told so, although the reviewer withdraws the request at that moment', async () => {
  const { id, number } = await fileCase()
  await reviewer.upload('/admin/cases/refer', { ...expert, complain_id: id })
  const consultant = asConsultant(await portal.visitor(), await inviteOf(portal, number))
  const { referrals } = (await reviewer.get(`/admin/cases/${id}/details`)).body
  const [sent, withdrawn] = await bothAtOnce(
    portal,
    // The answer reads this table once the document is kept.
    'lock table referral_documents in access exclusive mode',
    () => consultant.send({ description: 'Opinion', file: file('opinion.pdf', pdf) }),
    () => reviewer.post(`/admin/cases/referrals/${referrals[0].id}/revoke`),
  )
  expect([sent.status, withdrawn.status]).toEqual([200, 200])
  expect((await consultant.read()).status).toBe(404)
})
