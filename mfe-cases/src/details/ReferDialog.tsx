import { Trans, useLingui } from '@lingui/react/macro'
import { type Case, type CaseDocument, cases } from '@portal/contracts/cases'
import { DocumentField } from '@portal/screens/DocumentField'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Notice } from '@portal/ui/Notice'
import { ChecksField, SelectField } from '@portal/ui/SelectField'
import { TextAreaField, TextField } from '@portal/ui/TextField'
import { salutationOptions } from '../words.tsx'

type Props = { complain: Case & { documents: CaseDocument[] }; onClose: () => void }

/** Asks an outside expert, and shows beforehand exactly what that person will see (Cases 4.2). */
export function ReferDialog({ complain, onClose }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(cases.refer, {
    defaults: { complain_id: complain.id, document_ids: [] },
    refetches: [cases.details, cases.list],
    draft: complain.id,
    onDone: onClose,
    problems: 'request',
  })
  const { control, fields } = form
  const [comment, chosen] = fields.watch(['comment', 'document_ids'])
  const shared = complain.documents.filter(({ id }) => chosen?.some((one) => Number(one) === id))
  const reviewer = `${masked(complain.assigned.first_name)} ${masked(complain.assigned.last_name)}`
  return (
    <FormDialog
      title={t`Refer external input`}
      description={complain.number}
      form={form}
      onClose={onClose}
      submitLabel={t`Send request`}
      wide
    >
      <div className="fields pair">
        <SelectField
          control={control}
          name="salutation"
          label={t`Salutation`}
          required
          options={salutationOptions()}
        />
        <TextField control={control} name="profession" label={t`Profession`} required maxLength={255} />
        <TextField control={control} name="first_name" label={t`First name`} required maxLength={255} />
        <TextField control={control} name="last_name" label={t`Last name`} required maxLength={255} />
      </div>
      <TextField
        control={control}
        name="email"
        label={t`Email`}
        help={t`The link goes to this address and works for 30 days.`}
        required
        inputMode="email"
      />
      <TextAreaField
        control={control}
        name="comment"
        label={t`Comment`}
        help={t`What you ask. It is shown to the expert as you write it here.`}
        required
        rows={4}
        maxLength={5000}
      />
      {complain.documents.length > 0 && (
        <ChecksField
          control={control}
          name="document_ids"
          label={t`Documents to share`}
          options={complain.documents.map(({ id, description, file_name }) => ({
            value: id,
            label: description || file_name,
          }))}
        />
      )}
      <DocumentField
        control={control}
        name="file"
        label={t`Another document`}
        help={t`Optional: jpg, jpeg, png or pdf, 2 MB at most.`}
      />
      <Notice icon="eye" title={t`What the expert will see`}>
        <ul>
          <li>
            <Trans>
              The case number {complain.number} and its filing date; not its title, description or who filed
              it.
            </Trans>
          </li>
          <li>
            <Trans>Your name as {reviewer}.</Trans>
          </li>
          <li className="pre-line">
            {comment ? t`Your comment: ${comment}` : t`Your comment, once you have written it.`}
          </li>
          <li>
            {shared.length > 0
              ? t`Documents: ${shared.map(({ description, file_name }) => description || file_name).join(', ')}`
              : t`No document of the case.`}
          </li>
        </ul>
      </Notice>
    </FormDialog>
  )
}

/** As the server masks it: first letter and four dots. */
const masked = (name: string) => `${[...name][0] ?? ''}••••`
