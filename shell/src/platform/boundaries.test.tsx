import { click, draw } from '@portal/ui/test-render'
import { type ReactNode, useEffect } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ModuleBoundary } from './ModuleBoundary.tsx'
import { PageBoundary } from './PageBoundary.tsx'

/** React tells the console of every fault that a boundary takes. */
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => void vi.restoreAllMocks())

const Broken = (): ReactNode => {
  throw new Error('It cannot be drawn.')
}
/** A page that is well while it is there, and breaks when it is left. */
function BadLoser() {
  useEffect(
    () => () => {
      throw new Error('It cannot be taken away.')
    },
    [],
  )
  return <h1>There</h1>
}

const failure = (retry: () => void, reference?: string) => (
  <button type="button" onClick={retry}>
    {`stopped ${reference ?? ''}`}
  </button>
)

test('a page that breaks says so with a reference that is reported too, and the next page is none the worse', async () => {
  const reports: string[] = []
  const at = (place: string, page: ReactNode) => (
    <ModuleBoundary
      place={place}
      fallback={failure}
      onFault={(fault, reference) => reports.push(`${fault.message} ${reference}`)}
    >
      {page}
    </ModuleBoundary>
  )
  const { box, again, end } = await draw(at('/a', <Broken />))
  const reference = /MF-[2-9A-HJ-NP-Z]{6}/.exec(box.textContent ?? '')?.[0]
  expect(reference).toBeDefined()
  expect(reports).toEqual([`It cannot be drawn. ${reference}`])
  await again(at('/b', <h1>Next</h1>))
  expect(box.textContent).toBe('Next')
  await end()
})

test('a page that breaks while it is left takes nothing of the next one away', async () => {
  const at = (place: string, page: ReactNode) => (
    <PageBoundary place={place} fallback={failure}>
      {page}
    </PageBoundary>
  )
  const { box, again, end } = await draw(at('/a', <BadLoser key="a" />))
  expect(box.textContent).toBe('There')
  await again(at('/b', <h1 key="b">Next</h1>))
  expect(box.textContent).toBe('Next')
  await end()
})

test('what breaks again is said, and can be tried once more', async () => {
  let broken = true
  const Page = () => (broken ? <Broken /> : <h1>Mended</h1>)
  const { box, end } = await draw(
    <PageBoundary place="/a" fallback={failure}>
      <Page />
    </PageBoundary>,
  )
  expect(box.textContent).toBe('stopped ')
  broken = false
  await click(box.querySelector('button'))
  expect(box.textContent).toBe('Mended')
  await end()
})
