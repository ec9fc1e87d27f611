import { afterAll } from 'vitest'
import { recipient, startStage } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { addGsma, startGsma } from './gsma.ts'

/** The operator knows every number as that of "Diarra AWA", except those that end in 02, 13 and 14. */
export const girl = (n: number, first: string, last: string, lastTwo = 20) => [
  first,
  last,
  ...recipient(n, { lastTwo }).slice(2),
]

export const path = (id: number, more = '') => `/admin/transfers/cohorts/${id}/names${more}`

type Count = { state: string; count: number }

export const counted = ({ counts }: { counts: Count[] }) =>
  Object.fromEntries(counts.filter(({ count }) => count > 0).map(({ state, count }) => [state, count]))

/** A portal with an agency that tells the names of its accounts. */
export async function startNames() {
  const stage = await startStage(50)
  const { portal, approver, imported } = stage
  const gsma = await startGsma()
  afterAll(() => gsma.close())
  portal.settings.agencyHosts.push(gsma.host)
  const stopWorker = await portal.worker()
  const addOperator = (name: string) => addGsma(portal, gsma.endpoint, name, { concurrency: 5 })
  const operator = await addOperator('GSMA Mali')
  const read = async (id: number) => (await approver.get(path(id))).body
  const calls = async () => (await gsma.ledger()).calls
  const ended = (id: number) =>
    until(async () => {
      const found = await read(id)
      return found.check && found.check.state !== 'running' && found
    }, 20_000)
  const first = girl(1, 'Awa', 'Diarra')
  const list = await imported(
    'Named',
    [
      first,
      // Her sister, with the same guardian and number.
      ['Awa', 'Diarra', String(first[2]), 'KYS-000002', null],
      girl(3, 'Awa', 'Diara'),
      girl(4, 'Fatoumata', 'Coulibaly', 13),
      girl(5, 'Mariam', 'Keïta', 14),
      girl(6, 'Oumou', 'Sangaré', 2),
    ],
    { transfer_agency_id: operator },
  )
  return { ...stage, gsma, operator, addOperator, list, stopWorker, read, calls, ended }
}
