import type { Location } from '@portal/contracts/registers/geography'
import { type Answers, drawInShell } from '@portal/screens/test-host'
import { click, named, type } from '@portal/ui/test-render'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EditLocationDialog } from './EditLocationDialog.tsx'

const location: Location = {
  id: 9,
  name: 'FALEA',
  commune: { name: 'FALEA', cercle: { name: 'KENIEBA', region: { name: 'KAYES' } } },
  version: 1,
}
const renamed: Location = { ...location, name: 'FALÉA SUD', version: 2 }

const renamedMeanwhile: Answers = ({ method, url, body }) => {
  if (method === 'GET') return url.endsWith('/locations/9') ? { body: { location: renamed } } : { body: {} }
  return (body as Location).version === renamed.version
    ? { body: { message: 'Location updated', location: renamed } }
    : { status: 409, body: { message: 'Somebody else has changed this.' } }
}

const input = (name: string) => document.querySelector<HTMLInputElement>(`input[name="${name}"]`)
const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(0)))

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('an officer is shown the name that another one has given the location, and keeps it', async () => {
  const { calls, end } = await drawInShell(
    <EditLocationDialog location={location} onClose={() => undefined} />,
    renamedMeanwhile,
  )
  await type(input('commune') as HTMLInputElement, 'KENIEBA')
  await act(async () => document.querySelector('form')?.requestSubmit())
  await settle()
  expect(document.querySelector('.changes')?.textContent).toContain('FALÉA SUD')
  await click(named('Save mine over it'))
  await settle()
  expect(calls.filter(({ method }) => method === 'PUT').at(-1)?.body).toMatchObject({
    arrondissement: 'FALÉA SUD',
    commune: 'KENIEBA',
    version: 2,
  })
  await end()
})
