import { beforeEach, expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { addPlaces } from './registers.ts'

const portal = await startPortal()
const { owner } = portal

beforeEach(async () => {
  await portal.clear()
  await addPlaces(portal)
})

const officer = () => portal.signedInAs('School Officer')

test('an officer finds locations by any of their names, filters them by region and sorts them by each column', async () => {
  const person = await officer()
  const list = async (query: string) =>
    (await person.get(`/admin/geo/locations/list?${query}`)).body.locations
  expect(await list('search=bafoulabé')).toMatchObject({
    total: 1,
    data: [
      {
        name: 'OUSSOUBIDIAGNA',
        commune: { name: 'SIDIBELA', cercle: { name: 'BAFOULABE', region: { name: 'KAYES' } } },
      },
    ],
  })
  const { rows } = await owner.query(`select id from regions where name = 'SEGOU'`)
  expect((await list(`region=${rows[0].id}`)).data).toMatchObject([{ name: 'KOLONGOTOMO' }])
  expect((await list('sort=-region')).data.map(({ name }: { name: string }) => name)).toEqual([
    'KOLONGOTOMO',
    'OUSSOUBIDIAGNA',
  ])
})

test('an officer sees in the read-only lists which CAPs are inactive', async () => {
  await owner.query(`update caps set active = false where name = 'CAP KITA'`)
  const person = await officer()
  const found = (await person.get('/admin/geo/locations/external?active=false')).body.locations
  expect(found).toMatchObject({
    total: 1,
    data: [{ name: 'CAP KITA', active: false, academy: { name: 'AE KAYES', location: { name: 'KAYES' } } }],
  })
  expect((await person.get('/admin/geo/locations/external')).body.locations.total).toBe(4)
})

test('an officer renames a location with the object of the list or with the four names of the form', async () => {
  const person = await officer()
  const [place] = (await person.get('/admin/geo/locations/list?search=sidibela')).body.locations.data
  const saved = await person.put(`/locations/update/${place.id}`, { ...place, name: 'Oussoubidiagna Sud' })
  expect(saved.body).toMatchObject({
    message: 'Location updated',
    location: { name: 'OUSSOUBIDIAGNA SUD', version: 2 },
  })
  const form = { region: 'kayes', cercle: 'Kéniéba', commune: 'Faléa', arrondissement: 'Faléa' }
  const moved = (await person.put(`/locations/update/${place.id}`, form)).body.location
  expect(moved).toMatchObject({
    name: 'FALÉA',
    commune: { name: 'FALÉA', cercle: { name: 'KENIEBA', region: { name: 'KAYES' } } },
  })
  expect((await owner.query(`select name from communes order by id`)).rows).toEqual([
    { name: 'KOKRY' },
    { name: 'FALÉA' },
  ])
  const stale = await person.put(`/locations/update/${place.id}`, { ...form, commune: 'X', version: 1 })
  expect(stale.status).toBe(409)
  // The location is read by id, so that the person who gets the 409 finds it although it was renamed.
  expect((await person.get(`/admin/geo/locations/${place.id}`)).body.location).toMatchObject({
    name: 'FALÉA',
    version: 3,
  })
  expect((await person.get('/admin/geo/locations/999999999')).status).toBe(404)
})

test('an officer must give a location four names, a known region and cercle, and a combination that is not taken', async () => {
  const person = await officer()
  const [place, other] = (await person.get('/admin/geo/locations/list')).body.locations.data
  const put = async (body: object) => (await person.put(`/locations/update/${other.id}`, body)).body
  expect(Object.keys((await put({})).errors).sort()).toEqual([
    'arrondissement',
    'cercle',
    'commune',
    'region',
  ])
  const form = { region: 'KAYES', cercle: 'BAFOULABE', commune: 'SIDIBELA', arrondissement: 'A' }
  expect((await put({ ...form, region: 'KAYEZ' })).errors).toEqual({
    region: ['No region is called KAYEZ. The nearest known one is KAYES.'],
  })
  expect((await put({ ...form, cercle: 'MACINA' })).errors).toEqual({
    cercle: ['No cercle of this region is called MACINA.'],
  })
  const { commune } = place
  const twin = { name: place.name, commune }
  expect((await put(twin)).errors).toEqual({
    arrondissement: ['This arrondissement stands in that commune already.'],
  })
  const auditor = await portal.signedInAs('Auditor')
  expect((await auditor.put(`/locations/update/${place.id}`, form)).status).toBe(403)
})

test('an officer who writes a commune with other accents or case finds the existing one, and no second one is made', async () => {
  const person = await officer()
  const [place] = (await person.get('/admin/geo/locations/list?search=kolong')).body.locations.data
  const form = { region: 'Kayes', cercle: 'Bafoulabé', commune: 'Sidibéla', arrondissement: 'Kolongotomo' }
  const moved = await person.put(`/locations/update/${place.id}`, form)
  expect(moved.body.location.commune.name).toBe('SIDIBELA')
  expect((await owner.query('select name from communes order by id')).rows).toEqual([{ name: 'SIDIBELA' }])
  // The same place in other letters is taken.
  const twin = await person.put(`/locations/update/${place.id}`, {
    ...form,
    arrondissement: 'Oussoubidiàgna',
  })
  expect(twin.body.errors).toEqual({
    arrondissement: ['This arrondissement stands in that commune already.'],
  })
  // Whoever only writes the accents of the commune writes its name.
  const renamed = await person.put(`/locations/update/${place.id}`, { ...form, commune: 'SIDIBÉLA' })
  expect(renamed.body.location.commune.name).toBe('SIDIBELA')
})

test('an officer who writes a place with or without the letters of Bambara finds the stored one, and no second one is made', async () => {
  await owner.query(`
    with m as (insert into communes (cercle_id, name) select id, 'KƐNƐ' from cercles where name = 'MACINA' returning id)
    insert into arrondissements (commune_id, name) select id, 'ŊƆNƝIN' from m`)
  const person = await officer()
  const [place] = (await person.get('/admin/geo/locations/list?search=kolong')).body.locations.data
  const form = { region: 'SEGOU', cercle: 'MACINA', commune: 'Kene', arrondissement: 'Kolongotomo' }
  const moved = await person.put(`/locations/update/${place.id}`, form)
  expect(moved.body.location.commune.name).toBe('KƐNƐ')
  const twin = await person.put(`/locations/update/${place.id}`, { ...form, arrondissement: 'Nɔnnin' })
  expect(twin.body.errors).toEqual({
    arrondissement: ['This arrondissement stands in that commune already.'],
  })
})
