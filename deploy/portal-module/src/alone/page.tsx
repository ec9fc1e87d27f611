import './refreshes.ts'
import '@portal/ui/ui.css'
import '@portal/ui/screens.css'
import '@portal/ui/lazy.css'
import './alone.css'
import type { Session } from '@portal/contracts/session'
import { activate, currentLocale } from '@portal/i18n/locale'
import { useEffect, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { flagsAsDeclared, settingsAsDeclared } from '../harness/as-declared.ts'
import { fakePortal } from '../harness/fake-portal.ts'
import { Alone } from './Alone.tsx'
import { type Loaded, loadServed } from './container.ts'
import { deployedPortal, portalFor } from './deployed.ts'
import { followChanges } from './NewBuild.tsx'
import { SignIn } from './SignIn.tsx'

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
