import type { Agency, Parameter } from '@portal/contracts/transfers/agencies'
import { drawInShell } from '@portal/screens/test-host'
import { click, named } from '@portal/ui/test-render'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ViewParameterDialog } from '../dialogs/ViewParameterDialog.tsx'
import { ViewAgencyDialog } from './ViewAgencyDialog.tsx'

const shared = {
  id: 3,
  description: 'For tests',
  status: 'active' as const,
  user: { id: 1, first_name: 'Awa', last_name: 'Keïta' },
  created_at: '2026-01-05T10:00:00Z',
  version: 1,
}
const agency: Agency = {
  ...shared,
  name: 'Sahel Money',
  type: 'mobile_money',
  country: 'ml',
  fees: 1,
  endpoint: 'https://agency.example',
  details: { protocol: 'sandbox' },
  secrets: [],
  open_outcomes: 0,
  change: null,
  declares: null,
}
const parameter: Parameter = {
  ...shared,
  name: 'Monthly grant',
  commission: 1,
  amount: 10_000,
  currency: 'XOF',
  frequency: 1,
}
const stored = (changed: { version: number; status?: 'active' | 'inactive' }) => ({
  agencies: [{ ...agency, ...changed }],
  parameters: {
    data: [{ ...parameter, ...changed }],
    current_page: 1,
    last_page: 1,
    per_page: 100,
    total: 1,
  },
})

const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(0)))
beforeEach(() => {
  vi.useFakeTimers()
  window.scrollTo = () => undefined
})
afterEach(() => vi.useRealTimers())

const dialogs = [
  ['an agency', <ViewAgencyDialog key="agency" agency={agency} onClose={() => undefined} />],
  ['a parameter', <ViewParameterDialog key="parameter" parameter={parameter} onClose={() => undefined} />],
] as const

test.each(dialogs)(
  'an administrator deactivates %s that somebody else has saved meanwhile at her second try',
  async (_, dialog) => {
    const { calls, end } = await drawInShell(dialog, ({ method, body }) =>
      method === 'GET'
        ? { body: stored({ version: 2 }) }
        : (body as { version: number }).version === 2
          ? { body: { message: 'Saved' } }
          : { status: 409, body: { message: 'Somebody else has changed this.' } },
    )
    await click(named('Deactivate'))
    await click(named('Deactivate'))
    await settle()
    expect(document.body.textContent).toContain('Somebody else has changed this.')
    await click(named('Deactivate'))
    await settle()
    expect(calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      { status: 'inactive', version: 1 },
      { status: 'inactive', version: 2 },
    ])
    await end()
  },
)

test.each(dialogs)(
  'an administrator who deactivates %s after somebody else did reads so, and does not activate it by a second click',
  async (_, dialog) => {
    const { calls, end } = await drawInShell(dialog, ({ method }) =>
      method === 'GET'
        ? { body: stored({ version: 2, status: 'inactive' }) }
        : { status: 409, body: { message: 'Somebody else has changed this.' } },
    )
    await click(named('Deactivate'))
    await click(named('Deactivate'))
    await settle()
    await click(named('Deactivate'))
    await settle()
    expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(1)
    expect(document.body.textContent).toContain('Somebody else has done it already.')
    await end()
  },
)
