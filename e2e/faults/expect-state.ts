import type { Page } from '@playwright/test'
import { english, type Say } from '../words.ts'
import type { State } from './states.ts'
import { expect, expectNamed, goBy, reference } from './test.ts'

/** Goes to a module by the menu, or by its address where the menu has no entry for this person. */
export async function openModule(page: Page, { probe, entry }: State, say: Say = english): Promise<void> {
  const { title, nav } = { ...probe.record, ...entry }
  if (nav.length) await goBy(page, say === english ? title.en : title.fr, say)
  else await page.goto(probe.route)
}

/** What a person reads of a module that cannot be shown, to the letter, and what she may do. */
export async function expectState(page: Page, state: State, say: Say = english): Promise<void> {
  const { probe, heading, sentences, offers, intended } = state
  const main = page.getByRole('main')
  const name = probe.record.title[say === english ? 'en' : 'fr']
  await expect(main.getByRole('heading', { name: say(heading, { name }), level: 2 })).toBeVisible()
  for (const [sentence, parts] of sentences) await expect(main).toContainText(say(sentence, parts))
  await expectNamed(page, probe, say)
  if (intended) await expect(main).not.toContainText(reference)
  else await expect(main).toContainText(reference)
  const button = (text: string) => main.getByRole('button', { name: say(text), exact: true })
  await expect(button('Try again')).toHaveCount(offers.includes('again') ? 1 : 0)
  await expect(button('Use the version before')).toHaveCount(offers.includes('before') ? 1 : 0)
  await expect(main.getByRole('link', { name: say('Go to the home page') })).toBeVisible()
}
