import { endpoint } from '@portal/contracts/endpoint'
import { listQuery, page } from '@portal/contracts/fields'
import { act } from 'react'
import * as v from 'valibot'
import { vi } from 'vitest'
import { DataTable } from './DataTable.tsx'
import { useList } from './useList.tsx'

/** A school as the lists of tests have it. */
export const School = v.object({ id: v.number(), name: v.string() })
/** The call of a list of schools. */
export const schools = endpoint({
  method: 'GET',
  path: '/schools',
  access: 'schools.view',
  query: listQuery(['name'], {
    status: v.optional(v.picklist(['active', 'inactive'])),
    cap: v.optional(v.string()),
    since: v.optional(v.string()),
  }),
  answer: v.object({ schools: page(School) }),
})

/** A list of schools with a search, three filters and a menu for each row. `every` polls until there are two. */
export function Schools({ every }: { every?: number }) {
  const list = useList(
    schools,
    'schools',
    every ? { every, until: (answer) => answer.schools.total === 2 } : {},
  )
  return (
    <DataTable
      label="Schools"
      list={list}
      columns={[{ key: 'name', header: 'School name', sortable: true }]}
      empty="No data available"
      search="School name"
      filters={[
        { name: 'status', label: 'Status', options: [{ value: 'active', label: 'Active' }] },
        {
          name: 'cap',
          as: 'select',
          label: 'CAP',
          all: 'All CAP',
          options: [{ value: '7', label: 'Kati' }],
        },
        { name: 'since', as: 'day', label: 'Since' },
      ]}
      rowActions={() => [{ label: 'Edit', permission: 'schools.update', onSelect: () => undefined }]}
    />
  )
}

/** An answer with these schools on page `at` of `total` rows. */
export const answer = (names: string[], at = 1, total = names.length) => ({
  body: {
    schools: {
      data: names.map((name, id) => ({ id, name })),
      current_page: at,
      last_page: Math.max(1, Math.ceil(total / 15)),
      per_page: 15,
      total,
    },
  },
})
/** Lets time pass, of fake timers, and what follows from it. */
export const settle = (ms = 0) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
