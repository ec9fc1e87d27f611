import { expect, test, vi } from 'vitest'
import { Pager, pagerWindow } from './Pager.tsx'
import { click, draw, named } from './test-render.tsx'

test('first, last and current page are always there, in order, with ten links at most', () => {
  for (let last = 1; last <= 60; last += 1) {
    for (let page = 1; page <= last; page += 1) {
      const shown = pagerWindow(page, last)
      const links = shown.filter((at): at is number => at !== null)
      expect(links.length).toBeLessThanOrEqual(10)
      expect(links).toEqual([...new Set(links)].sort((a, b) => a - b))
      for (const must of [1, last, page]) expect(links).toContain(must)
      // A gap stands exactly where pages are left out.
      shown.forEach((at, place) => {
        const before = shown[place - 1]
        if (typeof at === 'number' && typeof before === 'number') expect(at).toBe(before + 1)
        if (at === null) expect((shown[place + 1] ?? 0) - (before ?? 0)).toBeGreaterThan(1)
      })
    }
  }
})

test('a page beyond the last does not break the window', () => {
  expect(pagerWindow(99, 20)).toContain(20)
  expect(pagerWindow(1, 0)).toEqual([1])
})

test('a person sees what is shown of how many and goes on without leaving the page', async () => {
  const onPage = vi.fn()
  const { box, end } = await draw(
    <Pager
      page={3}
      last={1001}
      perPage={15}
      total={15012}
      href={(page) => `?page=${page}`}
      onPage={onPage}
    />,
  )
  expect(box.textContent).toContain('31-45 of 15,012')
  expect(box.querySelector('[aria-current="page"]')?.textContent).toBe('3')
  expect(named('1,001', box)?.getAttribute('href')).toBe('?page=1001')
  await click(named('Next page', box))
  expect(onPage).toHaveBeenCalledWith(4)
  await end()
})

test('the last page is shown only as far as there are rows', async () => {
  const { box, end } = await draw(<Pager page={2} last={2} perPage={15} total={17} href={() => '#'} />)
  expect(box.textContent).toContain('16-17 of 17')
  expect(named('Next page', box)?.getAttribute('aria-disabled')).toBe('true')
  await end()
})

test('a person who pages by keys keeps her place at the last page, from where no page comes next', async () => {
  const onPage = vi.fn()
  const pager = (page: number) => (
    <Pager page={page} last={2} perPage={15} total={17} href={(at) => `?page=${at}`} onPage={onPage} />
  )
  const { box, again, end } = await draw(pager(1))
  const next = named('Next page', box) as HTMLElement
  next.focus()
  await click(next)
  await again(pager(2))
  expect(document.activeElement).toBe(next)
  // A browser takes the focus from a link that loses its address.
  expect(next.getAttribute('href')).toBe('?page=2')
  await click(next)
  expect(onPage.mock.calls).toEqual([[2]])
  await end()
})

test('a person sees that there are more rows than the list counts, and on its last page what to do', async () => {
  const pager = (page: number) => (
    <Pager page={page} last={667} perPage={15} total={10_000} capped href={() => '#'} />
  )
  const first = await draw(pager(1))
  expect(first.box.textContent).toContain('1-15 of 10,000+')
  expect(first.box.textContent).not.toContain('There are more')
  await first.end()
  const last = await draw(pager(667))
  expect(last.box.textContent).toContain('9,991-10,000 of 10,000+')
  expect(last.box.textContent).toContain('There are more: narrow the list to see them.')
  await last.end()
})
