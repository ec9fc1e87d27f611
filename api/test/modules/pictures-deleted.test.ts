import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { verifyFiles } from '../../src/kit/files/stored-files.ts'
import { png } from '../cases/case-stage.ts'
import { runCommand } from '../commands.ts'
import { startPortal } from '../portal.ts'
import { addPlaces, addSchools, addStudents } from '../registers/registers.ts'
import { at, meals, photo, pictureStage, record, view } from './picture-stage.ts'

const portal = await startPortal({ modulePicturesMiB: 1, moduleOverride: true })
const { cooked, cookOf, inStore, kept, night, send } = pictureStage(portal)

test('a picture that is replaced, taken out, or whose record is deleted is gone at once, and its bytes in the night after', async () => {
  const cook = await cookOf()
  const before = await inStore()
  const [first, kitchen] = [await send(cook), await send(cook, meals, photo('k.png', png(10, 10)))]
  let one = await cooked(cook, { dish: 'rice', photo: { id: first }, kitchen: { id: kitchen } })
  const change = async (data: object) => {
    const saved = await cook.put(`${meals}/${one.id}`, { data, version: one.version })
    expect(saved.status).toBe(200)
    one = saved.body.record
  }
  const seen = async (id: number) => (await cook.get(`${meals}/pictures/${id}`)).status
  await change({ dish: 'millet', photo: { id: first, alt: 'Millet' }, kitchen: { id: kitchen } })
  expect([await seen(first), await seen(kitchen)]).toEqual([200, 200])
  const second = await send(cook, meals, photo('2.png', png(12, 12)))
  await change({ photo: { id: second }, kitchen: null })
  expect([await seen(first), await seen(kitchen), await seen(second)]).toEqual([404, 404, 200])
  expect(await inStore()).toBe(before + 6)
  await night(0)
  expect(await inStore()).toBe(before + 2)
  expect((await verifyFiles(portal.context)).faults).toEqual([])
  await cook.delete(`${meals}/${one.id}`)
  expect(await seen(second)).toBe(404)
  await night(0)
  expect(await inStore()).toBe(before)
})

test('a picture that no record got, because the form was left, is deleted after a day, and those of records stay', async () => {
  const cook = await cookOf()
  const [left, used] = [await send(cook), await send(cook, meals, photo('2.png', png(12, 12)))]
  await cooked(cook, { photo: { id: used } })
  await night(0)
  expect((await cook.get(`${meals}/pictures/${left}`)).status).toBe(200)
  await night(2)
  expect((await cook.get(`${meals}/pictures/${left}`)).status).toBe(404)
  expect((await cook.get(`${meals}/pictures/${used}`)).status).toBe(200)
  expect((await kept()).filter(({ dropped }) => dropped)).toHaveLength(2)
  const { rows } = await portal.owner.query('select counts from retention_runs order by day desc limit 1')
  expect(rows[0].counts).toMatchObject({ pictures: 1 })
})

test('a collection whose pictures are as large as this portal keeps takes no more, and nobody piles up those of no record', async () => {
  const cook = await cookOf()
  for (let n = 0; n < 30; n++) await send(cook, meals, photo(`${n}.png`, png(20 + n, 20)))
  const piled = await cook.upload(`${meals}/pictures`, photo('31.png', png(90, 20)))
  expect(piled).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/30 pictures that are in no record/) },
  })
  await portal.owner.query('update record_pictures set bytes = 1048576')
  const colleague = await cookOf()
  const full = await colleague.upload(`${meals}/pictures`, photo())
  expect(full).toMatchObject({ status: 409, body: { message: expect.stringMatching(/take up 1 MB/) } })
  expect((await colleague.upload(`${at('meals', 'suppers')}/pictures`, photo())).status).toBe(200)
})

test('the pictures of a girl’s records are deleted with them when she is erased', async () => {
  await addPlaces(portal)
  await addSchools(portal, 1)
  await addStudents(portal, 2)
  const students = await portal.owner.query('select id, student_code as code from students order by id')
  const [girl, sister] = students.rows
  const cook = await portal.signedIn(view, record, 'students.view')
  const before = await inStore()
  const [hers, others] = [await send(cook), await send(cook, meals, photo('2.png', png(12, 12)))]
  await cooked(cook, { girl: Number(girl.id), photo: { id: hers } })
  await cooked(cook, { girl: Number(sister.id), photo: { id: others } })
  const given = await runCommand(portal.settings, 'person-export', [
    '--student',
    girl.code,
    '--to',
    `${portal.settings.dataDir}/girl`,
  ])
  expect(given.code).toBe(0)
  expect(readdirSync(`${portal.settings.dataDir}/girl/documents`)).toEqual([
    expect.stringMatching(/^\d+-record-\d+-picture\.jpg$/),
  ])
  expect((await runCommand(portal.settings, 'person-erase', ['--student', girl.code])).code).toBe(0)
  expect((await cook.get(`${meals}/pictures/${hers}`)).status).toBe(404)
  expect((await cook.get(`${meals}/pictures/${others}`)).status).toBe(200)
  expect(await inStore()).toBe(before + 2)
})
