import { afterAll, expect } from 'vitest'
import { dayFromNow } from '../../cohorts.ts'
import { startAgency } from '../agencies/agency.ts'
import { copyAgency } from '../agencies/copied.ts'
import { type Entry, startRetries } from '../payments/retries.ts'

export const cohorts = '/admin/transfers/cohorts'

export const reason = 'The agency has ended its contract'

/** A portal with three agencies besides the first one, to which a list can be moved or not. */
export async function startMoves() {
  const other = await startAgency()
  afterAll(() => other.close())
  const stage = await startRetries({ agencyHosts: [other.host] })
  const { portal, officer, approver, imported, approve, ending, progress } = stage
  const { owner } = portal
  /** The database role of the api and the worker. */
  const app = portal.db.pool
  const endpoint = other.url
  const second = await copyAgency(portal, 'Second', { endpoint })
  // A worker claims eight payments at once, so that some still wait.
  await owner.query(`update transfer_agencies set details = details || '{"concurrency": 2}' where id = 1`)
  const read = async (id: number, wanted?: number, who = approver) =>
    (await who.get(`${cohorts}/${id}/move${wanted ? `?transfer_agency_id=${wanted}` : ''}`)).body
  const propose = (id: number, to = second, who = officer) =>
    who.post(`${cohorts}/${id}/move`, { transfer_agency_id: to, reason })
  const moveOf = async (id: number) => (await read(id)).proposal?.id
  const decide = (move: number, action = 'approved', who = approver) =>
    who.post(`/admin/transfers/cohort-moves/${move}/decide`, { action })
  const agencyOf = async (id: number) =>
    Number(
      (await owner.query('select transfer_agency_id as a from transfer_cohorts where id = $1', [id])).rows[0]
        .a,
    )
  const executed = async (at: typeof other, entries: readonly Entry[]) => {
    const references = new Set(entries.map(({ reference }) => reference))
    return (await at.ledger())
      .filter((line) => references.has(line.reference))
      .reduce((sum, line) => sum + line.executed, 0)
  }
  /** A cohort whose first round is due in some days, so that nothing of it is sent yet. */
  async function waiting(name: string, size = 2) {
    const id = await imported(name, ending(...Array.from({ length: size }, () => 10)), {
      from: dayFromNow(2),
      to: dayFromNow(60),
    })
    expect((await approve(id)).status).toBe(200)
    await progress(id, ({ round }) => round?.pending === size)
    return id
  }
  return {
    ...stage,
    other,
    owner,
    app,
    endpoint,
    second,
    read,
    propose,
    moveOf,
    decide,
    agencyOf,
    executed,
    waiting,
  }
}
