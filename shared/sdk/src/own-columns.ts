import { isQuantity } from '@portal/contracts/record-lists'
import type { ModuleBuild } from './manifest.ts'
import type { ModuleColumn } from './manifest-columns.ts'

/** What is wrong with the columns of a manifest, each with the field it stands in: what they show has to be declared. */
export const faultsOfColumns = ({
  columns = [],
  collections,
}: Pick<ModuleBuild, 'columns' | 'collections'>) =>
  columns.flatMap((column, at) => {
    const own = collections.find(({ name }) => name === column.collection)
    const faults = own
      ? faultsOf(column, own)
      : [`collection: ${column.collection} is none of its collections`]
    return faults.map((fault) => `columns.${at}.${fault}`)
  })

function faultsOf(
  { on, collection, permission, by, field, show }: ModuleColumn,
  { read, fields = [] }: ModuleBuild['collections'][number],
): string[] {
  const faults: string[] = []
  const readers = [read].flat()
  const unread = [permission].flat().find((name) => !readers.includes(name))
  if (unread) faults.push(`permission: ${unread} does not read ${collection}`)
  const about = fields.find(({ name }) => name === by)
  const leads = about?.type === 'text' || about?.type === 'whole' || about?.to === on
  if (!about?.filter || !leads)
    faults.push(
      `by: ${by} is no field of ${collection} of type text or whole, or a reference to it, with filter`,
    )
  const shown = fields.find(({ name }) => name === field)
  const fits =
    field === undefined
      ? show === 'number'
      : show === 'number'
        ? isQuantity(shown?.type)
        : show === 'date'
          ? shown?.type === 'day'
          : shown?.type === 'text' || shown?.type === 'boolean'
  if (!fits)
    faults.push(
      `show: ${show} is not what ${field === undefined ? 'a number of records' : `${field} of ${collection}`} is`,
    )
  return faults
}
