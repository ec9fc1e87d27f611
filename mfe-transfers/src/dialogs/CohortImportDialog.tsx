import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import type { Import } from '@portal/contracts/imports'
import { transfers } from '@portal/contracts/transfers'
import { listImportSteps } from '@portal/contracts/transfers/steps/cohort'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { ImportProgress } from '@portal/screens/ImportProgress'
import { pageLink } from '@portal/screens/ListPage'
import { refetchTwice } from '@portal/screens/refetchTwice'
import { useHost, useQuery, useQueryClient } from '@portal/sdk'
import { ButtonLink } from '@portal/ui/Button'
import { Totals } from '@portal/ui/Dialog'
import { Count, Money } from '@portal/ui/Money'
import { useState } from 'react'
import { paths } from '../paths.ts'
import { touchedByImport } from '../touched-by-import.ts'
import { NextStep } from './NextStep.tsx'
import './words.ts'

type Props = { cohort?: { id: number; name: string }; importId: number; onClose: () => void }

/** The import of a cohort's list; closing it does not stop it. */
export function CohortImportDialog({ cohort, importId, onClose }: Props) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const [ended, setEnded] = useState<Import | null>(null)
  const link = cohort && ended?.state === 'imported' && (
    <ButtonLink href={paths.summary(cohort.id)} renderLink={pageLink} variant="primary">
      <Trans>Go to Cohort Approval</Trans>
    </ButtonLink>
  )
  return (
    <DetailsDialog
      title={cohort?.name ?? t`Import of a target list`}
      description={ended ? undefined : t`Transfer cohort import initiated...`}
      onClose={onClose}
      actions={link}
      wide
    >
      <ImportProgress
        id={importId}
        onEnd={(last) => {
          setEnded(last)
          refetchTwice(queries, touchedByImport)
        }}
      />
      {ended?.state === 'failed' && (
        <p>
          <NextStep of={listImportSteps} state="failed" onlyNext />
        </p>
      )}
      {cohort && ended?.state === 'imported' && <ListTotals cohort={cohort.id} />}
    </DetailsDialog>
  )
}

/** What the list costs, per round and in all, now that it has been read. */
function ListTotals({ cohort: id }: { cohort: number }) {
  const { t } = useLingui()
  const { client } = useHost()
  const { data } = useQuery(queryOf(client, transfers.summary, { params: { id } }))
  if (!data) return null
  const { master_list_count, list_amount, list_fees, rounds_total } = data.cohort
  const sent = list_amount + list_fees
  return (
    <Totals
      label={t`What this list costs`}
      rows={[
        { key: 'recipients', label: t`Total recipients`, value: <Count value={master_list_count} /> },
        { key: 'amount', label: t`Expected amount per round`, value: <Money amount={list_amount} /> },
        { key: 'fees', label: t`Fees per round`, value: <Money amount={list_fees} /> },
        { key: 'sent', label: t`Sent amount per round`, value: <Money amount={sent} />, sum: true },
        {
          key: 'all',
          label: (
            <Plural value={rounds_total} one="Over # disbursement round" other="Over # disbursement rounds" />
          ),
          value: <Money amount={sent * rounds_total} />,
        },
      ]}
    />
  )
}
