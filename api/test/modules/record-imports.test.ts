import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { untilLocked } from '../locks.ts'
import { startPortal } from '../portal.ts'
import { sheetFile, stopped } from '../registers/registers.ts'
import { mortalWorkers } from '../workers.ts'
import { importable, manifest, meal, mealImportStage, meals } from './meal-import-stage.ts'
import { release } from './modules.ts'

const portal = await startPortal({ moduleRecords: 40 })
const { codes, cookWith, send } = mealImportStage(portal)
const workers = mortalWorkers(portal.settings)
const { registry } = portal.context
const setDisabled = (disabled: boolean) =>
  registry.generations.change(undefined, ({ modules }) => ({
    ...{ what: disabled ? ('disable' as const) : ('enable' as const), by: 'Awa', module: 'mfe-meals' },
    modules: modules.map((each) => ({ ...each, disabled })),
  }))
const heads = ['School', 'Day', 'Girls fed', 'Dish', 'Hot', 'Kilos', 'Girl', 'Notes']

test('when the worker is killed in the middle of a cook’s import, the next one writes every record once', {
  timeout: 60_000,
}, async () => {
  const [cook, { school }] = [await cookWith(), await codes()]
  const rows = Array.from({ length: 30 }, (_, n) => [
    school,
    '01/03/2026',
    n,
    'Rice',
    'yes',
    1,
    null,
    `row ${n}`,
  ])
  const blocker = await portal.owner.connect()
  onTestFinished(() => blocker.release())
  const sent = await send(cook, sheetFile([heads, ...rows]), false)
  const { id } = sent.body.import
  // The records are inserted, and their keys have to wait.
  await blocker.query('begin; lock table module_record_keys in exclusive mode')
  const killed = workers.start()
  await untilLocked(portal.owner, { table: 'module_record_keys', ms: 30_000 })
  await workers.end(killed, 'SIGKILL')
  await blocker.query('rollback')
  const heir = workers.start()
  expect(await stopped(cook, id)).toMatchObject({ state: 'imported', rows_new: 30 })
  await workers.end(heir, 'SIGTERM')
  expect((await cook.get(`${meals}?day=2026-03-01`)).body.records.total).toBe(30)
  const { rows: logged } = await portal.owner.query("select from audits where event = 'imported'")
  expect(logged).toHaveLength(1)
})

describe('with a worker', () => {
  beforeAll(() => portal.worker())

  test('only who may write the records of a live module imports them, at every step', async () => {
    const [cook, stranger, { school }] = [
      await cookWith(),
      await portal.signedIn('schools.view'),
      await codes(),
    ]
    const blind = await portal.signedIn(meal)
    const file = () => sheetFile([heads, [school, '01/03/2026', 5, 'Rice', 'yes', null, null, null]])
    for (const path of [`${meals}/import`, `${meals}/import/sample.xlsx`])
      expect((await stranger.get(path)).status).toBe(403)
    expect((await send(stranger, file())).status).toBe(403)
    // A person names only what she may see.
    const unseen = await send(blind, file())
    expect((await stopped(blind, unseen.body.import.id)).errors).toMatchObject([
      { column: 'school', message: `No school has the code ${school}, or you may not see it.` },
    ])

    const { id } = (await send(cook, file())).body.import
    await stopped(cook, id)
    const reads = [
      `/imports/${id}`,
      `/imports/${id}/rows?kind=new`,
      `/imports/${id}/groups`,
      `/imports/${id}/file`,
    ]
    const list = '/imports?kind=module-records&module=mfe-meals&collection=meals'
    for (const path of [...reads, list]) {
      expect([path, (await stranger.get(path)).status]).toEqual([path, 403])
      expect([path, (await cook.get(path)).status]).toEqual([path, 200])
    }
    // Whoever sees less than the uploader does not learn from the rows what there is.
    expect((await blind.get(`/imports/${id}/rows?kind=new`)).status).toBe(403)
    expect((await stranger.post(`/imports/${id}/confirm`, {})).status).toBe(403)
    const waiting = await cook.get('/home/waiting')
    expect(waiting.body.imports).toMatchObject({
      count: 1,
      oldest: { link: `/home/records?of=mfe-meals.meals&import=${id}` },
    })

    // A later version no longer offers it, and another comes back.
    await release(registry, manifest('1.1.0'))
    for (const path of reads) expect((await cook.get(path)).status).toBe(404)
    expect((await send(cook, file())).status).toBe(404)
    expect((await cook.post(`/imports/${id}/confirm`, {})).status).toBe(404)
    await release(registry, { ...importable, version: '1.2.0' })
    await setDisabled(true)
    expect((await cook.post(`/imports/${id}/confirm`, {})).status).toBe(404)
    await setDisabled(false)
    expect((await cook.post(`/imports/${id}/confirm`, {})).status).toBe(200)
    expect(await stopped(cook, id)).toMatchObject({ state: 'imported', rows_new: 1 })
  })

  test('a cook who sends the same file twice, or more than the collection holds, doubles nothing', async () => {
    const [cook, { school }] = [await cookWith(), await codes()]
    const rows = Array.from({ length: 4 }, (_, n) => [
      school,
      `0${n + 1}/03/2026`,
      n,
      'Rice',
      'yes',
      1,
      null,
      'x',
    ])
    const file = sheetFile([heads, ...rows])
    const [one, two] = [await send(cook, file), await send(cook, file)]
    for (const { body } of [one, two]) await stopped(cook, body.import.id)
    await cook.post(`/imports/${one.body.import.id}/confirm`, {})
    expect(await stopped(cook, one.body.import.id)).toMatchObject({ state: 'imported', rows_new: 4 })
    const refused = await cook.post(`/imports/${two.body.import.id}/confirm`, {})
    expect(refused).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/made 4 new records/) },
    })
    expect((await send(cook, file)).body.errors.records_file).toEqual([
      expect.stringMatching(/^This very file was imported on \d\d\/\d\d\/\d{4}/),
    ])
    const many = Array.from({ length: 37 }, (_, n) => [school, '01/03/2026', n, 'Rice', 'yes', 1, null, 'y'])
    const tooMany = await send(cook, sheetFile([heads, ...many]))
    await stopped(cook, tooMany.body.import.id)
    expect((await cook.post(`/imports/${tooMany.body.import.id}/confirm`, {})).body.message).toMatch(
      /holds 4 records, and this portal keeps at most 40: 37 more do not fit/,
    )
    expect((await cook.get(meals)).body.records.total).toBe(4)
  })
})
