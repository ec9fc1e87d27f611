import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { imports } from '@portal/contracts/imports'
import { transfers } from '@portal/contracts/transfers'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import { FormDialog } from '@portal/screens/FormDialog'
import { lazy } from '@portal/screens/lazy'
import { problemText } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { type AnyForm, useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost, useQuery } from '@portal/sdk'
import { DateField } from '@portal/ui/DateField'
import { FileField } from '@portal/ui/FileField'
import { Notice } from '@portal/ui/Notice'
import { SelectField } from '@portal/ui/SelectField'
import { TextAreaField, TextField } from '@portal/ui/TextField'
import { useEffect, useState } from 'react'
import { paths } from '../paths.ts'
import { touchedByImport } from '../touched-by-import.ts'
import { useActiveParameters } from '../useActiveParameters.tsx'
import { agencyType, countryName } from '../words.tsx'
import { CohortImportDialog } from './CohortImportDialog.tsx'
import { RoundsPreview } from './RoundsPreview.tsx'
import './words.ts'

const FilePreview = lazy(() => import('@portal/workbench/FilePreview'), 'FilePreview')
const sheets = { mobile_money: targetListSheet('mobile_money'), bank: targetListSheet('bank') }

type Started = { cohort: { id: number; name: string }; importId: number }

/** A target list with its cohort: the form, the upload, then the import until it ends. */
export function UploadCohortDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const { client, navigate } = useHost()
  const [review, setReview] = useState(true)
  const started = useDialog<Started>()
  const settings = useQuery(queryOf(client, transfers.settings))
  const parameters = useActiveParameters()
  const remembered = useQuery(queryOf(client, imports.headings, { query: { kind: 'target-list' } }))
  const form = useEndpointForm(transfers.importCohort, {
    refetches: touchedByImport,
    draft: true,
    problems: 'default',
    query: (): Record<string, number> => (review ? { review: 1 } : {}),
    onDone: ({ cohort, import: { id } }) => {
      if (!review) return started.open({ cohort, importId: id })
      onClose()
      navigate(paths.openImport(id))
    },
  })
  const { control, fields } = form
  const upload = useOnceRead(form, fields.watch('target_list_file') instanceof File)
  if (started.item) return <CohortImportDialog {...started.item} onClose={onClose} />
  const failed = settings.error ?? parameters.error
  const chosen = Number(fields.watch('transfer_parameter_id'))
  const file = fields.watch('target_list_file')
  const agency = settings.data?.agencies.find(({ id }) => id === Number(fields.watch('transfer_agency_id')))
  return (
    <FormDialog
      title={t`Upload Target List File`}
      description={t`The list becomes a cohort that somebody else approves. Nothing is paid by uploading it.`}
      form={upload.form}
      onClose={onClose}
      submitLabel={t`Upload target list`}
      wide
    >
      {failed && (
        <Notice tone="bad" alert>
          {problemText(failed)}
        </Notice>
      )}
      <TextField control={control} name="name" label={t`Cohort name`} required maxLength={255} />
      <TextAreaField
        control={control}
        name="description"
        label={t`Description`}
        required
        rows={2}
        maxLength={1000}
      />
      <div className="fields pair">
        <DateField control={control} name="from" label={t`Start date`} required />
        <DateField control={control} name="to" label={t`End date`} required />
        <SelectField
          control={control}
          name="transfer_agency_id"
          label={t`Transfer agency`}
          required
          options={(settings.data?.agencies ?? [])
            .filter((agency) => agency.status === 'active')
            .map((agency) => ({
              value: agency.id,
              label: `${agency.name} (${agencyType(agency.type)}, ${countryName(agency.country)})`,
            }))}
        />
        <SelectField
          control={control}
          name="transfer_parameter_id"
          label={t`Transfer parameter`}
          required
          options={(parameters.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
      <FileField
        control={control}
        name="target_list_file"
        label={t`Target list`}
        help={t`Excel only, .xlsx or .xls, 20 MB at most. Columns: first name, last name, phone number and student code of each recipient; amount if it differs.`}
        accept=".xlsx,.xls"
        required
      />
      {file instanceof File && (
        <FilePreview
          file={file}
          sheet={sheets[agency?.type ?? 'mobile_money']}
          country={agency?.country}
          remembered={remembered.data?.headings}
          pending={remembered.isPending}
          onHeadings={(headings) => {
            fields.setValue('headings', headings ?? undefined)
            upload.setRead(headings !== null)
          }}
          onClose={() => upload.setRead(true)}
        />
      )}
      <label className="check">
        <input type="checkbox" checked={review} onChange={(event) => setReview(event.target.checked)} />
        <span>{t`Show me the rows before the cohort is made`}</span>
        <small>{t`You can then correct small errors and see what is left out.`}</small>
      </label>
      <RoundsPreview
        from={fields.watch('from')}
        to={fields.watch('to')}
        parameter={parameters.data?.find(({ id }) => id === chosen)}
      />
    </FormDialog>
  )
}

/** Sends a form once its file has been read, because columns that were named by hand are known only then. */
function useOnceRead(form: AnyForm, hasFile: boolean) {
  const [read, setRead] = useState(false)
  const [asked, setAsked] = useState(false)
  const waits = hasFile && !read
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was asked for is sent once
  useEffect(() => {
    if (!asked || waits) return
    setAsked(false)
    form.submit()
  }, [asked, waits])
  return { form: { ...form, submit: () => setAsked(true), busy: form.busy || (asked && waits) }, setRead }
}
