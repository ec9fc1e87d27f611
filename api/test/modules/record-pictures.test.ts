import exceljs from 'exceljs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { verifyFiles } from '../../src/kit/files/stored-files.ts'
import { jpeg, png } from '../cases/case-stage.ts'
import { startPortal, until } from '../portal.ts'
import { stopped } from '../registers/registers.ts'
import { fields, meals, photo, pictureStage, view } from './picture-stage.ts'

const portal = await startPortal({ modulePicturesMiB: 1, moduleOverride: true })
const { cooked, cookOf, inStore, kept, night, send } = pictureStage(portal)

test('a cook’s photograph is in her record, upright, without its place and author, for whoever may read the records', async () => {
  const cook = await cookOf()
  const sent = await cook.upload(`${meals}/pictures`, photo())
  expect(sent.body).toMatchObject({
    message: 'Picture received',
    picture: { id: expect.any(Number), width: 20, height: 40 },
  })
  const { id } = sent.body.picture
  const saved = await cook.post(meals, { data: { dish: 'rice', photo: { id, alt: ' A bowl of rice ' } } })
  expect(saved.body.record.data).toEqual({ dish: 'rice', photo: { id, alt: 'A bowl of rice' } })

  const reader = await portal.signedIn(view)
  const full = await reader.get(`${meals}/pictures/${id}`)
  expect(full).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'image/jpeg',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^attachment; filename="meals-\d+\.jpg"/),
    },
  })
  expect(full.bytes.toString('latin1')).not.toMatch(/GPS|Fatoumata|Exif/)
  expect(await sharp(full.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 20, height: 40 })
  // The name that the person's device gave the file may say who is to be seen.
  expect(new Set((await kept()).map(({ name }) => name))).toEqual(new Set(['picture.jpg']))

  const { rows } = await portal.owner.query(
    `select a.event, a.user_id, a.auditable_id, v.new_values->>'picture' as picture, v.new_values->'photo' as photo
      from audits a join audit_values v on v.audit_id = a.id where a.auditable_type = 'module record' order by a.id`,
  )
  expect(rows).toEqual([
    expect.objectContaining({
      event: 'created',
      user_id: cook.user.id,
      photo: { id, alt: 'A bowl of rice' },
    }),
    expect.objectContaining({
      ...{ event: 'opened', user_id: reader.user.id, picture: String(id) },
      auditable_id: saved.body.record.id,
    }),
  ])
  expect((await verifyFiles(portal.context)).faults).toEqual([])
})

test('photographs of a good camera, PNG and WebP become pictures that a slow line can carry, and small ones for lists', async () => {
  const cook = await cookOf()
  const large = { create: { width: 3000, height: 2000, channels: 3, background: '#a63' } } as const
  for (const content of [
    await sharp(large).jpeg().toBuffer(),
    await sharp(large).png().toBuffer(),
    await sharp(large).webp().toBuffer(),
  ]) {
    const id = await send(cook, meals, photo('photo', content))
    const sizeOf = async (query: string) => {
      const { bytes } = await cook.get(`${meals}/pictures/${id}${query}`)
      const { format, width, height } = await sharp(bytes).metadata()
      return { format, width, height }
    }
    expect(await sizeOf('')).toEqual({ format: 'jpeg', width: 1600, height: 1067 })
    expect(await sizeOf('?size=small')).toEqual({ format: 'jpeg', width: 320, height: 213 })
  }
  expect((await cook.get(`${meals}/pictures/1?size=huge`)).status).toBe(422)
})

test('a file that is no picture, is cut off, too large or has too many pixels is refused with a sentence, and nothing is kept', async () => {
  const cook = await cookOf()
  const before = await inStore()
  const cut = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#a63' } })
    .jpeg()
    .toBuffer()
  const refusals: [string, Buffer, RegExp][] = [
    ['page.jpg', Buffer.from('<html><script>alert(1)</script></html>'), /not a picture that can be read/],
    ['drawing.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /not a picture/],
    ['letter.jpg', Buffer.from('%PDF-1.4\n%%EOF\n'), /not a picture/],
    ['cut.jpg', jpeg.subarray(0, 30), /not a picture/],
    ['half.jpg', cut.subarray(0, Math.floor(cut.length / 2)), /not a picture/],
    ['fake.webp', Buffer.from('RIFF....WEBPVP8 and no more'), /not a picture/],
    ['moving.gif', Buffer.from('GIF89a and no more'), /not a picture/],
    ['huge.png', png(30_000, 30_000), /too many pixels/],
    ['long.jpg', Buffer.concat([jpeg, Buffer.alloc(2_097_152)]), /larger than 2 MB/],
  ]
  for (const [name, content, sentence] of refusals) {
    const refused = await cook.upload(`${meals}/pictures`, photo(name, content))
    expect([name, refused.status]).toEqual([name, 422])
    expect(refused.body.errors.file[0]).toMatch(sentence)
  }
  expect((await cook.upload(`${meals}/pictures`, { name: 'no file' })).status).toBe(422)
  const broken = await cook.send(
    'POST',
    `${meals}/pictures`,
    Buffer.from('--cut\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nabc'),
    {
      'content-type': 'multipart/form-data; boundary=cut',
    },
  )
  expect(broken).toMatchObject({ status: 422, body: { message: 'The upload was cut off. Send it again.' } })
  expect(await inStore()).toBe(before)
  expect((await portal.owner.query('select from record_pictures')).rowCount).toBe(0)
  // What was hidden behind the end of a picture is not kept.
  const hidden = Buffer.from('PK\u0003\u0004 names of all students')
  const id = await send(cook, meals, photo('photo.jpg', Buffer.concat([jpeg, hidden])))
  expect((await cook.get(`${meals}/pictures/${id}`)).bytes.includes(hidden)).toBe(false)
})

test('a form that sends the same photograph again, because no answer came, has one picture, and another person’s is her own', async () => {
  const [cook, colleague] = [await cookOf(), await cookOf()]
  const first = await send(cook)
  const stored = await inStore()
  expect(await send(cook)).toBe(first)
  // What was sent again is removed after the answer.
  await until(async () => (await inStore()) === stored)
  expect(await send(colleague)).not.toBe(first)
  await cooked(cook, { photo: { id: first } })
  // The next record has a picture of its own, also of the same photograph.
  expect(await send(cook)).not.toBe(first)
})

test('an Excel file says which records have a picture, its import leaves them as they are, and the template says so', async () => {
  const cook = await cookOf()
  const id = await send(cook)
  const one = await cooked(cook, { dish: 'rice', photo: { id, alt: 'A bowl' } })
  await portal.worker()
  const asked = await cook.post(`${meals}/export`, {}, { 'accept-language': 'fr' })
  const address = `/storage/exports/${asked.body.file_name}`
  await until(async () => (await cook.get(address)).status === 200)
  const bookOf = async (bytes: Buffer) => {
    const book = new exceljs.Workbook()
    await book.xlsx.load(bytes as never)
    return book
  }
  const book = await bookOf((await cook.get(address)).bytes)
  const [sheet] = book.worksheets
  if (!sheet) throw new Error('There is no sheet')
  const lines = (sheet.getSheetValues() as unknown[][]).map((row) => row?.slice(1))
  expect(lines[1]?.slice(0, 6)).toEqual(['N°', 'Plat', 'Fille', 'Fille : nom', 'Photo', 'Cuisine'])
  expect(lines[2]?.slice(4, 5)).toEqual(['oui\u00a0: A bowl'])

  const sample = await cook.get(`${meals}/import/sample.xlsx`)
  const help = (await bookOf(sample.bytes)).worksheets.map((each) => JSON.stringify(each.getSheetValues()))
  expect(help.join()).toContain(
    'Les images restent telles quelles et s’ajoutent dans le formulaire\u00a0: Photo, Cuisine.',
  )
  sheet.getCell('B2').value = 'millet'
  sheet.getCell('E2').value = 'another photo'
  const back = new File([new Uint8Array(await book.xlsx.writeBuffer())], 'meals.xlsx')
  const sent = await cook.upload(`${meals}/import`, { records_file: back })
  expect(await stopped(cook, sent.body.import.id)).toMatchObject({ state: 'imported', rows_changed: 1 })
  expect((await cook.get(meals)).body.records.data).toMatchObject([
    { id: one.id, data: { dish: 'millet', photo: { id, alt: 'A bowl' } } },
  ])
  expect((await cook.get(`${meals}/pictures/${id}`)).status).toBe(200)
})

test('lists are not searched, sorted or filtered by pictures', async () => {
  const cook = await cookOf()
  const id = await send(cook)
  await cooked(cook, { dish: 'rice', photo: { id, alt: 'Aminata' } })
  expect((await cook.get(`${meals}?search=aminata`)).body.records.total).toBe(0)
  expect((await cook.get(`${meals}?search=${id}`)).body.records.total).toBe(0)
  expect((await cook.get(`${meals}?sort=photo&photo=${id}`)).body.errors).toEqual({
    photo: ['This list has no such filter.'],
    sort: ['This list cannot be sorted that way.'],
  })
})

test('a developer tries pictures in her sandbox, and none of them gets into the live records', async () => {
  const name = 'mfe-looms'
  const looms = `/modules/${name}/records/looms`
  const developer = await portal.signedIn('schools.view')
  developer.cookies.set('portal_override', `${name}.5177`)
  const collections = [{ name: 'looms', read: 'looms.view', write: 'looms.weave', fields }]
  await developer.post(`/modules/${name}/sandbox`, { collections })
  const id = await send(developer, looms)
  const saved = await developer.post(looms, { data: { photo: { id } } })
  expect(saved.status).toBe(200)
  expect((await developer.get(`${looms}/pictures/${id}`)).status).toBe(200)
  const colleague = await portal.signedIn('schools.view')
  colleague.cookies.set('portal_override', `${name}.5177`)
  await colleague.post(`/modules/${name}/sandbox`, { collections })
  expect((await colleague.get(`${looms}/pictures/${id}`)).status).toBe(404)
  expect((await developer.delete(`${looms}/${saved.body.record.id}`)).status).toBe(200)
  expect((await developer.get(`${looms}/pictures/${id}`)).status).toBe(404)
  const again = await send(developer, looms)
  await developer.post(looms, { data: { photo: { id: again } } })
  await developer.delete(`/modules/${name}/sandbox`)
  await night(2)
  expect((await portal.owner.query('select from record_pictures')).rowCount).toBe(0)
})
