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

/** A module as the shell is told of it: its current build, the one before, and what else its entry says. */
export type Installed = { probe: Probe; before?: Probe; entry?: Partial<RegistryModule> }

/** Puts builds on the line, and their modules into the registry that the shell is told. */
export function install(line: Line, ...modules: Installed[]): void {
  const entries = modules.map(({ probe, before, entry }) => {
    for (const build of before ? [before, probe] : [probe]) line.serve(servedFiles(build))
    return entryOf(probe, { previous: before ? asPrevious(before) : null, ...entry })
  })
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

/** Whose module it is, in which version, and what to quote when one asks about it. */
export async function expectNamed(page: Page, { record }: Probe, say: Say = english): Promise<void> {
  const { name, version } = record
  const whose = say('Module {name}, version {version}, owned by {0} ({1}).', {
    ...{ name, version, 0: owner.name, 1: owner.contact },
  })
  await expect(page.getByRole('main')).toContainText(whose)
}

/** Without signs that look alike: it is read out over the telephone. */
export const reference = /\bMF-[2-9A-HJ-NP-Z]{6}\b/

export { expect, makeProbe }
