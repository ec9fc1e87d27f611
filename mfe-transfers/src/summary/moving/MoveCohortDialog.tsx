import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import { transfers } from '@portal/contracts/transfers'
import { cohortMoves } from '@portal/contracts/transfers/cohort-moves'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { problemText } from '@portal/screens/problemText'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { keepPreviousData, useHost, useQuery } from '@portal/sdk'
import { SelectField } from '@portal/ui/SelectField'
import { TextAreaField } from '@portal/ui/TextField'
import { agencyType } from '../../words.tsx'
import { MoveTotals } from './MoveTotals.tsx'
import './words.ts'

/** Proposes to pay what is left of a cohort through another agency (Money 5.16). Another person approves it. */
export function MoveCohortDialog({ cohort, onClose }: { cohort: CohortSummary; onClose: () => void }) {
  const { t } = useLingui()
  const { client } = useHost()
  const form = useEndpointForm(cohortMoves.propose, {
    params: { id: cohort.id },
    defaults: { reason: '' },
    refetches: [transfers.summary, cohortMoves.read],
    problems: 'approval',
    onDone: onClose,
  })
  const chosen = Number(form.fields.watch('transfer_agency_id')) || undefined
  const read = useQuery({
    ...queryOf(client, cohortMoves.read, {
      params: { id: cohort.id },
      query: chosen ? { transfer_agency_id: chosen } : {},
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const move = read.data
  const from = cohort.transfer_agency.name
  const waits = read.error
    ? problemText(asProblem(read.error), 'request')
    : t`What can be moved is being looked up.`
  const blocked =
    move?.agencies.length === 0
      ? t`There is no other active agency in this country.`
      : move?.wanted?.obstacles.length
        ? t`It cannot be moved there now.`
        : null
  return (
    <ConfirmDialog
      title={t`Pay through another agency`}
      description={cohort.name}
      form={form}
      onClose={onClose}
      barred={move ? blocked : waits}
      confirmLabel={t`Propose the new agency`}
    >
      <p>
        <Trans>
          What is still to be paid of this cohort leaves {from}. Nothing changes until another person approves
          it.
        </Trans>
      </p>
      <SelectField
        control={form.control}
        name="transfer_agency_id"
        label={t`New agency`}
        options={(move?.agencies ?? []).map(({ id, name, type }) => ({
          value: String(id),
          label: `${name} · ${agencyType(type)}`,
        }))}
        required
      />
      {move && <MoveTotals move={move} />}
      <TextAreaField
        control={form.control}
        name="reason"
        label={t`Reason`}
        help={t`It stays in the audit log for good: write no names.`}
        maxLength={500}
        required
      />
    </ConfirmDialog>
  )
}
