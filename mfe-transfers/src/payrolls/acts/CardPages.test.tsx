import { drawInShell } from '@portal/screens/test-host'
import { click, named } from '@portal/ui/test-render'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CorrectionsCard } from './CorrectionsCard.tsx'
import { SettlementsCard } from './SettlementsCard.tsx'

const recipient = (n: number) => ({
  receiver_first_name: `Awa ${n}`,
  receiver_last_name: 'Keïta',
  receiver_type: 'momo',
  receiver_number: '22370000000',
  payment_channel_id: null,
  payment_channel: null,
})
const waiting = (n: number) => ({
  id: n,
  cohort_name: 'Kayes',
  payroll_group_id: 5,
  payroll_id: n,
  ...recipient(n),
  old_values: recipient(n),
  new_values: recipient(n),
  amount: 10_000,
  outcome: 'paid',
  reason: 'A new telephone',
  user: { first_name: 'Modibo', last_name: 'Traoré' },
  created_at: '2026-11-01T08:00:00.000Z',
  failed: 1,
  shared: 0,
  master_list_id: n,
  name_answer: null,
  tells_names: false,
  own: false,
  barred: null,
})

/** A server with 101 rows in pages of as many as the call asks for. */
const serving = ({ url }: { url: string }) => {
  const { searchParams } = new URL(url, 'http://portal.example')
  const [page, per_page] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('per_page'))]
  const data = Array.from({ length: 101 }, (_, at) => waiting(at + 1))
  const rows = {
    data: data.slice((page - 1) * per_page, page * per_page),
    current_page: page,
    last_page: Math.ceil(101 / per_page),
    per_page,
    total: 101,
  }
  return { body: { corrections: rows, settlements: rows } }
}

const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(0)))
beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test.each([
  ['corrections', <CorrectionsCard key="corrections" groupId={5} />],
  ['settlements', <SettlementsCard key="settlements" groupId={5} />],
])('an approver of 101 %s reads how many wait, and comes to the last one', async (_, card) => {
  const { box, end } = await drawInShell(card, serving)
  await settle()
  expect(box.textContent).toContain('Awa 1 Keïta')
  expect(box.textContent).not.toContain('Awa 101 Keïta')
  expect(box.textContent).toContain('101')
  await click(named('2', box))
  await settle()
  expect(box.textContent).toContain('Awa 101 Keïta')
  await end()
})
