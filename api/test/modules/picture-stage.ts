import type { Permission } from '@portal/contracts/permissions'
import { afterEach, beforeAll } from 'vitest'
import { followModules } from '../../src/modules/permissions.service.ts'
import { tidy } from '../../src/privacy/retention.service.ts'
import { file, jpeg } from '../cases/case-stage.ts'
import type { Client } from '../client.ts'
import type { Portal } from '../portal.ts'
import { release } from './modules.ts'

export const view = 'meals.view' as Permission
export const record = 'meals.record' as Permission
export const at = (module: string, collection = 'meals') => `/modules/mfe-${module}/records/${collection}`
export const meals = at('meals')
const label = (en: string, fr = en) => ({ en, fr })

export const fields = [
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

export const photo = (name = 'Awa Diallo.jpg', content = jpeg) => ({ file: file(name, content) })

/** For tests of pictures in records: modules with and without pictures are live, and the portal is emptied after each test. */
export function pictureStage(portal: Portal) {
  const { registry, storage } = portal.context
  beforeAll(async () => {
    await release(registry, manifest('meals'), other, plain)
    await followModules(portal.context)()
  })
  afterEach(() => portal.clear())
  let nights = 0

  return {
    cookOf: () => portal.signedIn(view, record),
    send: async (person: Client, to = meals, given = photo()) =>
      (await person.upload(`${to}/pictures`, given)).body.picture.id as number,
    cooked: async (person: Client, data: object) => (await person.post(meals, { data })).body.record,
    /** The files that the database knows. */
    async kept() {
      const { rows } = await portal.owner.query(
        'select key, name, dropped_at is not null as dropped from files order by id',
      )
      return rows as { key: string; name: string; dropped: boolean }[]
    },
    /** How many files the store has. */
    async inStore() {
      let files = 0
      for await (const _ of storage.list()) files++
      return files
    },
    /** Lets `tidy` work as in another night, after so many days. */
    async night(days: number) {
      await portal.owner.query(`update record_pictures set created_at = created_at - interval '${days} days'`)
      await portal.owner.query(
        'update retention_runs set day = day - $1::int where day = (select max(day) from retention_runs)',
        [++nights],
      )
      await tidy(portal.context)
    },
  }
}
