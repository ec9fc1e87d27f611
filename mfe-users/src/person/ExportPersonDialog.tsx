import { Trans, useLingui } from '@lingui/react/macro'
import { type PersonData, personData } from '@portal/contracts/access/person-data'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost } from '@portal/sdk'
import { TextAreaField } from '@portal/ui/TextField'
import { CaseChoice } from './CaseChoice.tsx'
import './words.ts'

type Props = { person: PersonData; onStarted: (fileName: string) => void; onClose: () => void }

/** Asks for everything about a person as an archive, with the reason. */
export function ExportPersonDialog({ person, onStarted, onClose }: Props) {
  const { t } = useLingui()
  const { can, notify } = useHost()
  const form = useEndpointForm(personData.export, {
    params: { kind: person.kind, id: person.id },
    defaults: { reason: '', cases: [] },
    refetches: [],
    onDone: ({ message, file_name }) => {
      notify.info(message)
      onClose()
      onStarted(file_name)
    },
  })
  return (
    <FormDialog
      title={t`Export personal data`}
      description={person.name}
      form={form}
      onClose={onClose}
      quick={false}
      submitLabel={t`Export`}
    >
      <p>
        <Trans>
          You get an archive with everything that the portal holds of this person: a workbook, the same as
          JSON, and the documents of the cases. Hand it over, then delete it.
        </Trans>
      </p>
      {!can('cases.view') && <p>{t`Texts of cases that you do not name, or may not read, are not in it.`}</p>}
      {!can('students.sensitive') && person.kind === 'student' && (
        <p>{t`Maternal status and disability are not in it, because you may not see them.`}</p>
      )}
      <CaseChoice
        naming={person.naming}
        chosen={form.fields.watch('cases') ?? []}
        onChoose={(cases) => form.fields.setValue('cases', cases, { shouldDirty: true })}
      />
      <TextAreaField
        control={form.control}
        name="reason"
        label={t`Reason`}
        help={t`Who asked for it, and how you know that. It stays in the audit log.`}
        maxLength={500}
        required
      />
    </FormDialog>
  )
}
