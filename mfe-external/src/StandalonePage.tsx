import { useLingui } from '@lingui/react/macro'
import type { Client } from '@portal/client/client'
import type { Consultation } from '@portal/contracts/cases/external'
import { currentLocale, type Locale } from '@portal/i18n/locale'
import { Brand } from '@portal/ui/Sidebar'
import { LanguageSwitch, SkipLink } from '@portal/ui/TopBar'
import { useEffect } from 'react'
import { ConsultationPage } from './ConsultationPage.tsx'

type Props = {
  client: Client
  invite: string
  read: () => Promise<Consultation>
  onLocale: (locale: Locale) => void
}

/** The consultant's page: a head of its own, no navigation, nothing of the portal behind the sign-in. */
export function StandalonePage({ client, invite, read, onLocale }: Props) {
  const { t } = useLingui()
  const title = t`Consultation request`
  const product = t`Girls’ education`
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
  return (
    <div className="alone">
      <SkipLink />
      <div className="selvedge" />
      <header className="topbar">
        <Brand href="/" name={product} line={t`Cash transfers`} />
        <LanguageSwitch value={currentLocale()} onChange={onLocale} />
      </header>
      <main className="page" id="page" tabIndex={-1}>
        <ConsultationPage client={client} invite={invite} read={read} />
      </main>
    </div>
  )
}
