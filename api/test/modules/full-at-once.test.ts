import { expect, test } from 'vitest'
import { bothAtOnce } from '../at-once.ts'
import { png } from '../cases/case-stage.ts'
import { startPortal } from '../portal.ts'
import { fileOf, stopped } from '../registers/registers.ts'
import { meals, photo, pictureStage } from './picture-stage.ts'

const portal = await startPortal({ moduleRecords: 4, modulePicturesMiB: 1 })
const { cooked, cookOf, kept, send } = pictureStage(portal)
await portal.worker()

const count = async (table: string) =>
  Number((await portal.owner.query(`select count(*) as n from ${table}`)).rows[0].n)
const full = { message: expect.stringMatching(/holds 4 records/) }

test('of two cooks who record at once the last meal that a collection has room for, one is told that it is full', async () => {
  const [cook, colleague] = [await cookOf(), await cookOf()]
  for (const dish of ['rice', 'millet', 'fonio']) await cooked(cook, { dish })
  const answers = await bothAtOnce(
    portal,
    'lock table module_records in share mode',
    () => cook.post(meals, { data: { dish: 'beans' } }),
    () => colleague.post(meals, { data: { dish: 'maize' } }),
  )
  const [saved, told] = answers.toSorted((one, other) => one.status - other.status)
  expect([saved?.status, told?.status, told?.body]).toEqual([200, 409, full])
  expect(await count('module_records')).toBe(4)
})

test('a cook whose file fills a collection while a colleague records a meal goes back to her review, or the colleague is told', async () => {
  const [cook, colleague] = [await cookOf(), await cookOf()]
  for (const dish of ['rice', 'millet']) await cooked(cook, { dish })
  const file = fileOf([{ dish: 'beans' }, { dish: 'maize' }])
  const sent = await cook.upload(`${meals}/import?review=1`, { records_file: file })
  const { id } = await stopped(cook, sent.body.import.id)
  const [, recorded] = await bothAtOnce(
    portal,
    'lock table module_records in share mode',
    () => cook.post(`/imports/${id}/confirm`, {}),
    () => colleague.post(meals, { data: { dish: 'fonio' } }),
  )
  const { state } = await stopped(cook, id)
  expect([state === 'imported', recorded.status === 200].filter(Boolean)).toHaveLength(1)
  expect(await count('module_records')).toBeLessThanOrEqual(4)
})

test('of two cooks who send at once the last picture that a collection has room for, one is told, and her file is not kept', async () => {
  const [cook, colleague] = [await cookOf(), await cookOf()]
  await send(cook)
  await portal.owner.query('update record_pictures set bytes = 1048575')
  const [first, second] = await bothAtOnce(
    portal,
    'lock table record_pictures in share mode',
    () => cook.upload(`${meals}/pictures`, photo('2.png', png(12, 12))),
    () => colleague.upload(`${meals}/pictures`, photo('3.png', png(14, 14))),
  )
  expect([first.status, second]).toEqual([
    200,
    expect.objectContaining({
      status: 409,
      body: { message: expect.stringMatching(/take up 1 MB/) },
    }),
  ])
  expect(await count('record_pictures')).toBe(2)
  expect(await kept()).toHaveLength(4)
})
