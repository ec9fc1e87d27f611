import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { atItsEnd, bothAtOnce } from '../at-once.ts'
import { caseStage, file, pdf } from '../cases/case-stage.ts'
import type { Answer } from '../client.ts'
import { meals, pictureStage } from '../modules/picture-stage.ts'
import { startPortal } from '../portal.ts'

type Headers = Record<string, string>
/** A form that makes a thing with nothing unique in it. `made` is the table in which the thing is. */
type Form = { made: string; send: (headers: Headers) => PromiseLike<Answer> }

const portal = await startPortal()
const { cookOf } = pictureStage(portal)
const count = async (table: string) =>
  Number((await portal.owner.query(`select count(*) as n from ${table}`)).rows[0].n)
const person = {
  ...{ first_name: 'Awa', last_name: 'Diarra', gender: 'female' },
  ...{ type: 'developer', user_title: 'mrs' },
}

const forms: Record<string, () => Promise<Form>> = {
  'adds a user without an e-mail': async () => {
    const admin = await portal.signedInAs('Administrator')
    return { made: 'users', send: (headers) => admin.post('/admin/users', person, headers) }
  },
  'makes a token of a device': async () => {
    const admin = await portal.signedInAs('Administrator')
    const send = (headers: Headers) => admin.post('/admin/sync/tokens', { name: 'Tablet' }, headers)
    return { made: 'sync_tokens', send }
  },
  'makes a token of a server': async () => {
    const admin = await portal.signedInAs('Administrator')
    const token = { name: 'Kitchen', read: ['meals'], write: [], days: 30 }
    const send = (headers: Headers) => admin.post('/admin/modules/mfe-meals/tokens', token, headers)
    return { made: 'module_tokens', send }
  },
  'records a meal': async () => {
    const cook = await cookOf()
    const send = (headers: Headers) => cook.post(meals, { data: { dish: 'rice' } }, headers)
    return { made: 'module_records', send }
  },
  'files a case': async () => {
    const { filer, form } = await caseStage(portal)
    return { made: 'cases', send: (headers) => filer.upload('/admin/cases', form, headers) }
  },
  'records what was done about a case': async () => {
    const { filer, form, reviewer, fileCase } = await caseStage(portal)
    const { id } = await fileCase(filer)
    const send = (headers: Headers) =>
      reviewer.post(
        '/admin/cases/activity',
        { complain_id: id, channel_id: form.channel, note: 'Called' },
        headers,
      )
    return { made: "case_events where act = 'activity'", send }
  },
  'uploads a document of a case': async () => {
    const { filer, reviewer, fileCase } = await caseStage(portal)
    const { id } = await fileCase(filer)
    const document = () => ({ complain_id: id, description: 'Letter', file: file('letter.pdf', pdf) })
    return {
      made: 'case_documents',
      send: (headers) => reviewer.upload('/admin/cases/file', document(), headers),
    }
  },
}

test.each(Object.entries(forms))(
  'a person who %s, and presses twice at once and once more after the answer was lost, makes one',
  { timeout: 60_000 },
  async (_, open) => {
    const { made, send } = await open()
    const before = await count(made)
    const press = () => send({ 'x-form': key })
    const key = randomUUID()
    const answers = [...(await bothAtOnce(portal, atItsEnd, press, press)), await press()]
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(answers.at(-1)?.body.message).toBe(
      'This form was saved already. Close it: what you entered is in the portal.',
    )
    expect(await count(made)).toBe(before + 1)
    expect((await send({ 'x-form': randomUUID() })).status).toBe(200)
    expect(await count(made)).toBe(before + 2)
  },
)

test('a person whose form was refused corrects it and sends it again', async () => {
  const admin = await portal.signedInAs('Administrator')
  const headers = { 'x-form': randomUUID() }
  const taken = { ...person, email: admin.user.email }
  expect((await admin.post('/admin/users', taken, headers)).status).toBe(422)
  expect((await admin.post('/admin/users', person, headers)).status).toBe(200)
})
