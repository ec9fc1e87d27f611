import { afterAll, expect, test } from 'vitest'
import { bothAtOnce } from '../../at-once.ts'
import { startAgency } from '../agencies/agency.ts'
import { copyAgency } from '../agencies/copied.ts'
import { type Entry as Paid, startRetries } from './retries.ts'

type Entry = Paid & { master_list_id: number }

const second = await startAgency()
afterAll(() => second.close())
const stage = await startRetries({ agencyHosts: [second.host] })
const { portal, officer, approver, paid } = stage
const secondId = await copyAgency(portal, 'Second', { endpoint: second.url })
const reason = 'The guardian came to the office'
const wrong = async (name: string) => {
  const { id, entries } = await paid(name, 2)
  return { id, entry: entries[0] as Entry }
}
const propose = ({ master_list_id }: Entry, fields: object) =>
  officer.post(`/admin/transfers/master-list/${master_list_id}/corrections`, { reason, ...fields })
const waiting = async ({ master_list_id }: Entry) =>
  (await approver.get('/admin/transfers/corrections?per_page=100')).body.corrections.data.find(
    (each: Entry) => each.master_list_id === master_list_id,
  )
const approve = (id: number) =>
  approver.post(`/admin/transfers/corrections/${id}/decide`, { action: 'approved' })

test('an officer who corrects a girl’s name keeps the number that was approved at that moment', async () => {
  const { entry } = await wrong('Number and name')
  const receiver_phone_number = '+22379000110'
  expect((await propose(entry, { receiver_phone_number })).status).toBe(200)
  const number = await waiting(entry)
  const [approved, proposed] = await bothAtOnce(
    portal,
    approver.user.id,
    () => approve(number.id),
    () => propose(entry, { receiver_first_name: 'Mariam' }),
  )
  expect([approved.status, proposed.status]).toEqual([200, 200])
  const name = await waiting(entry)
  expect(name.old_values.receiver_phone_number).toBe(receiver_phone_number)
  expect(name.new_values).toMatchObject({ receiver_first_name: 'Mariam', receiver_phone_number })
})

test('an officer corrects a girl’s number at the moment at which her list is moved to another agency', async () => {
  const { id, entry } = await wrong('Number and move')
  const cohort = `/admin/transfers/cohorts/${id}`
  const wanted = { transfer_agency_id: secondId, reason }
  expect((await officer.post(`${cohort}/move`, wanted)).status).toBe(200)
  const { proposal } = (await approver.get(`${cohort}/move`)).body
  const [moved, proposed] = await bothAtOnce(
    portal,
    approver.user.id,
    () => approver.post(`/admin/transfers/cohort-moves/${proposal.id}/decide`, { action: 'approved' }),
    () => propose(entry, { receiver_phone_number: '+22379000210' }),
  )
  expect([moved.status, proposed.status]).toEqual([200, 200])
})
