import type { BrowserContext, Page } from '@playwright/test'
import { leave, type Open, opened, settled } from './openings.ts'
import type { Role } from './people.ts'
import { nameOf, screens } from './routes.ts'
import type { Screen } from './screens/screen.ts'
import type { Say } from './words.ts'

export type Locale = 'en' | 'fr'

/** What is looked at: a screen, or a dialog open over it. */
export type Sight = { screen: Screen; name: string; dialog: boolean }

/** Keeps a browser in one language, whatever it would ask for by itself. */
export async function speak(context: BrowserContext, locale: Locale, url: string): Promise<void> {
  await context.addCookies([{ name: 'portal_locale', value: locale, url }])
}

/** The roles that the screens want, each with its screens, in their order. */
export function byRole(of: readonly Screen[] = screens): [Role | null, Screen[]][] {
  const roles = [...new Set(of.map(({ role }) => role))]
  return roles.map((role) => [role, of.filter((screen) => screen.role === role)])
}

/** Goes through screens on one page, each with its dialogs, and hands over every sight once it has been drawn. */
export async function visit(
  page: Page,
  of: readonly Screen[],
  say: Say,
  look: (sight: Sight) => Promise<void>,
): Promise<void> {
  for (const screen of of) {
    const name = nameOf(screen)
    await settled(page, (await screen.path?.()) ?? screen.route)
    await look({ screen, name, dialog: false })
    for (const [title, open] of Object.entries(screen.dialogs ?? {}))
      await lookInto(page, open, say, () => look({ screen, name: `${name}: ${title}`, dialog: true }))
  }
}

async function lookInto(page: Page, open: Open, say: Say, look: () => Promise<void>) {
  await open(page, say)
  await opened(page)
  await look()
  await leave(page)
}
