import type { Problem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import { targetSelection } from '@portal/contracts/transfers/target-selection'
import { useList } from '@portal/screens/useList'
import { useHost, useQuery } from '@portal/sdk'
import { useEffect, useState } from 'react'

type Name = keyof QueryOf<typeof targetSelection.count>
export type SelectionChanges = Partial<Record<Name, string>>
export type SelectionCount = AnswerOf<typeof targetSelection.count>

const names: readonly Name[] = [
  'country',
  'region',
  'cap',
  'schools',
  'levels',
  'guardian',
  'not_held',
  'attendance',
  'attendance_days',
  'transfer_parameter_id',
]

/** What is chosen in a list of an address. */
export const chosenIn = (text: string) => text.split(',').filter((part) => part !== '')

/**
 * The selection of the address with its figures, and the list of whoever is left out. The address is the only place that
 * knows what is chosen, so reload, back and a link show the same.
 */
export function useSelection() {
  const { client } = useHost()
  const list = useList(targetSelection.leftOut, 'students')
  const value = (name: Name) => list.view.filter(name) || (name === 'country' ? 'ml' : '')
  const query = Object.fromEntries(names.flatMap((name) => (value(name) ? [[name, value(name)]] : [])))
  const chosen = JSON.stringify(query)
  const settled = useSettled(chosen)
  const count = useQuery<SelectionCount, Problem>({
    ...queryOf(client, targetSelection.count, { query: JSON.parse(settled) }),
    placeholderData: (previous) => previous,
  })
  const choose = (changes: SelectionChanges, replace = false) =>
    list.show({ reason: '', ...changes }, replace)
  const { transfer_parameter_id: _, ...selection } = query
  /** Whether the figures are still those of the selection before. */
  const outdated = count.isPlaceholderData || settled !== chosen
  return { list, value, count, outdated, choose, selection }
}
export type SelectionState = ReturnType<typeof useSelection>

/** A text that has not changed for a moment, so that a person who ticks five boxes makes one call. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 250)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
