import type { Referable } from '@portal/contracts/module-records'
import type { DeclaredCollection } from '@portal/contracts/record-fields'
import type { Referenced } from '@portal/contracts/record-types'

/** The things of the fake portal. A test with others answers the call itself. */
const things: Record<Referenced, Referable[]> = {
  school: [
    { id: 1, code: 'KIT-001', name: 'Kita primary school', place: 'Kita' },
    { id: 2, code: 'KIT-002', name: 'Coura', place: 'Kita' },
    { id: 3, code: 'SEG-001', name: 'Barouéli', place: 'Ségou' },
  ],
  student: [
    { id: 1, code: 'ML-2026-00001', name: 'Awa Keïta', place: 'Kita primary school' },
    { id: 2, code: 'ML-2026-00002', name: 'Fanta Traoré', place: 'Coura' },
  ],
  case: [{ id: 1, code: 'C-2026-0001', name: 'Grant was not paid', place: null }],
}

type Asked = { method: string; path: string; query: Record<string, string> }
type Collection = Pick<DeclaredCollection, 'name' | 'fields'>

/** What the fields of a record lead to, as the portal answers it with each record. */
export function referencesIn({ fields = [] }: Collection, data: Record<string, unknown>) {
  const given = fields.flatMap(({ name, to }) => (to && typeof data[name] === 'number' ? [{ name, to }] : []))
  return Object.fromEntries(
    given.map(({ name, to }) => {
      const thing = things[to].find(({ id }) => id === data[name])
      return [name, thing ? { code: thing.code, name: thing.name } : null]
    }),
  )
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The things that a field of type reference may lead to. Undefined for other calls. */
export function findThings(call: Asked, declared: readonly Collection[]) {
  const [, name, asked] = /^\/modules\/[^/]+\/records\/([^/]+)\/references\/(\w+)$/.exec(call.path) ?? []
  if (!asked || call.method !== 'GET') return undefined
  const fields = declared.find((each) => each.name === name)?.fields ?? []
  const to = fields.find((field) => field.name === asked)?.to
  if (!to) return { status: 404, body: { message: 'The collection has no such reference.' } }
  const { search = '', id } = call.query
  if (!id && !search && to === 'student') return { body: { things: [], more: false } }
  const found = things[to].filter((thing) =>
    id ? thing.id === Number(id) : plain(`${thing.name} ${thing.code}`).includes(plain(search)),
  )
  return { body: { things: found, more: false } }
}
