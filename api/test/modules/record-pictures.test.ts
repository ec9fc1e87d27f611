import { readdirSync } from 'node:fs'
import type { Permission } from '@portal/contracts/permissions'
import exceljs from 'exceljs'
import sharp from 'sharp'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { verifyFiles } from '../../src/kit/files/stored-files.ts'
import { followModules } from '../../src/modules/permissions.service.ts'
import { tidy } from '../../src/privacy/retention.service.ts'
import { file, jpeg, png } from '../cases/case-stage.ts'
import { Client } from '../client.ts'
import { runCommand } from '../commands.ts'
import { startPortal, until } from '../portal.ts'
import { addPlaces, addSchools, addStudents, stopped } from '../registers/registers.ts'
import { release } from './modules.ts'

const portal = await startPortal({ modulePicturesMiB: 1, moduleOverride: true })
const { registry, storage } = portal.context
const view = 'meals.view' as Permission
const record = 'meals.record' as Permission
const at = (module: string, collection = 'meals') => `/modules/mfe-${module}/records/${collection}`
const meals = at('meals')
const label = (en: string, fr = en) => ({ en, fr })

const fields = [
  { name: 'dish', label: label('Dish', 'Plat'), type: 'text', max: 40, sort: true },
  { name: 'girl', label: label('Girl', 'Fille'), type: 'reference', to: 'student' },
  { name: 'photo', label: label('Photograph', 'Photo'), type: 'picture' },
  { name: 'kitchen', label: label('Kitchen', 'Cuisine'), type: 'picture' },
]
const collection = (name: string) => ({
  ...{ name, label: label('Meal', 'Repas'), read: view, write: record, fields, import: '/admin/meals' },
})
const manifest = (name: string) => ({
  ...{ name: `mfe-${name}`, version: '1.0.0' },
  permissions: [view, record].map((each) => ({ name: each, label: label(each) })),
  collections: [collection('meals'), collection('suppers')],
})
/** Shares its permissions with nobody, so that a person has both. */
const other = {
  ...{ name: 'mfe-water', version: '1.0.0' },
  permissions: [{ name: 'water.use' as Permission, label: label('Wells', 'Puits') }],
  collections: [{ ...collection('meals'), read: 'water.use', write: 'water.use' }],
}
const plain = {
  ...{ name: 'mfe-plain', version: '1.0.0' },
  permissions: [{ name: 'plain.use' as Permission, label: label('Notes') }],
  collections: [{ name: 'notes', read: 'plain.use', write: 'plain.use' }],
}

beforeAll(async () => {
  await release(registry, manifest('meals'), other, plain)
  await followModules(portal.context)()
})
afterEach(() => portal.clear())

const photo = (name = 'Awa Diallo.jpg', content = jpeg) => ({ file: file(name, content) })
const send = async (person: Client, to = meals, given = photo()) =>
  (await person.upload(`${to}/pictures`, given)).body.picture.id as number
const cookOf = () => portal.signedIn(view, record)
const cooked = async (person: Client, data: object) => (await person.post(meals, { data })).body.record
const kept = async () => {
  const { rows } = await portal.owner.query(
    'select key, name, dropped_at is not null as dropped from files order by id',
  )
  return rows as { key: string; name: string; dropped: boolean }[]
}
async function inStore() {
  let files = 0
  for await (const _ of storage.list()) files++
  return files
}
/** Lets `tidy` work as in another night, after so many days. */
let nights = 0
async function night(days: number) {
  await portal.owner.query(`update record_pictures set created_at = created_at - interval '${days} days'`)
  await portal.owner.query(
    'update retention_runs set day = day - $1::int where day = (select max(day) from retention_runs)',
    [++nights],
  )
  await tidy(portal.context)
}

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

test('nobody puts a picture into a record that is another’s, of another collection or module, in another record, or not there', async () => {
  const [cook, colleague] = [await cookOf(), await cookOf()]
  const plumber = await portal.signedIn(view, record, 'water.use' as Permission)
  const taken = await send(cook)
  const { id } = await cooked(cook, { photo: { id: taken, alt: '' } })
  const strange = {
    'in another record': [cook, taken],
    'sent by a colleague': [cook, await send(colleague)],
    'of another collection': [cook, await send(cook, at('meals', 'suppers'))],
    'of another module': [plumber, await send(plumber, at('water'))],
    'of nobody': [cook, 987_654],
  } as const
  for (const [what, [person, picture]] of Object.entries(strange)) {
    const refused = await person.post(meals, { data: { photo: { id: picture } } })
    expect([what, refused.status, refused.body.errors]).toEqual([
      ...[what, 422],
      {
        'data.photo': [
          'Photograph: This picture is not there any more, or belongs to another record. Choose it again.',
        ],
      },
    ])
  }
  for (const value of [
    taken,
    'a.jpg',
    { id: 0 },
    { id: '1' },
    { id: 1.5 },
    { id: taken, alt: 'x'.repeat(201) },
    { id: taken, url: '/' },
  ])
    expect((await cook.post(meals, { data: { photo: value } })).status).toBe(422)
  expect((await cook.get(meals)).body.records.total).toBe(1)
  // It stays where it is.
  expect((await colleague.get(meals)).body.records.data).toMatchObject([
    { id, data: { photo: { id: taken } } },
  ])
})

test('without the rights to the records nobody sends or sees their pictures, nor under the address of another place', async () => {
  const cook = await cookOf()
  const id = await send(cook)
  const [reader, stranger, writer] = [
    await portal.signedIn(view),
    await portal.signedIn('schools.view'),
    await portal.signedIn(record),
  ]
  const own = await send(writer)
  // In no record yet, it is for its sender alone.
  expect((await cook.get(`${meals}/pictures/${id}`)).status).toBe(200)
  expect((await reader.get(`${meals}/pictures/${id}`)).status).toBe(404)
  expect((await writer.get(`${meals}/pictures/${own}?size=small`)).status).toBe(200)
  await cooked(cook, { photo: { id } })
  await cooked(writer, { photo: { id: own } })
  expect((await reader.get(`${meals}/pictures/${id}`)).status).toBe(200)
  for (const [person, status] of [
    [stranger, 403],
    [writer, 404],
    [new Client(cook.http, cook.base), 401],
  ] as const)
    expect((await person.get(`${meals}/pictures/${id}`)).status).toBe(status)
  expect((await reader.upload(`${meals}/pictures`, photo())).status).toBe(403)
  expect((await stranger.upload(`${meals}/pictures`, photo())).status).toBe(403)
  const plumber = await portal.signedIn('water.use' as Permission, 'plain.use' as Permission)
  expect((await plumber.get(`${at('water')}/pictures/${id}`)).status).toBe(404)
  expect((await cook.get(`${at('meals', 'suppers')}/pictures/${id}`)).status).toBe(404)
  expect((await cook.get(`${meals}/pictures/${id + 100}`)).status).toBe(404)
  expect((await cook.get(`${meals}/pictures/x`)).status).toBe(404)
  // A collection without such a field takes none.
  expect((await plumber.upload(`${at('plain', 'notes')}/pictures`, photo())).status).toBe(404)
})

test('a team’s server sends and reads pictures by its token, and only with the right to the collection', async () => {
  const admin = await portal.signedInAs('Administrator')
  const serverOf = async (rights: object) => {
    const made = await admin.post('/admin/modules/mfe-meals/tokens', {
      name: 'Feed',
      read: [],
      write: [],
      days: 30,
      ...rights,
    })
    const client = new Client(admin.http, admin.base)
    client.headers = { authorization: `Bearer ${made.body.token}`, 'accept-language': 'en' }
    return client
  }
  const [feed, copy, suppers] = [
    await serverOf({ write: ['meals'] }),
    await serverOf({ read: ['meals'] }),
    await serverOf({ write: ['suppers'] }),
  ]
  const id = await send(feed)
  // Whoever made the token stands for it, and is not it.
  const refused = await admin.post(meals, { data: { photo: { id } } })
  expect(refused.status).toBe(422)
  expect((await feed.post(meals, { data: { photo: { id, alt: 'Rice' } } })).status).toBe(200)
  expect((await copy.get(`${meals}/pictures/${id}`)).status).toBe(200)
  expect((await copy.upload(`${meals}/pictures`, photo())).status).toBe(403)
  expect((await suppers.get(`${meals}/pictures/${id}`)).status).toBe(403)
  expect((await suppers.upload(`${meals}/pictures`, photo())).status).toBe(403)
  feed.headers = { authorization: 'Bearer nothing', 'accept-language': 'en' }
  expect((await feed.get(`${meals}/pictures/${id}`)).status).toBe(401)
})

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
