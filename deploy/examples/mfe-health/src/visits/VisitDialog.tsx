import { useLingui } from '@lingui/react/macro'
import { FormDialog } from '@portal/screens/FormDialog'
import { type EndpointForm, useEndpointForm } from '@portal/screens/useEndpointForm'
import { DateField } from '@portal/ui/DateField'
import { SelectField } from '@portal/ui/SelectField'
import { TextAreaField, TextField } from '@portal/ui/TextField'
import { today, type VisitRecord, visits } from '../visits.ts'
import { outcomeOptions, reasonOptions } from '../words.ts'
import { useTellOfReferral } from './useTellOfReferral.ts'

type Props = { visit?: VisitRecord; onClose: () => void }

/** Adds or corrects a visit. */
export function VisitDialog({ visit, onClose }: Props) {
  return visit ? <ChangeVisit visit={visit} onClose={onClose} /> : <RecordVisit onClose={onClose} />
}

function RecordVisit({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const tell = useTellOfReferral()
  const form = useEndpointForm(visits.create, {
    defaults: { data: { student: '', school: '', date: today(), notes: '' } },
    refetches: [visits.list, visits.totals],
    onDone: ({ record }) => {
      onClose()
      tell(record)
    },
  })
  return (
    <FormDialog title={t`Record a visit`} form={form} onClose={onClose} submitLabel={t`Record`}>
      <Fields control={form.control} />
    </FormDialog>
  )
}

function ChangeVisit({ visit, onClose }: { visit: VisitRecord; onClose: () => void }) {
  const { t } = useLingui()
  const tell = useTellOfReferral()
  const form = useEndpointForm(visits.update, {
    params: { id: visit.id },
    // Optimistic lock: with the version that was read, the second of two people gets 409 and overwrites nothing.
    defaults: { data: visit.data, version: visit.version },
    refetches: [visits.list, visits.totals],
    onDone: ({ record }) => {
      onClose()
      if (visit.data.outcome !== 'referred') tell(record)
    },
  })
  return (
    <FormDialog title={t`Change a visit`} description={visit.data.student} form={form} onClose={onClose}>
      {/* The same fields: the version beside them has none. */}
      <Fields control={form.control as unknown as Control} />
    </FormDialog>
  )
}

type Control = EndpointForm<typeof visits.create>['control']

function Fields({ control }: { control: Control }) {
  const { t } = useLingui()
  return (
    <>
      <div className="fields pair">
        <TextField control={control} name="data.student" label={t`Student`} required autoComplete="off" />
        <TextField control={control} name="data.school" label={t`School`} required autoComplete="off" />
      </div>
      <div className="fields pair">
        <DateField control={control} name="data.date" label={t`Date`} required max={today()} />
        <SelectField
          control={control}
          name="data.reason"
          label={t`Reason`}
          required
          options={reasonOptions()}
        />
      </div>
      <SelectField
        control={control}
        name="data.outcome"
        label={t`Outcome`}
        required
        options={outcomeOptions()}
      />
      <TextAreaField
        control={control}
        name="data.notes"
        label={t`Notes`}
        help={t`What the next nurse should know. No diagnosis in full.`}
        maxLength={1000}
      />
    </>
  )
}
