import { test as base, expect } from '@playwright/test'
import type { Endpoint } from '@portal/contracts/endpoint'
import type { Permission } from '@portal/contracts/permissions'
import type { Answers } from '../harness/fake-portal.ts'
import { type Person, personAt } from './person.ts'
import { startPortal } from './portal.ts'
import { servedFrom } from './served.ts'

/** Who signs in. */
type SignsIn = {
  permissions: readonly Permission[]
  locale?: 'en' | 'fr'
  first_name?: string
  last_name?: string
}

/** The calls on a collection, as `recordsOf` makes them. */
type Collection<Data> = {
  create: { path: string; body: { '~types'?: { input: { data: Data } } | undefined } }
}

/** The test portal with this team's module. Each test has one of its own. */
export type TestPortal = {
  /** Opens a browser for somebody with exactly these permissions. */
  asPerson(person: SignsIn): Promise<Person>
  records: {
    /** Stores records as if somebody had saved them. The fields of the manifest are checked. */
    seed<Data>(collection: Collection<Data>, rows: readonly NoInfer<Data>[]): void
    /** The data of all records of a collection, oldest first. */
    stored<Data>(collection: Collection<Data>): Data[]
  }
  /** Answers of calls that are neither on records nor well served by a sample of the contract. */
  answers: Answers
  /** The calls that reached the server, `POST /modules/mfe-clinics/records/notes`, in order. */
  calls(): string[]
  /** What the policy of a page refuses on purpose in this test, by what browsers say of it. It is no failure then. */
  refused(words: RegExp): void
  /** Whether the module runs in the portal's page (`--trusted`) and not in a frame. */
  trusted: boolean
}

const setting = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new Error('Run the tests with portal-module test --browser.')
  return value
}

const nameOf = ({ create }: { create: Pick<Endpoint, 'path'> }) => create.path.split('/').at(-1) ?? ''

/** Playwright's `test` with a test portal. A test fails as well when a page of it throws or its policy is broken. */
export const test = base.extend<{ portal: TestPortal }>({
  portal: async ({ browser, contextOptions }, use) => {
    const trusted = setting('PORTAL_TEST_KIND') === 'trusted'
    const served = servedFrom(setting('PORTAL_TEST_BUILD'))
    const answers: Answers = {}
    const portal = await startPortal({
      ...{ dir: setting('PORTAL_TEST_DIR'), module: () => served, answers },
      isTrusted: () => trusted,
    })
    const faults: string[] = []
    const onPurpose: RegExp[] = []
    const records = `/modules/${portal.record.name}/records`

    async function asPerson({ permissions, locale = 'en', ...names }: SignsIn) {
      const { first_name = 'Awa', last_name = 'Keïta' } = names
      const user = { id: 1, first_name, last_name, email: 'awa@portal.example', roles: [] }
      const settings = { demo: true, four_eyes: true }
      const token = portal.signIn({ user, permissions: [...permissions], locale, settings })
      const context = await browser.newContext({
        ...contextOptions,
        baseURL: portal.portal,
        serviceWorkers: 'block',
      })
      context.on('weberror', (fault) => faults.push(fault.error().message))
      context.on('console', (message) => {
        if (/Content Security Policy|violates the following/.test(message.text())) faults.push(message.text())
      })
      const cookies = { portal_session: token, portal_locale: locale }
      await context.addCookies(
        Object.entries(cookies).map(([name, value]) => ({ name, value, url: portal.portal })),
      )
      const page = await context.newPage()
      return personAt({ context, page, portal: portal.portal, record: portal.record, trusted })
    }

    await use({
      ...{ asPerson, answers, trusted },
      refused: (words) => void onPurpose.push(words),
      calls: () => portal.calls.map(({ method, path }) => `${method} ${path}`),
      records: {
        seed(collection, rows) {
          for (const data of rows) {
            const call = {
              method: 'POST',
              path: `${records}/${nameOf(collection)}`,
              query: {},
              body: { data },
            }
            const { status, body } = portal.records.answer(call) ?? {}
            if (status !== 201) throw new Error(`A record is refused: ${JSON.stringify(body)}`)
          }
        },
        stored: <Data>(collection: Collection<Data>) => portal.records.stored(nameOf(collection)) as Data[],
      },
    })
    await Promise.all(browser.contexts().map((context) => context.close()))
    await portal.end()
    const unexpected = faults.filter((fault) => !onPurpose.some((words) => words.test(fault)))
    expect(unexpected, 'what pages of this test complained about').toEqual([])
  },
})

export { expect }
