import { useForm } from 'react-hook-form'
import { expect, test, vi } from 'vitest'
import { readDate } from './DateBox.tsx'
import { DateField } from './DateField.tsx'
import { CancelButton, Dialog } from './Dialog.tsx'
import { sumHolds } from './Figures.tsx'
import { NumberField, readNumber } from './NumberField.tsx'
import { percentDone } from './Progress.tsx'
import { TextField } from './TextField.tsx'
import { click, draw, eventually, named, press, type } from './test-render.tsx'

test('closing a dialog without changes closes it', async () => {
  const onClose = vi.fn()
  const { end } = await draw(
    <Dialog title="Edit school" onClose={onClose}>
      <input aria-label="Name" />
    </Dialog>,
  )
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Name')
  await click(named('Close'))
  expect(onClose).toHaveBeenCalledOnce()
  await end()
})

test('closing a dialog gives the focus back to what opened it', async () => {
  const opener = document.body.appendChild(document.createElement('button'))
  opener.focus()
  const { end } = await draw(
    <Dialog title="Edit school" onClose={() => undefined}>
      <input aria-label="Name" />
    </Dialog>,
  )
  expect(document.activeElement).not.toBe(opener)
  await end()
  await vi.waitFor(() => expect(document.activeElement).toBe(opener))
  opener.remove()
})

test('closing a dialog whose opener is gone gives the focus to the page', async () => {
  const page = document.body.appendChild(document.createElement('main'))
  Object.assign(page, { id: 'page', tabIndex: -1 })
  const opener = page.appendChild(document.createElement('button'))
  opener.focus()
  const { end } = await draw(
    <Dialog title="Delete the view" onClose={() => undefined}>
      <input aria-label="Name" />
    </Dialog>,
  )
  opener.remove()
  await end()
  await vi.waitFor(() => expect(document.activeElement).toBe(page))
  page.remove()
})

test('closing a dialog that opened while nothing had the focus gives the focus to the page', async () => {
  const dialog = (
    <Dialog title="Sign in again" onClose={() => undefined}>
      <input aria-label="Password" />
    </Dialog>
  )
  const page = (open: boolean) => (
    <main id="page" tabIndex={-1}>
      {open && dialog}
    </main>
  )
  // As in browsers in which a click gives a button no focus.
  ;(document.activeElement as HTMLElement | null)?.blur()
  const { again, end } = await draw(page(true))
  await again(page(false))
  await eventually(() => expect(document.activeElement?.id).toBe('page'))
  await end()
})

test('leaving with changes asks first, and staying keeps the dialog', async () => {
  const onClose = vi.fn()
  const { end } = await draw(
    <Dialog title="Edit school" dirty onClose={onClose}>
      <input aria-label="Name" />
    </Dialog>,
  )
  await press(document.activeElement, 'Escape')
  expect(onClose).not.toHaveBeenCalled()
  expect(document.querySelector('[role="alert"]')?.textContent).toContain(
    'You have changes that are not saved.',
  )
  expect(document.activeElement).toBe(named('Stay'))
  await click(named('Stay'))
  expect(document.querySelector('[role="alert"]')).toBeNull()
  await click(named('Close'))
  await click(named('Leave'))
  expect(onClose).toHaveBeenCalledOnce()
  await end()
})

test('Cancel asks first where something was typed, and closes at once where nothing was', async () => {
  const onClose = vi.fn()
  const dialog = (dirty: boolean) => (
    <Dialog title="Edit school" dirty={dirty} onClose={onClose} footer={<CancelButton />}>
      <input aria-label="Name" />
    </Dialog>
  )
  const { again, end } = await draw(dialog(true))
  await click(named('Cancel'))
  expect(onClose).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(named('Stay'))
  await click(named('Stay'))
  await again(dialog(false))
  await click(named('Cancel'))
  expect(onClose).toHaveBeenCalledOnce()
  await end()
})

test('a dialog that is sending stays open', async () => {
  const onClose = vi.fn()
  const { end } = await draw(
    <Dialog title="Edit school" busy onClose={onClose}>
      <input aria-label="Name" />
    </Dialog>,
  )
  await press(document.activeElement, 'Escape')
  expect(onClose).not.toHaveBeenCalled()
  await end()
})

test('Ctrl and Enter send a form, but not one that moves money', async () => {
  const onSubmit = vi.fn()
  const dialog = (submitKeys: boolean) => (
    <Dialog title="Edit" onClose={() => undefined} onSubmit={onSubmit} submitKeys={submitKeys}>
      <textarea aria-label="Reason" />
    </Dialog>
  )
  const { again, end } = await draw(dialog(false))
  await press(document.querySelector('textarea'), 'Enter', { ctrlKey: true })
  expect(onSubmit).not.toHaveBeenCalled()
  await again(dialog(true))
  await press(document.querySelector('textarea'), 'Enter', { ctrlKey: true })
  expect(onSubmit).toHaveBeenCalledOnce()
  await end()
})

type Values = { name: string; amount: number | string | null; from: string | null }
let read: () => Values
function Form({ error }: { error?: string }) {
  const form = useForm<Values>({
    defaultValues: { name: '', amount: 10500, from: '2026-11-01' },
    errors: error ? { name: { type: 'server', message: error } } : undefined,
  })
  read = form.getValues
  return (
    <>
      <TextField control={form.control} name="name" label="Name" help="As it is written." required />
      <NumberField control={form.control} name="amount" label="Amount" />
      <DateField control={form.control} name="from" label="Start date" />
    </>
  )
}

test('the error of a field is a sentence that belongs to the field', async () => {
  const { box, end } = await draw(<Form error="This name is taken." />)
  const field = box.querySelector('input')
  expect(field?.getAttribute('aria-invalid')).toBe('true')
  expect(field?.getAttribute('aria-required')).toBe('true')
  const described = (field?.getAttribute('aria-describedby') ?? '').split(' ')
  const words = described.map((id) => document.getElementById(id)?.textContent)
  expect(words).toEqual(['As it is written.', 'This name is taken.'])
  await end()
})

test('numbers and dates are typed as people write them and held as the wire wants them', async () => {
  const { box, end } = await draw(<Form />)
  const [, amount, from] = box.querySelectorAll<HTMLInputElement>('input.input')
  expect(from?.value).toBe('01/11/2026')
  await type(amount!, '12,500')
  await type(from!, '31/01/2027')
  expect(read()).toMatchObject({ amount: 12500, from: '2027-01-31' })
  expect(amount?.value).toBe('12,500')
  await type(from!, '31/02/2027')
  await type(amount!, '')
  expect(read()).toMatchObject({ amount: null, from: '31/02/2027' })
  await end()
})

test('a person writes the date where the browser shows no calendar, as in the frame of another origin', async () => {
  const { box, end } = await draw(<Form />)
  const [, , from] = box.querySelectorAll<HTMLInputElement>('input.input')
  const picker = box.querySelector<HTMLInputElement>('input[type="date"]') as HTMLInputElement
  picker.showPicker = () => {
    throw new DOMException('showPicker() called from cross-origin iframe.', 'SecurityError')
  }
  await click(named('Choose a date', box))
  expect(document.activeElement).toBe(from)
  await end()
})

test('what is typed is understood in both countries’ habits', () => {
  expect([
    readNumber('10 500'),
    readNumber('2,5'),
    readNumber('1,234.5'),
    readNumber('0,125'),
    readNumber('abc'),
    readNumber(' '),
  ]).toEqual([10500, 2.5, 1234.5, 0.125, 'abc', null])
  expect([readDate('1.2.2026'), readDate('2026-02-01'), readDate('29/02/2027'), readDate('')]).toEqual([
    '2026-02-01',
    '2026-02-01',
    '29/02/2027',
    null,
  ])
})

test('the signs of the figures hold to the franc, and 100% is said only at the end', () => {
  const amounts = (...all: number[]) => all.map((amount) => ({ amount }))
  expect(sumHolds(amounts(157_626_000, 100_495_500, 283_500, 56_847_000))).toBe(true)
  expect(sumHolds(amounts(157_626_001, 100_495_500, 283_500, 56_847_000))).toBe(false)
  expect(sumHolds([])).toBe(false)
  expect([
    percentDone(9604, 15012),
    percentDone(15011, 15012),
    percentDone(15012, 15012),
    percentDone(0, 0),
  ]).toEqual([64, 99, 100, 0])
})

test('a dialog above another takes Escape and clicks alone, and gives the page back when it closes', async () => {
  const [lower, upper] = [vi.fn(), vi.fn()]
  const below = await draw(
    <Dialog title="Edit school" onClose={lower}>
      <input aria-label="Name" />
    </Dialog>,
  )
  const above = await draw(
    <Dialog title="Sign in again" onClose={upper}>
      <input aria-label="Password" />
    </Dialog>,
  )
  expect([...document.querySelectorAll<HTMLElement>('.scrim')].map((each) => each.inert)).toEqual([
    true,
    false,
  ])
  await press(document.activeElement, 'Escape')
  await click(document.querySelector('[aria-label="Password"]'))
  expect(lower).not.toHaveBeenCalled()
  expect(upper).toHaveBeenCalledOnce()
  await above.end()
  expect(document.querySelector<HTMLElement>('.scrim')?.inert).toBe(false)
  await below.end()
})
