import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Portal, startPortal } from '../../test/portal.ts'
import { fileOf, imported } from '../../test/registers/registers.ts'
import { writeWorkbook } from '../excel/write.ts'
import { readBoundaries } from './boundaries.import.ts'
import { listedValues } from './lists.seed.ts'
import { readPlaces, readSchoolDistricts } from './places.ts'
import { loadBoundaries, loadReference } from './reference.service.ts'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
const folder = mkdtempSync(join(tmpdir(), 'portal-boundaries-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the shipped lists have every CAP of Mali and every IEF of Senegal, in cercles that exist', () => {
  const counts = (['ml', 'sn'] as const).map((country) => {
    const districts = readSchoolDistricts(country)
    const cercles = new Set(readPlaces(country).cercles.map(({ cercle }) => cercle))
    expect(districts.filter(({ cercle }) => !cercles.has(cercle))).toEqual([])
    return [new Set(districts.map(({ academy }) => academy)).size, districts.length]
  })
  expect(counts).toEqual([
    [26, 125],
    [18, 61],
  ])
})

test('a person who chooses from a list reads each of its words once, whichever country she works in', () => {
  const values = Map.groupBy(
    (['ml', 'sn'] as const).flatMap((country) => listedValues(country)),
    ({ list, code }) => `${list} ${code}`,
  )
  for (const language of ['en', 'fr'] as const) {
    const words = [...values.values()].map(([value]) => `${value?.list}: ${value?.[language]}`)
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
  }
})

test('loading both countries twice adds nothing the second time and keeps what was deactivated', async () => {
  const first = await loadReference(portal.db, 'ml')
  expect(first).toMatchObject({ regions: 20, academies: 26, caps: 125 })
  expect(await loadReference(portal.db, 'sn')).toMatchObject({ regions: 14, academies: 18, caps: 61 })
  await portal.owner.query(`update caps set active = false where name = 'CAP KITA'`)
  const nothing = {
    regions: 0,
    cercles: 0,
    communes: 0,
    arrondissements: 0,
    academies: 0,
    caps: 0,
    values: 0,
  }
  expect(await loadReference(portal.db, 'ml')).toEqual(nothing)
  expect(await loadReference(portal.db, 'sn')).toEqual(nothing)
  expect((await portal.owner.query(`select name from caps where not active`)).rows).toEqual([
    { name: 'CAP KITA' },
  ])
})

test('an officer who brings in the communes of a country finds its départements as the State names them, and makes none twice', async () => {
  // Databases that were filled by an earlier release have the short name.
  await portal.owner.query(`update cercles set name = 'RANEROU' where name = 'RANEROU FERLO'`)
  expect(await loadReference(portal.db, 'sn')).toMatchObject({ cercles: 1, communes: 0 })
  await portal.worker()
  const officer = await portal.signedInAs('School Officer')
  const places = [
    'M’BACKE/NDAME/TOUBA FALL',
    'RANEROU FERLO/VELINGARA/VELINGARA',
    'SAINT LOUIS/RAO/GANDON',
    'M’BOUR/SINDIA/MALICOUNDA',
  ]
  const rows = places.map((place, n) => {
    const [cercle = '', arrondissement = '', commune = ''] = place.split('/')
    return { region: ['DIOURBEL', 'MATAM', 'SAINT-LOUIS', 'THIES'][n] ?? '', cercle, arrondissement, commune }
  })
  expect(await imported(officer, 'locations', fileOf(rows))).toMatchObject({
    rows_imported: 4,
    rows_rejected: 0,
  })
  const { rows: departements } = await portal.owner.query(
    `select c.name from cercles c join regions g on g.id = c.region_id where g.country = 'sn'`,
  )
  expect(departements).toHaveLength(46)
})

test('a country’s CAPs come in from a file, known ones stay one', async () => {
  const file = join(folder, 'caps.xlsx')
  await writeWorkbook(file, {
    name: 'CAP',
    columns: [
      { key: 'region', header: 'Région', kind: 'text' },
      { key: 'ae', header: 'AE', kind: 'text' },
      { key: 'cap', header: 'CAP', kind: 'text' },
    ],
    rows: [
      ['Ségou', 'AE Ségou', 'CAP Ségou'],
      ['Ségou', 'AE Ségou', 'CAP Pelengana'],
      ['Ségou', 'AE Ségou', null],
    ],
  })
  const { districts, left_out } = await readBoundaries(file)
  expect(left_out).toBe(1)
  expect(await loadBoundaries(portal.db, 'ml', districts)).toEqual({ regions: 0, academies: 0, caps: 1 })
})
