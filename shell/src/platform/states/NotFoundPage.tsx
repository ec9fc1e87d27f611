import { Trans, useLingui } from '@lingui/react/macro'
import { Blank } from '@portal/ui/Blank'
import { ButtonLink } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { PageHead } from '@portal/ui/Page'
import { renderLink } from '../links.tsx'

/** An address that nothing answers to. */
export function NotFoundPage() {
  const { t } = useLingui()
  return (
    <>
      <PageHead title={t`Page not found`} />
      <Card>
        <Blank
          icon="search"
          title={t`There is no page at this address`}
          text={t`The link may be old, or a letter of it is missing. Nothing was changed.`}
          actions={
            <ButtonLink href="/home" variant="primary" renderLink={renderLink}>
              <Trans>Go to the home page</Trans>
            </ButtonLink>
          }
        />
      </Card>
    </>
  )
}
