import { auditFieldName } from '@portal/contracts/audit'
import { type AuditedWords, auditPair, auditValueText } from '@portal/contracts/audit/text'
import type { Locale, Text } from '@portal/contracts/sentences'
import type { Context } from '../kit/process/context.ts'
import { openLists } from '../modules/module-links.service.ts'
import { fieldsInWords } from './audit-field-words.service.ts'
import { pointingOf, type StoredAudit } from './audit-names.service.ts'

type Values = StoredAudit['new_values']
type Filters = Record<string, unknown>

const isView = ({ auditable_type }: StoredAudit) => auditable_type === 'saved view'

/** The entry of a saved view with its query, which is stored as it stands in the address, as fields with values. */
export function asFilters(entry: StoredAudit): StoredAudit {
  if (!isView(entry)) return entry
  const side = (values: Values): Values =>
    typeof values?.query === 'string' ? { ...values, query: filtersOf(values.query) } : values
  return { ...entry, old_values: side(entry.old_values), new_values: side(entry.new_values) }
}

/** What stands after the question mark of a list. Ids are numbers, so that they get names like those of other entries. */
function filtersOf(query: string): Filters {
  const ids = pointingOf('saved view')
  const filterOf = (field: string, value: string) => {
    if (value === 'true' || value === 'false') return value === 'true'
    return ids[field] && /^\d{1,15}$/.test(value) ? Number(value) : value
  }
  return Object.fromEntries(
    [...new URLSearchParams(query)].map(([field, value]) => [field, filterOf(field, value)]),
  )
}

/** Says list and filters of saved views as their list says them: a text for each filter, in both languages. */
export async function viewsInWords(
  context: Pick<Context, 'db' | 'registry' | 'log'>,
  entries: readonly StoredAudit[],
): Promise<(entry: StoredAudit, values: Values) => Values> {
  if (!entries.some(isView)) return (_, values) => values
  const [listOf, fields] = await Promise.all([openLists(context), fieldsInWords(context.db)])
  return (entry, values) => {
    const address = entry.new_values?.list ?? entry.old_values?.list
    if (!values || !isView(entry)) return values
    const { title, noun } = listOf(String(address))
    const words = fields[noun ?? ''] ?? {}
    const { list, query } = values
    return {
      ...values,
      ...(list !== undefined && { list: title ?? list }),
      ...(typeof query === 'object' && { query: filtersInWords(query as Filters, words) }),
    }
  }
}

const filtersInWords = (filters: Filters, words: AuditedWords): Text[] =>
  Object.entries(filters).map(([field, value]) =>
    inBoth((locale) =>
      auditPair(
        auditFieldName(field, locale, words),
        field === 'sort'
          ? sortText(String(value), locale, words)
          : auditValueText(value, field, locale, words),
        locale,
      ),
    ),
  )

const inBoth = (of: (locale: Locale) => string): Text => ({ en: of('en'), fr: of('fr') })

/** `-name` as people read it. */
function sortText(sort: string, locale: Locale, words: AuditedWords): string {
  const column = auditFieldName(sort.replace(/^-/, ''), locale, words)
  return sort.startsWith('-') ? `${column} ${descending[locale]}` : column
}

const descending: Text = { en: '(descending)', fr: '(décroissant)' }
