import { randomUUID } from 'node:crypto'
import type { AuditLog } from '@portal/contracts/audit'
import type { HeldDifference } from '@portal/contracts/transfers/sending-hold'
import { expect, test } from 'vitest'
import { until } from '../../portal.ts'
import { holdPath, startHolds } from './holds.ts'

const stage = await startHolds()
const { approver, asked, moveMark, newRound, payElsewhere, payments, portal, work } = stage

test('an approver finds in what a hold learned the payment that she asks her agency about, and the log names the girl', async () => {
  const { round } = await newRound(2)
  const ours = await payments(round)
  for (const payment of ours) await payElsewhere(payment)
  const unknown = { reference: 'f0'.repeat(16), key: randomUUID(), phone: '+22376009999' }
  await payElsewhere(unknown)
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  await work()
  await asked()
  const found = async (search: string, who = approver): Promise<HeldDifference[]> =>
    (await who.get(`${holdPath}/differences?search=${encodeURIComponent(search)}`)).body.differences.data
  const all = await until(async () => {
    const listed = await found('')
    return listed.length === 3 && listed
  })
  const [first, second] = ours
  const learned = all.find(({ reference }) => reference === first?.reference)
  expect(all.map(({ kind }) => kind).sort()).toEqual(['learned', 'learned', 'unknown_here'])
  const names = [first?.reference, first?.phone.slice(4), learned?.external_trx_id]
  for (const name of names) expect(await found(name ?? ''), name ?? '').toEqual([learned])
  expect((await found('coulibaly fatoumata')).map(({ kind }) => kind)).toEqual(['learned', 'learned'])
  expect(await found(second?.phone ?? '')).not.toContainEqual(learned)
  expect(await found(unknown.reference)).toMatchObject([{ kind: 'unknown_here', phone: unknown.phone }])
  expect(await found('nobody')).toEqual([])

  const reader = await portal.signedIn('transfers.view')
  await found(first?.phone ?? '', reader)
  const auditor = await portal.signedInAs('Auditor')
  const { body } = await auditor.get(`/admin/users/audit/logs?user_id=${reader.user.id}&event=searched`)
  const { rows } = await portal.owner.query(
    'select payee_of(master_list_id)::int as id from transfer_payrolls where reference = $1',
    [first?.reference],
  )
  expect((body.logs.data as AuditLog[]).map(({ new_values }) => new_values)).toMatchObject([
    { found: 1, first_found: [{ id: rows[0]?.id }] },
  ])
})
