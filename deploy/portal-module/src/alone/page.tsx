import './refreshes.ts'
import '@portal/ui/ui.css'
import '@portal/ui/screens.css'
import '@portal/ui/lazy.css'
import './alone.css'
import type { Session } from '@portal/contracts/session'
import { activate, currentLocale, type Locale } from '@portal/i18n/locale'
import { HostContext, I18nProvider, i18n, QueryClientProvider } from '@portal/sdk'
import { itemKinds, tabPlace } from '@portal/sdk/extensions'
import { fetchPage } from '@portal/sdk/routes'
import { Card } from '@portal/ui/Card'
import { type ComponentType, lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, useNavigate, useRoutes } from 'react-router-dom'
import { flagsAsDeclared, settingsAsDeclared } from '../harness/as-declared.ts'
import { type FakePortal, fakePortal } from '../harness/fake-portal.ts'
import { sampleItems } from '../harness/sample-items.ts'
import { type Loaded, loadServed } from './container.ts'
import { deployedPortal, portalFor, type SignedIn } from './deployed.ts'
import { followChanges, NewBuild, registerDirty } from './NewBuild.tsx'
import { SignIn } from './SignIn.tsx'
import { withOwnServers } from './with-own-servers.ts'

type AloneProps = Loaded & {
  portal: Pick<FakePortal, 'host' | 'speak'>
  /** The person who is signed in at a real portal. A fake portal needs no sign-in. */
  person?: SignedIn
  onSignOut?: () => void
}

/** A module without the portal's pages: its pages, cards and tabs, in both languages, with any subset of the person's permissions. */
function Alone({ record, module, portal, person, onSignOut }: AloneProps) {
  const asked = useMemo(
    () => permissionsOf(record).filter((name) => !person || person.permissions.includes(name)),
    [record, person],
  )
  const [granted, setGranted] = useState(asked)
  const [locale, setLocale] = useState<Locale>(currentLocale)
  const [messages, setMessages] = useState<string[]>([])
  const navigate = useNavigate()
  const host = useMemo(() => {
    const say = (text: string) => setMessages((before) => [text, ...before].slice(0, 3))
    const permissions = [...(person?.permissions ?? []).filter((each) => !asked.includes(each)), ...granted]
    const { client, session } = portal.host
    return {
      ...portal.host,
      client: withOwnServers(client, record, () => ({ id: session.user.id, permissions })),
      can: (wanted: string | readonly string[]) =>
        [wanted]
          .flat()
          .some((each) => (asked.includes(each) ? granted : (person?.permissions ?? [])).includes(each)),
      notify: { good: say, bad: say, info: say },
      registerDirty,
      navigate: (to: string, options?: { replace?: boolean }) => void navigate(to, options),
    }
  }, [portal, granted, navigate, asked, person, record])
  const pages = useMemo(
    () =>
      module.routes(portal.host).map((route) => ({
        path: route.path,
        Component: lazy(async () => ({ default: await fetchPage(route) })),
      })),
    [module, portal],
  )
  const cards = useMemo(
    () => Object.entries(module.cards ?? {}).map(([id, card]) => ({ id, Inside: lazy(card) })),
    [module],
  )
  const tabs = useMemo(
    () =>
      itemKinds.flatMap((on) =>
        Object.entries(module.tabs?.[on] ?? {}).map(([id, tab]) => {
          const Inside = lazy(tab as () => Promise<{ default: ComponentType<object> }>)
          return { path: tabPlace({ on, id }), element: <Inside {...sampleItems[on]} /> }
        }),
      ),
    [module],
  )

  const shown = useRoutes([
    ...pages,
    ...tabs,
    {
      path: '/home',
      element: (
        <div className="alone-cards">
          {cards.map(({ id, Inside }) => (
            <Card key={id} title={record.cards.find((each) => each.id === id)?.title[locale]}>
              <div className={`module-place ${record.name}`}>
                <Inside />
              </div>
            </Card>
          ))}
        </div>
      ),
    },
    { path: '*', element: null },
  ])
  return (
    <I18nProvider i18n={i18n} key={locale}>
      <HostContext value={host}>
        <QueryClientProvider client={host.queryClient}>
          <header className="alone-bar">
            <strong>{record.title[currentLocale()]}</strong>
            <span className="muted">
              {record.name} {record.version}
            </span>
            {record.routes.map((route) => (
              <button
                key={route}
                type="button"
                className="button small-button"
                onClick={() => navigate(route)}
              >
                {route}
              </button>
            ))}
            {cards.length > 0 && (
              <button type="button" className="button small-button" onClick={() => navigate('/home')}>
                /home
              </button>
            )}
            {tabs.map(({ path }) => (
              <button key={path} type="button" className="button small-button" onClick={() => navigate(path)}>
                {path}
              </button>
            ))}
            <span className="grow" />
            <NewBuild />
            {asked.map((name) => (
              <label key={name} className="check">
                <input
                  type="checkbox"
                  checked={granted.includes(name)}
                  onChange={({ target }) =>
                    setGranted(target.checked ? [...granted, name] : granted.filter((each) => each !== name))
                  }
                />
                <span>{name}</span>
              </label>
            ))}
            {(['en', 'fr'] as const).map((each) => (
              <button
                key={each}
                type="button"
                className="button small-button"
                aria-pressed={locale === each}
                onClick={() => {
                  portal.speak(each)
                  setLocale(each)
                }}
              >
                {each.toUpperCase()}
              </button>
            ))}
            {person && (
              <button type="button" className="button small-button" onClick={onSignOut}>
                {locale === 'fr' ? 'Se déconnecter' : 'Sign out'} ({person.user.first_name})
              </button>
            )}
          </header>
          <main className="page">
            <div role="status" className="alone-messages">
              {messages.map((text, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same sentence may come twice
                <p key={place}>{text}</p>
              ))}
            </div>
            <div className={`module-place ${record.name}`}>
              <Suspense>{shown}</Suspense>
            </div>
          </main>
        </QueryClientProvider>
      </HostContext>
    </I18nProvider>
  )
}

/** Every permission that the manifest names. */
function permissionsOf({
  permission,
  nav,
  cards,
  tabs = [],
  collections,
  permissions,
  backends = [],
}: Loaded['record']): string[] {
  const asked = [
    permission,
    ...nav.map((item) => item.permission),
    ...cards.map((card) => card.permission),
    ...tabs.map((tab) => tab.permission),
    ...[...collections, ...backends].flatMap(({ read, write }) => [read, write]),
    ...permissions.map(({ name }) => name),
  ]
  return [...new Set(asked.flatMap((each) => each ?? []))].sort()
}

/** The module with a real portal, once somebody has signed in there. */
function WithPortal({ address, ...loaded }: Loaded & { address: string }) {
  const [session, setSession] = useState<Session | null>(null)
  const deployed = useMemo(() => deployedPortal(() => setSession(nobody)), [])
  useEffect(() => {
    deployed.session().then(setSession, () => setSession(nobody))
  }, [deployed])
  const person = session?.user ? { ...session, user: session.user } : undefined
  const { record } = loaded
  // biome-ignore lint/correctness/useExhaustiveDependencies: `person` is made of `session`
  const portal = useMemo(() => person && portalFor(deployed, record, person), [deployed, record, session])
  if (!session) return null
  if (!person || !portal) return <SignIn address={address} portal={deployed} onSignedIn={setSession} />
  const leave = () => void deployed.signOut().then(() => setSession(nobody))
  return <Alone {...loaded} portal={portal} person={person} onSignOut={leave} />
}

const nobody: Session = {
  ...{ user: null, permissions: [], locale: 'en' },
  settings: { demo: false, four_eyes: true },
}

const loaded = await loadServed()
const { portal: address } = (await (await fetch('/alone.json')).json()) as { portal: string | null }
activate(currentLocale())
followChanges(loaded.record)
const [first = '/home'] = loaded.record.routes
if (window.location.pathname === '/') window.history.replaceState(null, '', first)
const place = document.getElementById('root')
if (place)
  createRoot(place).render(
    <BrowserRouter>
      {address ? (
        <WithPortal {...loaded} address={address} />
      ) : (
        <Alone
          {...loaded}
          portal={fakePortal({
            module: loaded.record,
            collections: loaded.record.collections,
            events: loaded.record.events,
            flags: flagsAsDeclared(loaded.record),
            settings: settingsAsDeclared(loaded.record),
          })}
        />
      )}
    </BrowserRouter>,
  )
