import type { Permission } from '@portal/contracts/permissions'
import { expect, test } from 'vitest'
import { Client } from '../client.ts'
import { startPortal } from '../portal.ts'
import { at, meals, photo, pictureStage, record, view } from './picture-stage.ts'

const portal = await startPortal({ modulePicturesMiB: 1, moduleOverride: true })
const { cooked, cookOf, send } = pictureStage(portal)

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
