import { partners } from '@portal/contracts/registers-partners'
import { click, named } from '@portal/ui/test-render'
import { expect, test, vi } from 'vitest'
import { drawInShell } from './test-host.tsx'
import { useList } from './useList.tsx'
import { useRowDialog } from './useRowDialog.tsx'

const page = (...names: string[]) => ({
  body: {
    partners: {
      data: names.map((name, index) => ({ id: index + 1, name })),
      current_page: 1,
      last_page: 1,
      per_page: 15,
      total: names.length,
    },
  },
})

function Screen() {
  const list = useList(partners.list, 'partners')
  const viewing = useRowDialog(list.items)
  return (
    <>
      {list.items.map((row) => (
        <button key={row.id} type="button" onClick={() => viewing.open(row)}>
          Open {row.id}
        </button>
      ))}
      <button type="button" onClick={list.retry}>
        Read again
      </button>
      <output>{viewing.item?.name}</output>
    </>
  )
}

test('a row that is opened while its list is read again shows what is stored, and stays when it leaves the page', async () => {
  let stored = page('Plan', 'Care')
  const { box, end } = await drawInShell(<Screen />, () => stored)
  const shown = () => box.querySelector('output')?.textContent
  await vi.waitFor(() => expect(named('Open 2', box)).toBeTruthy())
  await click(named('Open 2', box))
  expect(shown()).toBe('Care')
  stored = page('Plan', 'Care Mali')
  await click(named('Read again', box))
  await vi.waitFor(() => expect(shown()).toBe('Care Mali'))
  stored = page('Plan')
  await click(named('Read again', box))
  await vi.waitFor(() => expect(named('Open 2', box)).toBeFalsy())
  expect(shown()).toBe('Care Mali')
  await end()
})
