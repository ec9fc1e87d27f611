import { draw } from '@portal/ui/test-render'
import { afterEach, expect, test, vi } from 'vitest'
import type { Entry } from '../registry.ts'
import { useFailureWords } from './useFailureWords.ts'

afterEach(() => void vi.restoreAllMocks())

const entry = { title: { en: 'Cases', fr: 'Dossiers' } } as Entry

function Words() {
  const { title, text } = useFailureWords(entry, { reason: 'unreachable', file: '/modules/mfe-cases/' })
  return (
    <p>
      {title}. {text}
    </p>
  )
}

test('a person without a connection reads that first, and then which module did not load', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const { box, end } = await draw(<Words />)
  expect(box.textContent).toMatch(/^There is no connection\. The module Cases did not load\./)
  await end()
})

test('a person with a connection reads which module did not load', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
  const { box, end } = await draw(<Words />)
  expect(box.textContent).toMatch(/^The module Cases did not load\. Check the connection, then try again\./)
  await end()
})
