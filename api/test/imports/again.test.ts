import { expect, test } from 'vitest'
import { runImport } from '../../src/imports/import-run.service.ts'
import { startPortal } from '../portal.ts'
import { addPlaces, addSchools, fileOf, send, student } from '../registers/registers.ts'

const portal = await startPortal()
await addPlaces(portal)
await addSchools(portal)

test('an officer reads each error once, although the worker was killed after it had found some', async () => {
  const officer = await portal.signedInAs('School Officer')
  const file = fileOf([student(1, { admin_code: 'NOWHERE' }), student(2)])
  const { id } = (await send(officer, 'students', file)).body.import
  await portal.owner.query(`update imports set state = 'reading', rows_read = 1 where id = $1`, [id])
  await portal.owner.query(
    `insert into import_errors (import_id, "row", "column", value, message)
     values ($1, 2, 'admin_code', 'NOWHERE', 'school_unknown|NOWHERE')`,
    [id],
  )
  await runImport(portal.context, id, new AbortController().signal, true)
  expect((await officer.get(`/imports/${id}`)).body.import).toMatchObject({
    state: 'imported',
    rows_new: 1,
    rows_rejected: 1,
    errors: [{ row: 2, column: 'admin_code', value: 'NOWHERE' }],
  })
})
