import { Trans, useLingui } from '@lingui/react/macro'
import { Blank } from '@portal/ui/Blank'
import { ButtonLink } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { PageHead } from '@portal/ui/Page'
import { renderLink } from '../links.tsx'

/** A page of the shell's own that this person may not open; the server would refuse its calls all the same. */
export function DeniedPage() {
  const { t } = useLingui()
  return (
    <>
      <PageHead title={t`Access Denied`} />
      <Card>
        <Blank
          failed
          icon="lock"
          title={t`Access Denied: you may not open this page.`}
          text={t`An administrator of the portal can give you a role that may.`}
          actions={
            <ButtonLink href="/home" renderLink={renderLink}>
              <Trans>Go to the home page</Trans>
            </ButtonLink>
          }
        />
      </Card>
    </>
  )
}
