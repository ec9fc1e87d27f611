import { expect, test, vi } from 'vitest'
import { type Column, Table } from './Table.tsx'
import { click, draw, named } from './test-render.tsx'

type School = { id: number; name: string; teachers: number | null }
const columns: Column<School>[] = [
  { key: 'name', header: 'School name', sortable: true },
  { key: 'teachers', header: 'Teachers', align: 'right' },
]
const rows: School[] = [
  { id: 1, name: 'Coura Nord', teachers: 4 },
  { id: 2, name: 'Kita', teachers: null },
]
const same = { label: 'Schools', columns, rowKey: (row: School) => row.id, empty: 'No data available' }

test('a heading that sorts says which way it is sorted and turns it round', async () => {
  const onSort = vi.fn()
  const { box, again, end } = await draw(<Table {...same} rows={rows} sort={null} onSort={onSort} />)
  const heading = () => box.querySelector('th')
  expect(heading()?.getAttribute('aria-sort')).toBeNull()
  await click(named('School name', box))
  expect(onSort).toHaveBeenLastCalledWith({ key: 'name', direction: 'asc' })
  await again(<Table {...same} rows={rows} sort={{ key: 'name', direction: 'asc' }} onSort={onSort} />)
  expect(heading()?.getAttribute('aria-sort')).toBe('ascending')
  await click(named('School name', box))
  expect(onSort).toHaveBeenLastCalledWith({ key: 'name', direction: 'desc' })
  expect(named('Teachers', box)).toBeUndefined()
  await end()
})

test('cells carry their heading for phones, and a missing value is a dash', async () => {
  const { box, end } = await draw(<Table {...same} rows={rows} />)
  expect([...box.querySelectorAll('td')].map((cell) => cell.dataset.label)).toContain('Teachers')
  expect(box.querySelectorAll('tbody tr')[1]?.textContent).toBe('Kita–')
  expect(box.querySelector('table')?.getAttribute('aria-label')).toBe('Schools')
  await end()
})

test('while rows are read as many as expected are drawn, and none is empty', async () => {
  const { box, end } = await draw(<Table {...same} rows={undefined} expected={7} />)
  expect(box.querySelectorAll('tbody tr')).toHaveLength(7)
  expect(box.querySelector('table')?.getAttribute('aria-busy')).toBe('true')
  expect(box.textContent).not.toContain('No data available')
  await end()
})

test('an empty list says so with the sentence it is given', async () => {
  const { box, end } = await draw(<Table {...same} rows={[]} />)
  expect(box.textContent).toContain('No data available')
  await end()
})

test('a failed list names the reference and can be tried again', async () => {
  const onRetry = vi.fn()
  const failure = { title: 'The schools could not be loaded', reference: '5b1e-90aa', onRetry }
  const { box, end } = await draw(<Table {...same} rows={undefined} failure={failure} />)
  expect(box.querySelector('[role="alert"]')?.textContent).toContain('Reference 5b1e-90aa.')
  await click(named('Try again', box))
  expect(onRetry).toHaveBeenCalledOnce()
  await end()
})

test('the menu of a row is named after the row, and absent where nothing may be done', async () => {
  const actions = (row: School) => (row.id === 1 ? [{ label: 'Edit' }] : [])
  const { box, end } = await draw(
    <Table {...same} rows={rows} rowActions={actions} rowName={(row) => row.name} />,
  )
  expect(named('Actions for Coura Nord', box)).toBeDefined()
  expect(named('Actions for Kita', box)).toBeUndefined()
  await end()
})

test('on a phone, where there are no headings, the order can still be chosen', async () => {
  const onSort = vi.fn()
  const { box, end } = await draw(
    <Table {...same} rows={rows} sort={{ key: 'name', direction: 'asc' }} onSort={onSort} />,
  )
  expect(box.querySelector('select')?.textContent).toBe('School name')
  await click(named('Ascending order', box))
  expect(onSort).toHaveBeenCalledWith({ key: 'name', direction: 'desc' })
  await end()
})

test('columns that somebody left out are gone, the others stand in her order, and the first stays first', async () => {
  const more: Column<School>[] = [...columns, { key: 'cap', header: 'CAP', cell: () => 'Kita' }]
  const view = { order: ['cap', 'name'], hidden: ['name'], compact: true }
  const { box, again, end } = await draw(<Table {...same} columns={more} rows={rows} view={view} />)
  const headings = () => [...box.querySelectorAll('th')].map((heading) => heading.textContent)
  expect(headings()).toEqual(['School name', 'CAP', 'Teachers'])
  expect(box.querySelector('table')?.className).toContain('compact')
  await again(<Table {...same} columns={more} rows={rows} view={{ ...view, hidden: ['teachers'] }} />)
  expect(headings()).toEqual(['School name', 'CAP'])
  expect(box.querySelectorAll('tbody tr')[0]?.textContent).toBe('Coura NordKita')
  await end()
})

test('rows are chosen one by one or all of the page, and those of other pages stay chosen', async () => {
  const onSelect = vi.fn()
  const choose = { ...same, rows, rowName: (row: School) => row.name, onSelect }
  const { box, again, end } = await draw(<Table {...choose} selected={{ 9: true }} />)
  const tick = (name: string) => click(box.querySelector(`input[aria-label="${name}"]`))
  await tick('Select Kita')
  expect(onSelect).toHaveBeenLastCalledWith({ 2: true, 9: true })
  await tick('Select all rows of this page')
  expect(onSelect).toHaveBeenLastCalledWith({ 1: true, 2: true, 9: true })
  await again(<Table {...choose} selected={{ 1: true, 2: true, 9: true }} />)
  await tick('Select all rows of this page')
  expect(onSelect).toHaveBeenLastCalledWith({ 9: true })
  await end()
})
