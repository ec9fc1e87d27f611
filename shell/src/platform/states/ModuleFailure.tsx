import { Trans, useLingui } from '@lingui/react/macro'
import { currentLocale } from '@portal/i18n/locale'
import { Blank } from '@portal/ui/Blank'
import { Button, ButtonLink } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import type { IconName } from '@portal/ui/Icon'
import { PageHead } from '@portal/ui/Page'
import type { ReactNode } from 'react'
import type { BuildRef } from '../builds.ts'
import type { StateProps } from '../lazy-states.tsx'
import { renderLink } from '../links.tsx'
import { chooseBuild, retryModule } from '../modules.ts'
import type { Entry } from '../registry.ts'
import { useFailureWords } from './useFailureWords.ts'
import { Whose } from './Whose.tsx'

/** A module that cannot be shown: what happened, what still works, what to do, and whose it is. */
export function ModuleFailure({ entry, failed, pathname }: StateProps['ModuleFailure']) {
  const { failure, reference, ref } = failed
  const words = useFailureWords(entry, failure)
  // Disabled and denied are no failures, so they have no reference.
  const isFault = failure.reason !== 'denied' && failure.reason !== 'disabled'
  // Code that threw half-way can only be started again by reloading the document.
  const retry = () =>
    failure.reason === 'threw' ? window.location.reload() : void retryModule(entry, pathname)
  return (
    <FailureCard entry={entry} of={ref} reference={isFault ? reference : undefined} {...words}>
      {words.retry && (
        <Button variant="primary" icon="retry" onClick={retry}>
          <Trans>Try again</Trans>
        </Button>
      )}
      {words.otherBuild && <OtherBuild entry={entry} of={ref} pathname={pathname} />}
    </FailureCard>
  )
}

type OtherProps = { entry: Entry; of: BuildRef; pathname: string }

/** The way to the build before this one, or back to the current one where that is the one before. */
function OtherBuild({ entry, of, pathname }: OtherProps) {
  if (of.build !== entry.build)
    return (
      <Button onClick={() => void chooseBuild(entry, 'current', pathname)}>
        <Trans>Use the current version</Trans>
      </Button>
    )
  if (!entry.previous || entry.override) return null
  return (
    <Button onClick={() => void chooseBuild(entry, 'previous', pathname)}>
      <Trans>Use the version before</Trans>
    </Button>
  )
}

/** A page of the module that broke while it was drawn. */
export function ModuleCrash({ entry, of, reference, pathname, onRetry }: StateProps['ModuleCrash']) {
  const { t } = useLingui()
  const name = entry.title[currentLocale()]
  return (
    <FailureCard
      entry={entry}
      of={of}
      reference={reference}
      icon="alert"
      title={t`This page of the module ${name} has stopped`}
      text={t`A fault in it keeps it from being shown. The rest of the portal works.`}
    >
      <Button variant="primary" icon="retry" onClick={onRetry}>
        <Trans>Try again</Trans>
      </Button>
      <OtherBuild entry={entry} of={of} pathname={pathname} />
    </FailureCard>
  )
}

type CardProps = {
  entry: Entry
  of: BuildRef
  reference?: string | undefined
  icon: IconName
  title: ReactNode
  text: ReactNode
  children: ReactNode
}

function FailureCard({ entry, of, reference, icon, title, text, children }: CardProps) {
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
              <Whose entry={entry} of={of} {...(reference && { reference })} />
            </>
          }
          actions={
            <>
              {children}
              <ButtonLink href="/home" renderLink={renderLink}>
                <Trans>Go to the home page</Trans>
              </ButtonLink>
            </>
          }
        />
      </Card>
    </>
  )
}
