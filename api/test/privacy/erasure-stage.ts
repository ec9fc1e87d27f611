import { expect } from 'vitest'
import { linkAudits, verifyAudits } from '../../src/kit/audit/audit-chain.ts'
import { verifyLedger } from '../../src/transfers/ledger/ledger-check.service.ts'
import { caseStage, expert, pdf } from '../cases/case-stage.ts'
import type { Client } from '../client.ts'
import { type Account, type Portal, until } from '../portal.ts'
import { addPlaces, addSchools, addStudents } from '../registers/registers.ts'

export type Signed = Client & { user: Account }
export const girl = 'Aïssata Traoré 1'
export const why = { reason: 'Her mother asked in writing' }

export const erasures = async (person: Client) => (await person.get('/admin/erasures')).body.erasures.data
export const pageOf = async (person: Client, kind: string, id: number) =>
  (await person.get(`/admin/people/${kind}/${id}`)).body

/** For tests of the data of one person: three girls, of whom the first is named in an open case with a document and a consultation. */
export async function erasureStage(portal: Portal) {
  const { owner, settings } = portal
  const studentOf = async (code: string): Promise<number> =>
    (await owner.query('select id from students where student_code = $1', [code])).rows[0].id
  await portal.worker()
  await addPlaces(portal)
  await addSchools(portal)
  await addStudents(portal, 3)

  return {
    studentOf,
    student: await studentOf('S-1'),
    number: await caseNaming(portal),
    later: (person: Signed) =>
      owner.query("update sessions set created_at = now() - interval '6 minutes' where user_id = $1", [
        person.user.id,
      ]),
    async verified() {
      // Entries behind a transaction that is still open are linked later.
      const audits = await until(async () => {
        await linkAudits(portal.db, settings.secret, null)
        const found = await verifyAudits(portal.db, settings.secret)
        return found.unlinked === 0 && found
      })
      expect(audits).toMatchObject({ fault: null })
      expect(await verifyLedger(portal.db)).toMatchObject({ faults: [] })
    },
    /** One administrator asks for the erasure, another one approves it, and the worker carries it out. */
    async erased(kind: string, id: number) {
      const asks: Signed = await portal.signedInAs('Administrator')
      const decides: Signed = await portal.signedInAs('Administrator')
      expect((await asks.post(`/admin/people/${kind}/${id}/erasures`, why)).status).toBe(200)
      const [request] = await erasures(decides)
      const approval = { action: 'approved', reason: 'Letter seen', version: 1 }
      expect((await decides.post(`/admin/erasures/${request.id}/decision`, approval)).status).toBe(200)
      await until(async () => (await pageOf(decides, kind, id)).erasure.state === 'erased')
    },
  }
}

/** Files a case that names the first girl, and returns its number. */
async function caseNaming(portal: Portal): Promise<string> {
  const { filer, reviewer, fileCase } = await caseStage(portal)
  const { id, number } = await fileCase(filer, { description: `${girl} was not paid.` })
  await reviewer.upload('/admin/cases/file', {
    complain_id: id,
    description: 'Her letter',
    file: new File([new Uint8Array(pdf)], 'letter.pdf'),
  })
  await reviewer.upload('/admin/cases/refer', { complain_id: id, ...expert })
  return number
}
