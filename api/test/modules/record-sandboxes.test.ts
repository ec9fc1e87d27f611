import { expect, test } from 'vitest'
import { forgetSandboxes } from '../../src/modules/sandboxes.service.ts'
import { startPortal } from '../portal.ts'
import { declared, label, meal, mealStage, meals } from './meal-stage.ts'
import { release } from './modules.ts'

const portal = await startPortal({ moduleOverride: true })
mealStage(portal)
const { registry } = portal.context

test('a developer tries the records of a module that is not published in a sandbox that nobody else sees', async () => {
  const name = 'mfe-looms'
  const looms = `/modules/${name}/records/looms`
  const collections = [
    {
      name: 'looms',
      read: 'looms.view',
      write: 'looms.weave',
      fields: [{ name: 'threads', label: label('Threads', 'Fils'), type: 'whole', min: 1, max: 900 }],
    },
    { name: 'spies', read: 'audit-logs.view', write: 'audit-logs.view' },
  ]
  const developer = async () => {
    const person = await portal.signedIn('schools.view')
    person.cookies.set('portal_override', `${name}.5177`)
    return person
  }
  const [awa, moussa] = [await developer(), await developer()]
  expect((await awa.get(looms)).status).toBe(404)
  expect((await awa.post(`/modules/${name}/sandbox`, { collections })).body).toMatchObject({ records: 0 })
  await moussa.post(`/modules/${name}/sandbox`, { collections })
  const refused = await awa.post(looms, { data: { threads: 'many' } })
  expect(refused.body.errors).toEqual({ 'data.threads': [expect.stringMatching(/^Threads: /)] })
  const { record } = (await awa.post(looms, { data: { threads: 80 } })).body
  expect(record).toMatchObject({ data: { threads: 80 }, version: 1 })
  const found = await awa.get(`${looms}?search=80&sort=-updated_at`)
  expect(found.body.records).toMatchObject({ total: 1, data: [{ id: record.id }] })
  const change = { data: { threads: 90 }, version: 1 }
  expect((await awa.put(`${looms}/${record.id}`, change)).body.record).toMatchObject({ version: 2 })
  expect((await awa.put(`${looms}/${record.id}`, change)).status).toBe(409)
  // A permission of the portal is not given by a manifest, and what a build does not declare is not there.
  expect((await awa.get(`/modules/${name}/records/spies`)).status).toBe(403)
  expect((await awa.get(`/modules/${name}/records/ropes`)).status).toBe(404)

  expect((await moussa.get(looms)).body.records.total).toBe(0)
  expect((await moussa.put(`${looms}/${record.id}`, { ...change, version: 2 })).status).toBe(404)
  awa.cookies.delete('portal_override')
  expect((await awa.get(looms)).status).toBe(404)
  expect((await awa.post(`/modules/${name}/sandbox`, { collections })).status).toBe(404)
  expect((await portal.owner.query('select from module_records')).rowCount).toBe(0)

  awa.cookies.set('portal_override', `${name}.5177`)
  expect((await awa.post(`/modules/${name}/sandbox`, { collections })).body).toMatchObject({ records: 1 })
  expect((await awa.delete(`${looms}/${record.id}`)).status).toBe(200)
  await awa.post(looms, { data: { threads: 7 } })
  expect((await awa.delete(`/modules/${name}/sandbox`)).body.message).toBe('Sandbox emptied')
  expect((await awa.get(looms)).body.records.total).toBe(0)
})

test('a developer of a module that is live reaches her sandbox and not the live records, and cannot fill it without end', async () => {
  await release(registry, declared('1.2.0', true))
  const cook = await portal.signedIn(meal)
  const data = { school: 'Coura', weighed: 3 }
  expect((await cook.post(meals, { data })).status).toBe(200)
  cook.cookies.set('portal_override', 'mfe-meals.5177')
  expect((await cook.get(meals)).status).toBe(404)
  const { collections } = declared('1.2.0', true)
  await cook.post('/modules/mfe-meals/sandbox', { collections })
  expect((await cook.get(meals)).body.records.total).toBe(0)
  await portal.owner.query(
    `insert into sandbox_records (sandbox_id, collection, data, words)
      select s.id, 'meals', '{"school": "Coura"}', '' from module_sandboxes s, generate_series(1, 500) where module = 'mfe-meals'`,
  )
  expect(await cook.post(meals, { data })).toMatchObject({ status: 409 })
  await portal.owner.query("update module_sandboxes set opened_at = now() - interval '31 days'")
  await forgetSandboxes(portal.db)
  expect((await portal.owner.query('select from sandbox_records')).rowCount).toBe(0)
  cook.cookies.delete('portal_override')
  expect((await cook.get(meals)).body.records.total).toBe(1)
})
