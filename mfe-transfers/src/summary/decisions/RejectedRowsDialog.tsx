import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { imports } from '@portal/contracts/imports'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { problemText } from '@portal/screens/problemText'
import { RejectedRows } from '@portal/screens/RejectedRows'
import { useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Failed } from '@portal/ui/Table'
import './words.ts'

type Props = { importId: number; name: string; onClose: () => void }

/** Rows that were left out at import: by column and reason, and as an Excel file to correct. */
export function RejectedRowsDialog({ importId, name, onClose }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const read = useQuery(queryOf(client, imports.read, { params: { id: importId } }))
  return (
    <DetailsDialog title={t`Rejected rows`} description={name} onClose={onClose} wide>
      {read.data ? (
        <RejectedRows found={read.data.import} />
      ) : read.error ? (
        <Failed title={problemText(read.error)} onRetry={() => void read.refetch()} />
      ) : (
        <Skeleton width="60%" height={20} />
      )}
    </DetailsDialog>
  )
}
