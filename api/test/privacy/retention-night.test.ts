import { expect, test } from 'vitest'
import { tidy } from '../../src/privacy/retention.service.ts'
import { startPortal } from '../portal.ts'

const portal = await startPortal()
const { owner, context } = portal

const addOldLetter = () =>
  owner.query(
    `insert into mails (recipient, subject, state, created_at) values ('a@test.example', 's', 'sent', now() - interval '91 days')`,
  )
const letters = async () => (await owner.query('select from mails')).rowCount
const counted = async () =>
  (
    await owner.query(
      `select w.new_values from audits a join audit_values w on w.audit_id = a.id where a.event = 'old data deleted' order by a.id`,
    )
  ).rows.map((row) => row.new_values)

test('an auditor reads how much was deleted: what becomes old after the night is over waits for the next one', async () => {
  await addOldLetter()
  await tidy(context)
  expect([await letters(), await counted()]).toEqual([0, [{ letters: 1 }]])
  await addOldLetter()
  // The lease of the night is over as well, as it is a minute later.
  await owner.query("update retention_runs set leased_until = now() - interval '1 second'")
  await tidy(context)
  expect([await letters(), await counted()]).toEqual([1, [{ letters: 1 }]])
  await owner.query('update retention_runs set day = day - 1')
  await tidy(context)
  expect([await letters(), await counted()]).toEqual([0, [{ letters: 1 }, { letters: 1 }]])
})
