import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { linkAudits, verifyAudits } from '../../src/kit/audit/audit-chain.ts'
import { caseStage, expert } from '../cases/case-stage.ts'
import { runCommand } from '../commands.ts'
import { startPortal, until } from '../portal.ts'
import { tablesWith } from '../registers/known-girl.ts'
import { addPlaces, addSchools, fileOf, imported } from '../registers/registers.ts'

const portal = await startPortal()
const { db, owner, settings } = portal
const run = (name: string, ...words: string[]) => runCommand(settings, name, words)

beforeAll(async () => {
  await portal.worker()
  await addPlaces(portal)
  await addSchools(portal)
})

async function verified() {
  await linkAudits(db, settings.secret, null)
  expect(await verifyAudits(db, settings.secret)).toMatchObject({ fault: null, unlinked: 0 })
}
const exported = (folder: string) => JSON.parse(readFileSync(join(folder, 'person.json'), 'utf8'))

test('an owner exports and erases a teacher who has neither an e-mail nor a code, by the number of the record', async () => {
  const officer = await portal.signedInAs('School Officer')
  const row = { first_name: 'Boubacar', last_name: 'Kouyaté', admin_code: 'KIT-1', phone_1: '70987654' }
  expect((await imported(officer, 'teachers', fileOf([row]))).state).toBe('imported')
  const { body } = await officer.get('/admin/schools/teachers/list?search=Kouyaté')
  const [{ id }] = body.teachers.data
  const to = join(settings.dataDir, 'people', 'teacher')
  expect(await run('person-export', '--teacher', String(id), '--to', to)).toMatchObject({ code: 0, err: '' })
  expect(exported(to)).toMatchObject({
    users: [{ last_name: 'Kouyaté' }],
    teachers: [{ phone_1: '+22370987654', school: 'École de Kita 1' }],
    import_rows: [{ file: 'list.xlsx' }],
  })
  expect(await run('person-erase', '--teacher', String(id))).toMatchObject({ code: 0, err: '' })
  expect(await tablesWith(portal, 'Kouyaté')).toEqual([])
  expect(await tablesWith(portal, '70987654')).toEqual([])
  expect(await run('person-erase', '--teacher', String(id))).toMatchObject({
    code: 1,
    err: `The portal knows no teacher ${id}.\n`,
  })
  expect((await run('person-erase', '--teacher', 'Kouyaté')).err).toBe(
    'The portal knows no teacher Kouyaté.\n',
  )
  await verified()
})

test('an owner exports and erases an expert whom a case asked by a link, and the case keeps that one was asked', async () => {
  const { reviewer, fileCase } = await caseStage(portal)
  const { id, number } = await fileCase()
  const asked = await reviewer.upload('/admin/cases/refer', { complain_id: id, ...expert })
  expect(asked.status).toBe(200)
  await until(async () => (await owner.query("select from mails where state = 'sent'")).rowCount)
  const to = join(settings.dataDir, 'people', 'expert')
  const words = ['--expert', expert.email.toUpperCase()]
  expect(await run('person-export', ...words, '--to', to)).toMatchObject({ code: 0, err: '' })
  expect(exported(to)).toMatchObject({
    referrals: [{ number: `${number}-1`, last_name: expert.last_name, profession: expert.profession }],
    mails: [{ recipient: expert.email }],
  })
  expect((await run('person-erase', ...words)).err).toBe(
    `Nothing was erased.\n- The consultation ${number}-1 is open: withdraw it, or wait until it has ended.\n`,
  )
  const { body } = await reviewer.get(`/admin/cases/${id}/details`)
  expect((await reviewer.post(`/admin/cases/referrals/${body.referrals[0].id}/revoke`)).status).toBe(200)
  expect(await run('person-erase', ...words)).toMatchObject({ code: 0, err: '' })
  expect(await tablesWith(portal, expert.email)).toEqual([])
  expect(await tablesWith(portal, expert.last_name)).toEqual([])
  const { rows } = await owner.query('select number, first_name, profession, comment from referrals')
  expect(rows).toEqual([{ number: `${number}-1`, first_name: '—', profession: '—', comment: expert.comment }])
  expect((await run('person-erase', ...words)).err).toBe(
    `The portal knows no expert ${expert.email.toUpperCase()}.\n`,
  )
  await verified()
})
