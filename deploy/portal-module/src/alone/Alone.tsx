import { currentLocale, type Locale } from '@portal/i18n/locale'
import { HostContext, I18nProvider, i18n, QueryClientProvider } from '@portal/sdk'
import { Suspense, useMemo, useState } from 'react'
import { useNavigate, useRoutes } from 'react-router-dom'
import type { FakePortal } from '../harness/fake-portal.ts'
import { AloneBar } from './AloneBar.tsx'
import type { Loaded } from './container.ts'
import type { SignedIn } from './deployed.ts'
import { hostAlone } from './host-alone.ts'
import { usePlaces } from './usePlaces.tsx'

type AloneProps = Loaded & {
  portal: Pick<FakePortal, 'host' | 'speak'>
  /** The person who is signed in at a real portal. A fake portal needs no sign-in. */
  person?: SignedIn
  onSignOut?: () => void
}

/** A module without the portal's pages: its pages, cards and tabs, in both languages, with any subset of the person's permissions. */
export function Alone({ record, module, portal, person, onSignOut }: AloneProps) {
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
    const others = (person?.permissions ?? []).filter((each) => !asked.includes(each))
    return hostAlone(portal.host, record, { permissions: [...others, ...granted], say, navigate })
  }, [portal, granted, navigate, asked, person, record])
  const { routes, addresses } = usePlaces({ record, module, host: portal.host, locale })
  const shown = useRoutes(routes)
  return (
    <I18nProvider i18n={i18n} key={locale}>
      <HostContext value={host}>
        <QueryClientProvider client={host.queryClient}>
          <AloneBar
            record={record}
            addresses={addresses}
            asked={asked}
            granted={granted}
            onGrant={setGranted}
            locale={locale}
            onSpeak={(each) => {
              portal.speak(each)
              setLocale(each)
            }}
            session={person && { name: person.user.first_name, onSignOut }}
          />
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
