import { draw } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import type { Entry } from '../registry.ts'
import { FrameFailure, PartFailure } from './FrameFailure.tsx'

const entry = {
  title: { en: 'Wells', fr: 'Puits' },
  owner: { name: 'Probe team', contact: 'probe@partner.example' },
} as Entry
const of = { name: 'mfe-wells', version: '1.0.0' } as Entry
const given = { entry, of, reference: 'MF-23456789', onReload: () => {} }

test('a person whose line was lost while a frame was starting reads that the module did not load', async () => {
  for (const piece of [
    <FrameFailure key="page" fault="unreachable" {...given} />,
    <PartFailure key="part" fault="unreachable" {...given} />,
  ]) {
    const { box, end } = await draw(piece)
    expect(box.textContent).toContain('The module Wells did not load')
    expect(box.textContent).toContain('Check the connection, then try again.')
    // Nothing was typed in it yet.
    expect(box.textContent).not.toContain('is lost')
    await end()
  }
})

test('a person whose frame has hung reads that it does not answer, and what she has lost', async () => {
  const { box, end } = await draw(<FrameFailure fault="silent" {...given} />)
  expect(box.textContent).toContain('The module Wells does not answer')
  expect(box.textContent).toContain('What was typed in it and not saved is lost.')
  await end()
})
