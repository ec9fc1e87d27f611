import { drawInShell } from '@portal/screens/test-host'
import { click, named } from '@portal/ui/test-render'
import { act, useState } from 'react'
import { expect, test } from 'vitest'
import { overdueCase } from '../test-case.ts'
import { DecideCaseDialog } from './DecideCaseDialog.tsx'

test.each([
  ['resolve', 'Verdict (optional)'],
  ['reject', 'Reason (optional)'],
] as const)(
  'a reviewer who is to %s a case reads that she may leave the field empty: %s',
  async (action, label) => {
    const { end } = await drawInShell(
      <DecideCaseDialog complain={overdueCase} action={action} onClose={() => undefined} />,
      () => ({ body: { message: 'Decided' } }),
    )
    expect([...document.querySelectorAll('label')].map((each) => each.textContent)).toContain(label)
    await end()
  },
)

const write = (field: HTMLTextAreaElement | null, text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text)
    field?.dispatchEvent(new Event('input', { bubbles: true }))
  })

test('a reviewer whose case changed while she wrote her verdict reads so, and delivers it all the same', async () => {
  window.scrollTo = () => undefined
  function Page() {
    const [version, setVersion] = useState(1)
    return (
      <>
        <button type="button" onClick={() => setVersion(2)}>
          Read again
        </button>
        <DecideCaseDialog complain={{ ...overdueCase, version }} action="resolve" onClose={() => undefined} />
      </>
    )
  }
  const { calls, end } = await drawInShell(<Page />, ({ body }) =>
    (body as { version?: number } | undefined)?.version === 1
      ? { status: 409, body: { message: 'Somebody else has changed this case.' } }
      : { body: { message: 'Decided' } },
  )
  await write(document.querySelector('textarea'), 'Paid on Monday')
  await click(named('Deliver verdict'))
  expect(document.body.textContent).toContain('Somebody else has changed this case.')
  await click(named('Read again'))
  await click(named('Deliver verdict'))
  const sent = calls.filter(({ method }) => method !== 'GET').map(({ body }) => body)
  expect(sent).toMatchObject([
    { version: 1, verdict: 'Paid on Monday' },
    { version: 2, verdict: 'Paid on Monday' },
  ])
  await end()
})
