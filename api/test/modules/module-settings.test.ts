import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { asked, isolatedStage, view } from './isolated-stage.ts'

const portal = await startPortal()
const { live } = await isolatedStage(portal)

const settingsOf = '/admin/modules/mfe-health/settings'

test('an administrator changes settings of a module, which everybody’s browser reads, and each change is in the audit log', async () => {
  const admin = await portal.signedInAs('Administrator')
  const nurse = await portal.signedIn(view)
  const own = async () => (await nurse.get('/modules/mfe-health/settings', asked(live))).body.settings
  expect(await own()).toEqual({ girls: 20, mode: 'short', photos: false })
  const first = (await admin.get(settingsOf)).body
  expect(first).toMatchObject({ version: 0, changed: null })
  expect(first.settings[0]).toMatchObject({ name: 'girls', default: 20, value: 20, max: 50 })
  const change = (values: object, version: number) => admin.put(settingsOf, { values, version })
  const saved = await change({ girls: '30', mode: 'long', photos: true }, 0)
  expect(saved.body).toMatchObject({ version: 1, changed: { by: {} } })
  expect(await own()).toEqual({ girls: 30, mode: 'long', photos: true })
  expect((await change({ girls: 10 }, 0)).status).toBe(409)

  const faulty = (await change({ girls: 51, mode: 'deep', colour: 'red' }, 1)).body
  expect(faulty.errors).toEqual({
    'values.girls': ['Girls per visit: Write a number from 1 to 50.'],
    'values.mode': ['Mode: Choose one of the list.'],
    'values.colour': ['The module does not declare a setting “colour”.'],
  })
  // What is blank or left out is as declared again.
  await change({ girls: '', photos: true }, 1)
  expect(await own()).toEqual({ girls: 20, mode: 'short', photos: true })

  expect((await nurse.get(settingsOf)).status).toBe(403)
  expect((await admin.put('/admin/modules/mfe-water/settings', { values: {}, version: 0 })).status).toBe(404)
  expect((await admin.get('/modules/mfe-water/settings', asked(live))).status).toBe(403)
  const { rows } = await portal.owner.query(
    "select old_values, new_values from audits a join audit_values w on w.audit_id = a.id where event = 'setting changed' order by a.id",
  )
  expect(rows).toHaveLength(5)
  expect(rows[0]).toEqual({
    old_values: { value: 20 },
    new_values: { module: 'mfe-health', setting: 'girls', value: 30 },
  })
  // The version before finds what it knows, and a value that it could not have is as declared there.
  await portal.owner.query('update module_settings set settings = $1', [{ girls: 400, mode: 'long' }])
  expect(await own()).toEqual({ girls: 20, mode: 'long', photos: false })
})

test('an administrator decides who has a switch of a module, and the module asks for the person', async () => {
  const admin = await portal.signedInAs('Administrator')
  const nurse = await portal.signedIn(view)
  const clerk = await portal.signedInAs('School Officer')
  const list = '/admin/modules/mfe-health/flags'
  const own = async (who: typeof nurse, headers = {}) =>
    (await who.get('/modules/mfe-health/flags', headers)).body.flags
  let version = 0
  const decide = async (body: object) => {
    const answer = await admin.put(`${list}/short-form`, { version, ...body })
    if (answer.status === 200) version = answer.body.flag.version
    return answer
  }
  expect(await own(nurse)).toEqual({ 'short-form': false, 'old-form': true })
  expect((await admin.get(list)).body.flags).toMatchObject([
    { id: 'short-form', who: 'declared', version: 0, changed: null },
    { id: 'old-form', default: true },
  ])
  expect((await decide({ who: 'everybody' })).status).toBe(200)
  expect(await own(nurse, asked(live))).toEqual({ 'short-form': true, 'old-form': true })
  const { roles } = (await admin.get(list)).body
  const officers = roles.find(({ name }: { name: string }) => name === 'School Officer').id
  expect((await decide({ who: 'some', roles: [officers] })).body.flag).toMatchObject({ roles: [officers] })
  expect([(await own(nurse))['short-form'], (await own(clerk))['short-form']]).toEqual([false, true])
  expect((await decide({ who: 'some' })).body.errors.roles).toEqual([
    'Choose roles, or a share of the people.',
  ])
  expect((await decide({ who: 'some', roles: [999999] })).status).toBe(422)
  // A share is the same people at each question, and not the same for each switch.
  await decide({ who: 'some', percent: 50 })
  const people = await Promise.all(Array.from({ length: 12 }, () => portal.signedIn(view)))
  const has = await Promise.all(people.map(async (each) => (await own(each))['short-form']))
  expect(new Set(has)).toEqual(new Set([true, false]))
  expect(await Promise.all(people.map(async (each) => (await own(each))['short-form']))).toEqual(has)
  const stale = await admin.put(`${list}/short-form`, { who: 'nobody', version: 1 })
  expect(stale.status).toBe(409)
  await decide({ who: 'nobody' })
  expect((await own(clerk))['short-form']).toBe(false)
  expect((await admin.put(`${list}/no-form`, { who: 'nobody', version: 0 })).status).toBe(404)
  expect([(await nurse.get(list)).status, (await nurse.get('/modules/mfe-none/flags')).status]).toEqual([
    403, 404,
  ])
  expect((await admin.get('/modules/mfe-water/flags', asked(live))).status).toBe(403)
  const { rows } = await portal.owner.query(
    "select old_values, new_values from audits a join audit_values w on w.audit_id = a.id where event = 'flag decided' order by a.id limit 2",
  )
  expect(rows[1]).toEqual({
    old_values: { who: 'everybody', roles: [], percent: 0 },
    new_values: {
      module: 'mfe-health',
      flag: 'short-form',
      who: 'some',
      roles: ['School Officer'],
      percent: 0,
    },
  })
})
