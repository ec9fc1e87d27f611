import { Trans, useLingui } from '@lingui/react/macro'
import { Blank } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import type { StateProps } from '../lazy-states.tsx'

/** A page of the shell's own broke while it was drawn. */
export function PageCrash({ onRetry }: StateProps['PageCrash']) {
  const { t } = useLingui()
  return (
    <Card>
      <Blank
        failed
        title={t`This page has stopped`}
        text={t`A fault in it keeps it from being shown. The rest of the portal works.`}
        actions={
          <Button variant="primary" icon="retry" onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        }
      />
    </Card>
  )
}
