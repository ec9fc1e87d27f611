import { auditLogs } from '@portal/contracts/audit'
import { useList } from '@portal/screens/useList'
import { useAuditWords } from './useAuditWords.ts'
import { useSteady } from './useSteady.ts'

/** How often the audit log is refreshed (Calls 4.5). */
const every = 5000

/**
 * The audit log as a list. The first page shows what happens; a later one keeps the rows it was opened with, however
 * much is added meanwhile, by `until` in its address.
 */
export function useAuditList() {
  const list = useList(auditLogs.list, 'logs', { every })
  const { view, answer } = list
  const pin = (page: number) => (page > 1 ? view.filter('until') || answer?.newest || '' : '')
  const filters = ['user_id', 'event', 'auditable_type', 'from', 'to'] as const
  const show: typeof list.show = (changes, replace) =>
    list.show({ until: pin(Number(changes.page ?? 1)), ...changes }, replace)
  const place = `${list.query} ${view.page}`
  const { page, box } = useSteady(useAuditWords().coming ? undefined : list.page, place, list.outdated)
  return {
    ...list,
    page,
    /** Goes around the table. */
    box,
    items: page?.data ?? [],
    show,
    query: without(list.query),
    href: (number: number) => {
      const address = new URLSearchParams(list.href(number))
      const until = pin(number)
      if (until) address.set('until', String(until))
      else address.delete('until')
      return `?${address}`
    },
    narrowed: Boolean(view.search) || filters.some((name) => view.filter(name)),
    /** A later page does not move: the way back to what happens now. */
    held: view.filter('until') !== '',
  }
}

/** A saved view shows what happens now. */
function without(query: string): string {
  const kept = new URLSearchParams(query)
  kept.delete('until')
  return `${kept}`
}
