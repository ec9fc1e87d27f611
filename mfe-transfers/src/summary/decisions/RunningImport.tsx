import { Trans } from '@lingui/react/macro'
import type { ImportProgress } from '@portal/contracts/transfers/cohorts'
import { ImportFigures } from '@portal/screens/ImportFigures'
import { Button } from '@portal/ui/Button'
import './words.ts'

type Props = { found: ImportProgress; onRejectedRows: () => void }

/** How many records of the target list are in so far, and which rows were left out. */
export function RunningImport({ found, onRejectedRows }: Props) {
  return (
    <>
      <ImportFigures found={found} />
      {found.rows_rejected > 0 && (
        <div>
          <Button onClick={onRejectedRows}>
            <Trans>See rejected rows</Trans>
          </Button>
        </div>
      )}
    </>
  )
}
