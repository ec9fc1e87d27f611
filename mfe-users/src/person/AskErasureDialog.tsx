import { Trans, useLingui } from '@lingui/react/macro'
import { type PersonData, personData } from '@portal/contracts/access/person-data'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost } from '@portal/sdk'
import { Notice } from '@portal/ui/Notice'
import { TextAreaField } from '@portal/ui/TextField'
import { useEffect, useState } from 'react'
import { CaseChoice } from './CaseChoice.tsx'
import { Parts } from './Parts.tsx'
import './words.ts'

/** Asks that a person be erased, after what has to end first and what will stay. */
export function AskErasureDialog({ person: opened, onClose }: { person: PersonData; onClose: () => void }) {
  const { t } = useLingui()
  const { client } = useHost()
  const [person, setPerson] = useState(opened)
  const { bars, naming, rounds } = person
  const params = { kind: opened.kind, id: opened.id }
  const form = useEndpointForm(personData.askErasure, {
    params,
    defaults: { reason: '', stop_paying: false, cases: [], other_cases: [...opened.naming] },
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
  // A case or a round came since the form was opened: what is asked about them is drawn, and what was typed stays.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal asks once
  useEffect(() => {
    const { cases, stop_paying } = form.problem?.errors ?? {}
    if (!cases && !stop_paying) return
    let open = true
    const take = ({ person: now }: { person: PersonData | null }) => {
      if (!open || !now) return
      setPerson(now)
      const chosen = form.fields.getValues('cases') ?? []
      setValue(
        'other_cases',
        now.naming.filter((number) => !chosen.includes(number)),
      )
    }
    client.call(personData.read, { params }).then(take, () => undefined)
    return () => {
      open = false
    }
  }, [form.problem])
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
