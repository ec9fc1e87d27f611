import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { transfers } from '@portal/contracts/transfers'
import { statements } from '@portal/contracts/transfers/statements'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost, useQuery } from '@portal/sdk'
import { DateField } from '@portal/ui/DateField'
import { FileField } from '@portal/ui/FileField'
import { SelectField } from '@portal/ui/SelectField'
import { useEffect } from 'react'
import { paths } from '../paths.ts'
import { StatementColumns } from './StatementColumns.tsx'
import './words.ts'

/** Uploads what an agency says that it paid, then shows the statement. */
export function UploadStatementDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const { client, navigate } = useHost()
  const settings = useQuery(queryOf(client, transfers.settings))
  const form = useEndpointForm(statements.create, {
    refetches: [statements.list],
    problems: 'default',
    onDone: ({ statement }) => {
      onClose()
      navigate(paths.statement(statement.id))
    },
  })
  const { control, fields } = form
  const agency = Number(fields.watch('transfer_agency_id')) || null
  const file = fields.watch('statement_file')
  // Asked for one agency: the latest of all would leave out the earlier ones of many an agency.
  const query = { state: 'closed', transfer_agency_id: agency ?? undefined, per_page: 100 } as const
  const closed = useQuery({ ...queryOf(client, statements.list, { query }), enabled: agency !== null })
  // The statement that is replaced is one of the same agency.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another agency drops it
  useEffect(() => fields.setValue('corrects_id', undefined), [agency])
  const replaceable = (closed.data?.statements.data ?? []).filter(
    (statement) => statement.transfer_agency.id === agency && !statement.corrected_by_id,
  )
  return (
    <FormDialog
      title={t`Upload statement`}
      description={t`The statement is compared with the payments. Only payments in a file for a bank are settled by it.`}
      form={form}
      onClose={onClose}
      submitLabel={t`Upload and compare`}
      wide
    >
      <SelectField
        control={control}
        name="transfer_agency_id"
        label={t`Transfer agency`}
        required
        options={(settings.data?.agencies ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
      <div className="fields pair">
        <DateField control={control} name="from" label={t`First day of the period`} required />
        <DateField control={control} name="to" label={t`Last day of the period`} required />
      </div>
      <FileField
        control={control}
        name="statement_file"
        label={t`Statement`}
        help={t`Excel (.xlsx, .xls), CSV, or a bank’s camt.053 or camt.054 (.xml), 20 MB at most, as the agency wrote it.`}
        accept=".xlsx,.xls,.csv,.xml"
        required
      />
      {agency && file instanceof File && (
        <StatementColumns
          agency={agency}
          file={file}
          onHeadings={(headings) => fields.setValue('headings', headings)}
        />
      )}
      {replaceable.length > 0 && (
        <SelectField
          control={control}
          name="corrects_id"
          label={t`Replaces the signed statement`}
          help={t`Only if the agency has corrected an earlier one.`}
          options={replaceable.map(({ id, file_name, from, to }) => ({
            value: id,
            label: `${file_name} (${from} – ${to})`,
          }))}
        />
      )}
    </FormDialog>
  )
}
