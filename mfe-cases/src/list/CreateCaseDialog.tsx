import { useLingui } from '@lingui/react/macro'
import { cases } from '@portal/contracts/cases'
import type { AnswerOf } from '@portal/contracts/endpoint'
import { DocumentField } from '@portal/screens/DocumentField'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { ChecksField, SelectField } from '@portal/ui/SelectField'
import { TextAreaField, TextField } from '@portal/ui/TextField'
import { fullName, priorityOptions } from '../words.tsx'

type Props = { choices: AnswerOf<typeof cases.list>; onClose: () => void }
const named = (list: { id: number; name: string }[]) =>
  list.map(({ id, name }) => ({ value: id, label: name }))

/** Files a case; its reviewer is told. */
export function CreateCaseDialog({ choices, onClose }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(cases.create, {
    refetches: [cases.list],
    draft: true,
    onDone: onClose,
    problems: 'case',
  })
  const { control } = form
  return (
    <FormDialog title={t`Create case`} form={form} onClose={onClose} submitLabel={t`Create case`} wide>
      <TextField control={control} name="title" label={t`Title`} required maxLength={255} />
      <TextAreaField
        control={control}
        name="description"
        label={t`Description`}
        required
        rows={4}
        maxLength={5000}
      />
      <div className="fields pair">
        <SelectField
          control={control}
          name="type"
          label={t`Category`}
          required
          options={named(choices.complainTypes)}
        />
        <SelectField
          control={control}
          name="channel"
          label={t`Reporting channel`}
          required
          options={named(choices.complainChannels)}
        />
        <SelectField
          control={control}
          name="reviewer"
          label={t`Reviewer`}
          required
          help={
            choices.partners.length === 0
              ? t`Nobody can review yet. A reviewer is the person of a partner, with an account whose role may manage cases.`
              : undefined
          }
          options={choices.partners.map(({ name, user }) => ({
            value: user.id,
            label: `${fullName(user)} (${name})`,
          }))}
        />
        <SelectField
          control={control}
          name="priority"
          label={t`Priority`}
          required
          options={priorityOptions()}
        />
      </div>
      <TextField
        control={control}
        name="plaintiff"
        label={t`Plaintiff`}
        help={t`Who complains, if it is somebody else than you.`}
      />
      <ChecksField control={control} name="tags" label={t`Tags`} options={named(choices.complainTags)} />
      <DocumentField
        control={control}
        name="file"
        label={t`Document`}
        help={t`Optional: jpg, jpeg, png or pdf, 2 MB at most.`}
      />
    </FormDialog>
  )
}
