import { expect, test } from 'vitest'
import { exported, recordsOf } from '../../exports/workbook.ts'
import { addPeople } from '../../people.ts'
import { startPortal } from '../../portal.ts'

const portal = await startPortal()
const { owner, db } = portal
const { officer: user } = await addPeople(db, 1500, 'http://127.0.0.1:9')
const officer = await portal.signedInAs('Transfer Officer')
await portal.worker()

/** The reasons in the file of the girls on hold, in its order. */
async function exportedReasons(filters: object): Promise<string[]> {
  const file = await exported(officer, '/admin/transfers/payee-holds/export', filters)
  return (await recordsOf(file)).map(({ Reason }) => String(Reason ?? ''))
}
const reasons = (count: number) => Array.from({ length: count }, (_, n) => `Reason ${n + 1}`)

test('an officer’s export skips nobody when girls are released while it is written', async () => {
  await owner.query(
    `insert into payee_holds (student_id, reason, user_id)
     select id, 'Reason ' || row_number() over (order by id), $1 from students order by id`,
    [user],
  )
  await owner.query(`create function release_early() returns trigger language plpgsql as $$ begin
      update payee_holds set released_at = now(), released_by = user_id
        where id in (select id from payee_holds order by id limit 500) and released_at is null;
      return null;
    end $$;
    create trigger release_early after update of rows_done on exports for each row when (new.rows_done > 0)
      execute function release_early()`)
  expect(await exportedReasons({ state: 'open' })).toEqual(reasons(1500))
  const { rows } = await owner.query(
    'select count(*)::int as n from payee_holds where released_at is not null',
  )
  expect(rows).toEqual([{ n: 500 }])
})
