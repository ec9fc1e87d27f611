import { beforeAll, expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { asConsultant, caseStage, expert, file, inviteOf, pdf } from './case-stage.ts'

const portal = await startPortal()
const { reviewer, filer, fileCase } = await caseStage(portal)
beforeAll(async () => {
  await portal.worker()
})

const documentsOf = async (caseId: number): Promise<{ id: number }[]> =>
  (await reviewer.get(`/admin/cases/${caseId}/details`)).body.complain.documents

/** An expert who was asked about a case and sent its document, in a browser of her own. */
async function askedExpert(name: string) {
  const { id, number } = await fileCase(filer, { file: file(`${name}.pdf`, pdf) })
  const shared = (await documentsOf(id))[0]?.id ?? 0
  const asked = { ...expert, complain_id: id, 'document_ids[]': [String(shared)] }
  expect((await reviewer.upload('/admin/cases/refer', asked)).status).toBe(200)
  const link = asConsultant(await portal.visitor(), await inviteOf(portal, number))
  return { ...link, shared, named: async () => (await link.read()).body.complainReferral.documents }
}

test('two experts who are asked at the same time read the document of their own request, and not the other’s', async () => {
  const [one, two] = [await askedExpert('one'), await askedExpert('two')]
  for (const [own, other] of [
    [one, two],
    [two, one],
  ] as const) {
    expect(await own.named()).toMatchObject([{ id: own.shared }])
    expect((await own.document(own.shared)).status).toBe(200)
    expect((await own.document(other.shared)).status).toBe(404)
  }
})

test('an expert reads what she sent herself while her request is open, and nobody reads anything with its link once she has answered or declined', async () => {
  const ends: Record<string, string>[] = [{ comment: 'It is hers.' }, { reject: 'true' }]
  for (const end of ends) {
    const asked = await askedExpert('letter')
    expect((await asked.send({ description: 'Proof', file: file('proof.pdf', pdf) })).status).toBe(200)
    const ids = (await asked.named()).map(({ id }: { id: number }) => id)
    expect(ids).toHaveLength(2)
    for (const id of ids) expect((await asked.document(id)).status).toBe(200)
    expect((await asked.answer(end)).status).toBe(200)
    expect(await asked.named()).toEqual([])
    for (const id of ids) expect((await asked.document(id)).status).toBe(404)
  }
})

test('a reviewer sends an expert documents of the case, and none of another case', async () => {
  const [mine, other] = [await fileCase(), await fileCase(filer, { file: file('other.pdf', pdf) })]
  const foreign = (await documentsOf(other.id))[0]?.id
  const asked = { ...expert, complain_id: mine.id, 'document_ids[]': [String(foreign)] }
  const refused = await reviewer.upload('/admin/cases/refer', asked)
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['document_ids']])
  expect((await reviewer.get(`/admin/cases/${mine.id}/details`)).body.referrals).toEqual([])
})
