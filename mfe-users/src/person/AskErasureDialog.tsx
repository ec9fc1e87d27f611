import { Trans, useLingui } from '@lingui/react/macro'
import { type PersonData, personData } from '@portal/contracts/person-data'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Notice } from '@portal/ui/Notice'
import { TextAreaField } from '@portal/ui/TextField'
import { CaseChoice } from './CaseChoice.tsx'
import { Parts } from './Parts.tsx'
import './words.ts'

/** Asks that a person be erased, after what has to end first and what will stay. */
export function AskErasureDialog({ person, onClose }: { person: PersonData; onClose: () => void }) {
  const { t } = useLingui()
  const { bars, naming, rounds } = person
  const form = useEndpointForm(personData.askErasure, {
    params: { kind: person.kind, id: person.id },
    defaults: { reason: '', stop_paying: false, cases: [], other_cases: [...naming] },
    refetches: [personData.read, personData.erasures],
    onDone: onClose,
  })
  const { watch, setValue } = form.fields
  const choose = (cases: string[]) => {
    setValue('cases', cases, { shouldDirty: true })
    setValue(
      'other_cases',
      naming.filter((number) => !cases.includes(number)),
    )
  }
  return (
    <ConfirmDialog
      title={t`Ask for erasure`}
      description={person.name}
      form={form}
      onClose={onClose}
      danger
      barred={bars.length > 0 ? t`Something has to end first.` : null}
      confirmLabel={t`Ask for erasure`}
    >
      {bars.length > 0 && (
        <Notice tone="waiting" title={t`Before this person can be erased:`}>
          {bars.map((bar) => (
            <p key={bar}>{bar}</p>
          ))}
        </Notice>
      )}
      <p>
        <Trans>
          Nothing happens until another person approves it. Then everything of this person is erased, and
          cannot be brought back. This stays:
        </Trans>
      </p>
      <Parts parts={person.parts} />
      <CaseChoice naming={naming} chosen={watch('cases') ?? []} onChoose={choose} />
      {rounds.length > 0 && (
        <label className="check">
          <input
            type="checkbox"
            checked={watch('stop_paying') ?? false}
            onChange={(event) => setValue('stop_paying', event.target.checked, { shouldDirty: true })}
          />
          <span>{t`Pay nothing of the rounds to come`}</span>
          <small>{rounds.join(' · ')}</small>
        </label>
      )}
      <TextAreaField
        control={form.control}
        name="reason"
        label={t`Reason`}
        help={t`Who asked for it, and how you know that.`}
        maxLength={500}
        required
      />
    </ConfirmDialog>
  )
}
