import type { Page } from '@playwright/test'
import { makeProbe, newName, type Probe } from './probe.ts'
import { liveGeneration, operator } from './publisher.ts'
import { expect } from './test.ts'

/** A module that no other journey knows, in as many builds as it takes. */
export function newModule(...versions: string[]): [Probe, ...Probe[]] {
  const name = newName('ledger')
  const letters = name.slice(-4)
  const title = { en: `Ledger ${letters}`, fr: `Grand livre ${letters}` }
  const make = (version: string) => makeProbe({ name, title, version, mark: `mark ${version}` })
  const [first = '1.0.0', ...later] = versions
  return [make(first), ...later.map(make)]
}

export const shows = (page: Page, { record }: Probe) =>
  expect(page.getByText(`${record.name} ${record.version} mark ${record.version}`)).toBeVisible()
export const refused = (page: Page, sentence: string) =>
  expect(page.getByRole('main')).toContainText(sentence)

/** Disables the modules of a test. Nothing of the registry is left broken for whoever comes next. */
export async function disableLedgers() {
  for (const { name } of (await operator.now()).modules.filter((entry) => entry.name.includes('ledger'))) {
    await operator.changes.disable({ by: 'The end of a test', name, generation: await liveGeneration() })
  }
}
