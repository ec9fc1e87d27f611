import { parentsSheet } from '@portal/contracts/registers/parents.sheet'
import { parents } from '@portal/contracts/registers-parents'
import { drawInShell } from '@portal/screens/test-host'
import { eventually, named } from '@portal/ui/test-render'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NewImport } from './NewImport.tsx'

// The environment of tests has no workers: this one reads for ever.
beforeEach(() => {
  vi.stubGlobal(
    'Worker',
    class {
      postMessage() {}
      terminate() {}
    },
  )
})
afterEach(() => void vi.unstubAllGlobals())

const none = { data: [], current_page: 1, last_page: 1, per_page: 15, total: 0 }

/** Chooses a file as a person does: by the button, which the browser's dialog gives the focus back to. */
async function choose(box: Element) {
  ;(named('Choose a file', box) as HTMLButtonElement).focus()
  const input = box.querySelector<HTMLInputElement>('input[type=file]')
  Object.defineProperty(input, 'files', { value: [new File(['x'], 'list.xlsx')], configurable: true })
  await act(async () => void input?.dispatchEvent(new Event('change', { bubbles: true })))
}

test('an officer who chooses a file by keys goes on from the button that chooses another one', async () => {
  const { box, end } = await drawInShell(
    <main tabIndex={-1}>
      <NewImport
        endpoint={parents.import}
        kind="parents"
        sheet={parentsSheet}
        title="Import parents"
        back={{ to: '/list', label: 'Parents' }}
        refetches={[]}
      />
    </main>,
    ({ url }) => ({ body: url.includes('headings') ? { headings: {} } : { imports: none } }),
  )
  await eventually(() => expect(named('Choose a file', box)).toBeTruthy())
  await choose(box)
  await eventually(() => expect(document.activeElement).toBe(named('Choose another file', box)))
  await end()
})
