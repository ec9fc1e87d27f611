import { expect, test } from 'vitest'
import { audit } from '../../src/kit/audit/audit.ts'
import { portal as system } from '../../src/kit/http/session.ts'
import { startPortal } from '../portal.ts'
import { addPlaces, addSchools } from '../registers/registers.ts'
import { exported, logs } from './logs-stage.ts'

const portal = await startPortal()
const { db, owner } = portal
await portal.worker()

test('an auditor exports what the filters show, in her language, and the export is logged', async () => {
  const auditor = await portal.signedInAs('Auditor')
  await db
    .transaction()
    .execute((tx) =>
      audit(tx, system, 'created', 'role', 3, { new: { name: '=cmd()', requires_totp: true } }),
    )
  const rows = await exported(auditor, { event: 'created', auditable_type: 'role' }, 'fr')
  expect(rows[0]?.slice(0, 5)).toEqual(['Date', 'IP', 'Utilisateur', 'Événement', 'Ce qui s’est passé'])
  expect(rows).toHaveLength(2)
  expect(rows[1]?.[3]).toBe('Création')
  expect(rows[1]?.[9]).toBe('nom : =cmd()\nexige des codes à usage unique : oui')
  const { data } = await logs(auditor, 'event=exported')
  expect(data[0]).toMatchObject({ user: { id: auditor.user.id }, new_values: { event: 'created' } })
  expect((await auditor.post('/admin/users/audit/logs/export', { from: 'yesterday' })).status).toBe(422)
})

test('an auditor who searches for a frequent name exports the entries of all who have it', async () => {
  await addPlaces(portal)
  await addSchools(portal, 1)
  const { rows: girls } =
    await owner.query(`with u as (insert into users (first_name, last_name, gender, type)
      select 'Zeynabou', 'Ag ' || n, 'female', 'student' from generate_series(1, 2001) n returning id)
    insert into students (user_id, school_id, student_code)
      select u.id, k.id, 'Z-' || u.id from u, schools k where admin_code = 'KIT-1' returning id`)
  await db.transaction().execute(async (tx) => {
    for (const { id } of girls) await audit(tx, system, 'created', 'student', id, { new: { level: '8' } })
  })
  const auditor = await portal.signedIn('audit-logs.view', 'students.view')
  const { too_many } = (await auditor.get('/admin/users/audit/logs?search=zeynabou')).body
  expect(too_many).toBe(true)
  expect(await exported(auditor, { search: 'zeynabou', event: 'created' })).toHaveLength(1 + 2001)
})

test('an auditor reads in her export the same names of fields as on the page, in her language', async () => {
  const auditor = await portal.signedInAs('Auditor')
  await db.transaction().execute((tx) =>
    audit(tx, system, 'corrected', 'parent', 5, {
      old: { displaced_or_resident: 'resident', profession: null },
      new: { displaced_or_resident: 'displaced', profession: 'Cultivateur', box_number: 4 },
    }),
  )
  const filters = { event: 'corrected', auditable_type: 'parent' }
  const [, french] = await exported(auditor, filters, 'fr')
  expect(french?.slice(9, 11)).toEqual([
    'box number : 4\nProfession : Cultivateur\nDéplacé : Déplacé',
    'Profession : –\nDéplacé : Résident',
  ])
  const [, english] = await exported(auditor, filters)
  expect(english?.slice(9, 11)).toEqual([
    'box number: 4\nProfession: Cultivateur\nDisplaced: Displaced',
    'Profession: –\nDisplaced: Resident',
  ])
})

test('an auditor sees in her export where a cell could not hold all values', async () => {
  const auditor = await portal.signedInAs('Auditor')
  await db
    .transaction()
    .execute((tx) =>
      audit(tx, system, 'updated', 'role', 4, { old: { name: 'Short' }, new: { name: 'x'.repeat(40_000) } }),
    )
  const [, row] = await exported(auditor, { event: 'updated', auditable_type: 'role' })
  const cells = row as string[]
  expect(cells[4]).toMatch(/x…$/)
  expect(cells[4]).toHaveLength(32_767)
  expect(cells[9]).toMatch(/^name: x+…$/)
  expect(cells[9]).toHaveLength(32_767)
  expect(cells[10]).toBe('name: Short')
})
