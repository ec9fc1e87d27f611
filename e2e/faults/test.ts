import type { Locator, Page } from '@playwright/test'
import type { RegistryModule } from '@portal/sdk/manifest'
import { place } from '../stage/place.ts'
import { test as base, expect } from '../test.ts'
import { english, type Say } from '../words.ts'
import { asPrevious, entryOf, makeProbe, owner, type Probe, servedFiles } from './probe.ts'
import { type Line, startProxy } from './proxy.ts'

/** A journey over a line that the test can break: `line` stands between every browser and the portal. */
export const test = base.extend<{ line: Line }, { wire: Line }>({
  wire: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's form
    async ({}, use) => {
      const proxy = await startProxy(place.url)
      await use(proxy)
      await proxy.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ wire }, use) => use(wire.url),
  line: [
    async ({ wire }, use) => {
      wire.reset()
      await use(wire)
      wire.reset()
    },
    { auto: true },
  ],
})

/**
 * Puts builds on the line and their modules into the registry that the shell is told; of several builds of one module
 * the last is the current one and that before it the previous.
 */
export function install(line: Line, probes: Probe[], more: Partial<RegistryModule> = {}): void {
  for (const probe of probes) line.serve(servedFiles(probe))
  const latest = new Map<string, RegistryModule>()
  for (const probe of probes) {
    const before = probes
      .slice(0, probes.indexOf(probe))
      .findLast(({ record }) => record.name === probe.record.name)
    latest.set(probe.record.name, entryOf(probe, { previous: before ? asPrevious(before) : null, ...more }))
  }
  const entries = [...latest.values()]
  line.tell((registry) => ({
    ...registry,
    modules: [
      ...registry.modules.filter(({ name }) => !entries.some((each) => each.name === name)),
      ...entries,
    ],
  }))
}

export const navigationOf = (page: Page, say: Say = english): Locator =>
  page.getByRole('navigation', { name: say('Main navigation') })

/** Goes to a section by the menu, as a person does. */
export async function goBy(page: Page, section: string, say: Say = english): Promise<void> {
  await navigationOf(page, say).getByRole('link', { name: section, exact: true }).first().click()
}

/** Whatever became of one module, the menu stands and another module opens by it and back. */
export async function expectRestAlive(page: Page, say: Say = english): Promise<void> {
  await goBy(page, say === english ? 'Cases' : 'Dossiers', say)
  await expect(page.getByRole('heading', { name: say('Case Management'), level: 1 })).toBeVisible()
  await expect(page.getByRole('table').first()).toBeVisible()
  await goBy(page, say('Home'), say)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(say === english ? 'Hello' : 'Bonjour')
}

/** The card says whose module it is, in which version, and what to quote when one asks about it. */
export async function expectNamed(page: Page, { record }: Probe): Promise<void> {
  const main = page.getByRole('main')
  for (const part of [record.name, record.version, owner.name, owner.contact])
    await expect(main).toContainText(part)
  await expect(main).toContainText(/MF-[2-9A-HJ-NP-Z]{6}/)
}

export { expect, makeProbe }
