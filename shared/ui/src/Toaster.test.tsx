import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { notify } from './notify.ts'
import { Toaster } from './Toaster.tsx'
import { click, draw, named } from './test-render.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const say = (title: string) => act(async () => notify.success(title))
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))

test('a person who closes a message by its button goes on where she was, and later messages pass', async () => {
  const { box, end } = await draw(
    <>
      <input aria-label="Name" />
      <Toaster />
    </>,
  )
  await act(async () => box.querySelector('input')?.focus())
  await say('School updated')
  const close = named('Close', box) as HTMLButtonElement
  await act(async () => close.focus())
  await pass(60_000)
  expect(box.textContent).toBe('School updated')
  await click(close)
  expect(document.activeElement).toBe(box.querySelector('input'))
  await say('Student updated')
  await pass(5_000)
  expect(box.textContent).toBe('')
  await end()
})

test('a person finds the reference of a failure also after messages that passed', async () => {
  const { box, end } = await draw(<Toaster />)
  await act(async () => notify.error('The schools could not be read', { reference: '5b1e-90aa' }))
  for (const name of ['Coura', 'Kita', 'Nioro', 'Diéma', 'Yélimané']) await say(`${name} updated`)
  expect(box.textContent).toContain('Reference 5b1e-90aa.')
  expect(
    [...box.querySelectorAll('.toast')].map((each) => each.querySelector('.strong')?.textContent),
  ).toEqual(['Yélimané updated', 'Diéma updated', 'Nioro updated', 'The schools could not be read'])
  await end()
})
