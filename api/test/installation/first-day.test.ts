import { mostSteps } from '@portal/contracts/access/first-day'
import type { Permission } from '@portal/contracts/permissions'
import { expect, test } from 'vitest'
import { tokenTo } from '../access/accounts-outbox.ts'
import { release } from '../modules/modules.ts'
import { startPortal } from '../portal.ts'

const portal = await startPortal()
await portal.worker()
const words = (text: string) => ({ en: text, fr: text })
const step = (id: string, permission: Permission, order: number) => ({
  ...{ id, title: words(id), text: words(`${id}, in a sentence`), permission, order },
  link: '/admin/clinics',
})
const clinics = {
  name: 'mfe-clinics',
  version: '1.0.0',
  collections: [{ name: 'notes', read: 'students.view', write: 'students.view' }],
  first_day: [
    { ...step('filed', 'cases.create', 20), done: { type: 'case', events: ['created'] } },
    { ...step('noted', 'students.view', 21), done: { type: 'module record', events: ['created'] } },
    step('opened', 'students.view', 30),
  ],
}
const notes = { ...clinics, name: 'mfe-notes', first_day: [] }
await release(portal.context.registry, clinics, notes)

type Person = Awaited<ReturnType<typeof portal.signedIn>>
const dayOf = async (who: Pick<Person, 'get'>) => (await who.get('/first-day')).body
const stepsOf = async (who: Pick<Person, 'get'>) =>
  (await dayOf(who)).steps.map(({ id, done }: { id: string; done: boolean }) => (done ? `${id} done` : id))
const isGuided = async (who: Pick<Person, 'get'>) => (await who.get('/session')).body.user.first_day === true
const show = (who: Person, shown: unknown) => who.put('/first-day', { shown })
const open = (who: Person, key: unknown) => who.post('/first-day/steps', { step: key })
const auditedOf = async ({ user }: Person) =>
  (
    await portal.owner.query(
      `select w.old_values, w.new_values from audits a join audit_values w on w.audit_id = a.id
       where a.user_id = $1 and w.new_values ? 'first_day' order by a.id`,
      [user.id],
    )
  ).rows

test('an invited person has a first day once she has set her password, and not again after a reset', async () => {
  const admin = await portal.signedInAs('Administrator')
  const email = 'nana@test.example'
  const person = {
    first_name: 'Nana',
    last_name: 'Koné',
    gender: 'female',
    type: 'developer',
    user_title: 'mrs',
  }
  expect((await admin.post('/admin/users', { ...person, email })).status).toBe(200)
  const entered = async (password: string) => {
    const browser = await portal.visitor()
    const answer = await browser.post('/login', { email, password })
    expect(answer.status).toBe(200)
    return { browser, guided: answer.body.session.user.first_day }
  }
  const reset = async (letter: number, password: string) =>
    (await portal.visitor()).post('/password/reset', {
      token: await tokenTo(portal, email, letter),
      password,
    })

  expect((await reset(1, 'quatre mots sans lien')).status).toBe(200)
  const { browser, guided } = await entered('quatre mots sans lien')
  expect(guided).toBe(true)
  expect(await isGuided(browser)).toBe(true)
  expect(await dayOf(browser)).toMatchObject({ shown: true })
  await browser.put('/first-day', { shown: false })
  expect(await isGuided(browser)).toBe(false)

  await (await portal.visitor()).post('/password/forgot', { email })
  expect((await reset(2, 'quatre autres mots encore')).status).toBe(200)
  expect((await entered('quatre autres mots encore')).guided).toBeUndefined()
})

test('a person whose account is older is not bothered, until she asks for it', async () => {
  const officer = await portal.signedInAs('Transfer Officer')
  expect(await isGuided(officer)).toBe(false)
  expect(await dayOf(officer)).toMatchObject({ shown: false })
  const refused = await open(officer, 'portal/attendance')
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'You have no first day. Your profile can show it.',
  ])
  expect((await show(officer, false)).status).toBe(200)
  expect(await auditedOf(officer)).toEqual([])
  const asked = await show(officer, true)
  expect(asked.body).toEqual({ message: 'Your first day is on the home page again', shown: true })
  expect(await isGuided(officer)).toBe(true)
})

test('a person leaves her first day and brings it back with what she has done; each is audited once', async () => {
  const officer = await portal.signedInAs('Transfer Officer')
  const other = await portal.signedInAs('Transfer Officer')
  for (const who of [officer, other]) await show(who, true)
  expect((await open(officer, 'portal/attendance')).body).toEqual({ message: 'Step done' })
  expect((await open(officer, 'portal/attendance')).status).toBe(200)
  expect(await stepsOf(officer)).toContain('portal/attendance done')
  expect(await stepsOf(other)).toContain('portal/attendance')
  for (const shown of [true, false, false, true]) expect((await show(officer, shown)).status).toBe(200)
  expect(await isGuided(officer)).toBe(true)
  expect(await isGuided(other)).toBe(true)
  expect(await stepsOf(officer)).toContain('portal/attendance done')
  expect(await auditedOf(officer)).toEqual([
    { old_values: { first_day: false }, new_values: { first_day: true } },
    { old_values: { first_day: true }, new_values: { first_day: false } },
    { old_values: { first_day: false }, new_values: { first_day: true } },
  ])
})

test('of two moments that a person leaves it at once one is audited', async () => {
  const officer = await portal.signedInAs('Transfer Officer')
  await show(officer, true)
  await Promise.all([show(officer, false), show(officer, false), open(officer, 'portal/messages')])
  expect(await isGuided(officer)).toBe(false)
  expect(await auditedOf(officer)).toHaveLength(2)
})

test('a person has the steps of her permissions, of the portal and of modules, five at most', async () => {
  const own = ['portal/attendance', 'portal/messages', 'portal/profile']
  expect(await stepsOf(await portal.signedIn())).toEqual(own)
  expect(await stepsOf(await portal.signedIn('cases.create'))).toEqual([
    'portal/codes',
    'mfe-clinics/filed',
    ...own,
  ])
  const school = await portal.signedIn('cases.create', 'students.view')
  expect(await stepsOf(school)).toEqual([
    'portal/codes',
    'mfe-clinics/filed',
    'mfe-clinics/noted',
    'mfe-clinics/opened',
    'portal/attendance',
  ])
  expect(await stepsOf(school)).toHaveLength(mostSteps)
})

test('whoever may only read has no step of the portal that changes anything', async () => {
  expect(await stepsOf(await portal.signedInAs('Auditor'))).not.toContain('portal/codes')
})

test('a step is done by her own act, and a record counts for the module that keeps it', async () => {
  const [one, other] = [await portal.signedIn('students.view'), await portal.signedIn('students.view')]
  const { steps } = await dayOf(one)
  expect(steps.filter((each: { by_act: boolean }) => each.by_act)).toMatchObject([
    { id: 'mfe-clinics/noted' },
  ])
  const note = { data: { title: 'Seen' } }
  expect((await one.post('/modules/mfe-notes/records/notes', note)).status).toBe(200)
  expect(await stepsOf(one)).toContain('mfe-clinics/noted')
  expect((await one.post('/modules/mfe-clinics/records/notes', note)).status).toBe(200)
  expect(await stepsOf(one)).toContain('mfe-clinics/noted done')
  expect(await stepsOf(other)).toContain('mfe-clinics/noted')
})

test('a person cannot mark what she has to do, or a step that she does not have', async () => {
  const one = await portal.signedIn('students.view')
  await show(one, true)
  const byAct = ['This step is marked by itself once you have done it.']
  const unknown = ['This step is not one of your first day. Load the page again.']
  for (const [key, sentence] of [
    ['mfe-clinics/noted', byAct],
    ['mfe-clinics/filed', unknown],
    ['portal/codes', unknown],
    ['mfe-nowhere/opened', unknown],
    ['', unknown],
  ] as const) {
    const refused = await open(one, key)
    expect([key, refused.status, refused.body.errors]).toEqual([key, 422, { step: sentence }])
  }
  expect((await open(one, null)).status).toBe(422)
  expect((await open(one, 'a'.repeat(101))).status).toBe(422)
  for (const wrong of [null, 'yes', 1, undefined]) {
    const refused = await show(one, wrong)
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['shown']])
  }
  expect((await (await portal.visitor()).get('/first-day')).status).toBe(401)
})

test('the steps of a module that is switched off are nobody’s', async () => {
  const one = await portal.signedIn('students.view')
  const admin = await portal.signedInAs('Administrator')
  const { generation } = (await admin.get('/admin/modules')).body
  const off = await admin.put('/admin/modules/mfe-clinics', { action: 'disable', generation })
  expect(off.status).toBe(200)
  expect((await stepsOf(one)).filter((key: string) => key.startsWith('mfe-'))).toEqual([])
})
