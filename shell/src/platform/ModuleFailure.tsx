import { Trans, useLingui } from '@lingui/react/macro'
import { currentLocale } from '@portal/i18n/locale'
import type { RegistryModule } from '@portal/sdk/manifest'
import { contractVersion } from '@portal/sdk/registry'
import { Blank } from '@portal/ui/Blank'
import { Button, ButtonLink } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import type { IconName } from '@portal/ui/Icon'
import { PageHead } from '@portal/ui/Page'
import type { ReactNode } from 'react'
import { renderLink } from '../frame/links.tsx'
import { type Failure, openPrevious, retryModule } from './modules.ts'

type Words = { icon: IconName; title: ReactNode; text: ReactNode; retry: boolean; previous?: boolean }

/** A module that cannot be shown: what happened, what still works, what to do, and whose it is. */
export function ModuleFailure({
  entry,
  failure,
  pathname,
}: {
  entry: RegistryModule
  failure: Failure
  pathname: string
}) {
  const words = useWords(entry, failure)
  const offersPrevious = words.previous && entry.previous
  return (
    <FailureCard
      entry={entry}
      {...words}
      actions={
        <>
          {words.retry && (
            <Button variant="primary" icon="retry" onClick={() => void retryModule(entry, pathname)}>
              <Trans>Try again</Trans>
            </Button>
          )}
          {offersPrevious && (
            <Button onClick={() => void openPrevious(entry, pathname)}>
              <Trans>Use the version before</Trans>
            </Button>
          )}
          <ButtonLink href="/home" renderLink={renderLink}>
            <Trans>Go to the home page</Trans>
          </ButtonLink>
        </>
      }
    />
  )
}

function useWords(entry: RegistryModule, failure: Failure): Words {
  const { t } = useLingui()
  const name = entry.title[currentLocale()]
  const safe = t`The rest of the portal works. What you typed on other pages is kept.`
  switch (failure.reason) {
    case 'unreachable':
      return {
        icon: 'plug',
        title: t`The module ${name} did not load`,
        text: `${t`Check the connection, then try again.`} ${safe}`,
        retry: true,
        previous: true,
      }
    case 'contract': {
      const needed = failure.needed
      return {
        icon: 'plug',
        title: t`The module ${name} does not fit this portal`,
        text: t`It needs version ${needed} of the contract between portal and modules, and this portal has ${contractVersion}. Its team has to publish it anew.`,
        retry: false,
        previous: true,
      }
    }
    case 'integrity':
      return {
        icon: 'shield',
        title: t`The module ${name} was not opened`,
        text: t`A file of it is not the one that was published, so none of it was run. Tell the team named below.`,
        retry: false,
        previous: true,
      }
    case 'invalid':
      return {
        icon: 'plug',
        title: t`The module ${name} cannot be opened`,
        text: t`It does not offer what a module has to offer. Its team has to publish it anew.`,
        retry: false,
        previous: true,
      }
    case 'disabled':
      return {
        icon: 'stop',
        title: t`The module ${name} is switched off`,
        text: t`An administrator has switched it off for now. The rest of the portal works.`,
        retry: false,
      }
    case 'denied':
      return {
        icon: 'lock',
        title: t`Access Denied: you may not open this page.`,
        text: t`An administrator of the portal can give you a role that may.`,
        retry: false,
      }
  }
}

/** A page of the module that broke while it was drawn. */
export function ModuleCrash({ entry, onRetry }: { entry: RegistryModule; onRetry: () => void }) {
  const { t } = useLingui()
  const name = entry.title[currentLocale()]
  return (
    <FailureCard
      entry={entry}
      icon="alert"
      title={t`This page of the module ${name} has stopped`}
      text={t`A fault in it keeps it from being shown. The rest of the portal works.`}
      actions={
        <>
          <Button variant="primary" icon="retry" onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
          <ButtonLink href="/home" renderLink={renderLink}>
            <Trans>Go to the home page</Trans>
          </ButtonLink>
        </>
      }
    />
  )
}

type CardProps = {
  entry: RegistryModule
  icon: IconName
  title: ReactNode
  text: ReactNode
  actions: ReactNode
}

function FailureCard({ entry, icon, title, text, actions }: CardProps) {
  const { name, version, owner } = entry
  return (
    <>
      <PageHead title={entry.title[currentLocale()]} />
      <Card>
        <Blank
          failed
          icon={icon}
          title={title}
          text={
            <>
              {text}
              <small className="blank-note">
                <Trans>
                  Module {name}, version {version}, owned by {owner.name} ({owner.contact}).
                </Trans>
              </small>
            </>
          }
          actions={actions}
        />
      </Card>
    </>
  )
}
