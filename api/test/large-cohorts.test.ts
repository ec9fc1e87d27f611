import { expect, test } from 'vitest'
import { addPeople, addRound } from './people.ts'
import { startPortal } from './portal.ts'

const portal = await startPortal()
const { owner } = portal
const size = 6000
const { officer } = await addPeople(portal.db, size, 'http://127.0.0.1:9')

test('an approver’s round of a large cohort is made in statements that stay below their time limit', async () => {
  await owner.query(`
    create table made_at_once (payments int not null);
    create function note_made() returns trigger language plpgsql security definer as $$
    begin
      insert into made_at_once select count(*) from added;
      return null;
    end $$;
    create trigger note_made after insert on transfer_payrolls
      referencing new table as added for each statement execute function note_made()`)
  const { round } = await addRound(portal.db, officer, size, 'Kayes')
  const { rows } = await owner.query(
    'select max(payments) as most, sum(payments)::int as made from made_at_once',
  )
  expect(rows[0].made).toBe(size)
  expect(rows[0].most).toBeLessThanOrEqual(5000)
  const { rows: group } = await owner.query(
    'select total, pending, expected_amount from transfer_payroll_groups where id = $1',
    [round],
  )
  expect(group).toEqual([{ total: size, pending: size, expected_amount: size * 10_500 }])
})
