import { Trans, useLingui } from '@lingui/react/macro'
import { targetSelection } from '@portal/contracts/transfers/target-selection'
import { ExportButton } from '@portal/screens/ExportButton'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { Button } from '@portal/ui/Button'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { SelectionChoices } from './SelectionChoices.tsx'
import { SelectionFigures } from './SelectionFigures.tsx'
import { useSelection } from './useSelection.tsx'
import './words.ts'

// The table stands below choices and figures, and its words come after them.
const LeftOutTable = lazy(() => import('./LeftOutTable.tsx'), 'LeftOutTable')
const MakeCohortDialog = lazy(() => import('./MakeCohortDialog.tsx'), 'MakeCohortDialog')

/** A target list from the register: who is chosen, who remains, who is left out, and the cohort or the file of it. */
export default function SelectionPage() {
  const { t } = useLingui()
  const making = useDialog()
  const state = useSelection()
  const { selection, value, count, outdated } = state
  return (
    <TransferPage
      title={t`Target list from the register`}
      description={t`Choose places, schools, class levels and conditions. Save the selection under Views, to use it again next term.`}
      back={{ to: paths.cohorts, label: t`Cohorts` }}
      actions={
        <>
          <ExportButton endpoint={targetSelection.export} permission="cohorts.create" body={selection}>
            <Trans>Save as Excel</Trans>
          </ExportButton>
          <Button
            variant="primary"
            icon="plus"
            disabled={outdated || !count.data || count.data.steps.conditions === 0}
            onClick={() => making.open(true)}
          >
            <Trans>Make cohort</Trans>
          </Button>
        </>
      }
    >
      <SelectionChoices {...state} />
      <SelectionFigures {...state} />
      <h2>{t`Who is left out`}</h2>
      <LeftOutTable {...state} />
      {making.item && (
        <MakeCohortDialog
          selection={selection}
          parameter={Number(value('transfer_parameter_id')) || null}
          onClose={making.close}
        />
      )}
    </TransferPage>
  )
}
