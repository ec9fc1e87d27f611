import { click, named } from '@portal/ui/test-render'
import { act, useLayoutEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lazy } from './lazy.tsx'
import { drawInShell } from './test-host.tsx'

type Props = { name: string; onClose: () => void }
const Greeting = ({ name, onClose }: Props) => (
  <p>
    Hello {name}{' '}
    <button type="button" onClick={onClose}>
      Bye
    </button>
  </p>
)

function Page({ Dialog }: { Dialog: (props: Props) => React.ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Greet
      </button>
      {open && <Dialog name="Awa" onClose={() => setOpen(false)} />}
    </>
  )
}

const none = () => ({ body: {} })
const settle = () => act(async () => void (await new Promise((resolve) => setTimeout(resolve, 5))))

test('a lazy dialog is prefetched when somebody points at a button, and opens at once from then on', async () => {
  const fetch = vi.fn(async () => ({ Greeting }))
  const { box, end } = await drawInShell(<Page Dialog={lazy(fetch, 'Greeting')} />, none)
  expect(fetch).not.toHaveBeenCalled()
  named('Greet', box)?.dispatchEvent(new Event('pointerover', { bubbles: true }))
  expect(fetch).toHaveBeenCalledOnce()
  await settle()
  await click(named('Greet', box))
  expect(box.textContent).toContain('Hello Awa')
  await click(named('Bye', box))
  expect(box.textContent).not.toContain('Hello')
  await click(named('Greet', box))
  expect(fetch).toHaveBeenCalledOnce()
  await end()
})

test('a person gets a lazy dialog whose file arrives after it was drawn and before its effect', async () => {
  let arrive = () => {}
  let open = () => {}
  const fetch = () =>
    new Promise<{ Greeting: typeof Greeting }>((resolve) => {
      arrive = () => resolve({ Greeting })
    })
  const Dialog = lazy(fetch, 'Greeting')
  function Arrival() {
    useLayoutEffect(() => arrive())
    return null
  }
  function Screen() {
    const [opened, setOpened] = useState(false)
    open = () => setOpened(true)
    return (
      <>
        <button type="button">Greet</button>
        {opened && <Dialog name="Awa" onClose={() => {}} />}
        {opened && <Arrival />}
      </>
    )
  }
  const { box, end } = await drawInShell(<Screen />, none)
  named('Greet', box)?.dispatchEvent(new Event('pointerover', { bubbles: true }))
  // As in a browser, where effects run in a task of their own.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  onTestFinished(() => void vi.unstubAllGlobals())
  open()
  await vi.waitFor(() => expect(box.textContent).toContain('Hello Awa'))
  await end()
})

test('a lazy dialog that cannot be fetched is asked for twice, then says so and counts as closed', async () => {
  let here = false
  const fetch = vi.fn(async () => {
    if (!here) throw new Error('no line')
    return { Greeting }
  })
  const { box, messages, end } = await drawInShell(<Page Dialog={lazy(fetch, 'Greeting')} />, none)
  await click(named('Greet', box))
  await settle()
  expect(fetch).toHaveBeenCalledTimes(2)
  expect(messages).toHaveLength(1)
  here = true
  await click(named('Greet', box))
  await settle()
  expect(box.textContent).toContain('Hello Awa')
  await end()
})

test('a link changes the page, and leaves a new tab to the browser', async () => {
  const { box, place, end } = await drawInShell(<Link to="/schools?page=2">Schools</Link>, none)
  const link = named('Schools', box)
  const apart = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true })
  await act(async () => void link?.dispatchEvent(apart))
  expect(apart.defaultPrevented).toBe(false)
  expect(place.current).toBe('/list')
  await click(link)
  expect(place.current).toBe('/schools?page=2')
  await end()
})
