import { Trans } from '@lingui/react/macro'
import { pageLink } from '@portal/screens/ListPage'
import { ButtonLink } from '@portal/ui/Button'
import { paths } from '../paths.ts'
import './words.ts'

/** Of a round whose payments go to a bank by a file: no process sends them, a person does. */
export function BankRoundHint({ groupId }: { groupId: number }) {
  return (
    <>
      <Trans>A person makes the file for the bank and uploads its answer.</Trans>{' '}
      <ButtonLink small variant="plain" href={paths.payroll(groupId)} renderLink={pageLink}>
        <Trans>Go to the round</Trans>
      </ButtonLink>
    </>
  )
}
