import { useLingui } from '@lingui/react/macro'
import { roles } from '@portal/contracts/access'
import { cases } from '@portal/contracts/cases'
import { Picture } from '@portal/contracts/record-pictures'
import { recordsOf } from '@portal/contracts/records'
import { session } from '@portal/contracts/session'
import { transfers } from '@portal/contracts/transfers'
import { PictureField } from '@portal/screens/PictureField'
import { RecordPicture } from '@portal/screens/RecordPicture'
import { ReferenceField } from '@portal/screens/ReferenceField'
import { ReferenceFilter } from '@portal/screens/ReferenceFilter'
import { useEndpointForm, type ValuesOf } from '@portal/screens/useEndpointForm'
import { DateField } from '@portal/ui/DateField'
import { type FieldProps, useField } from '@portal/ui/Field'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { FileField } from '@portal/ui/FileField'
import { NumberField } from '@portal/ui/NumberField'
import { CheckboxField, ChecksField, SelectField } from '@portal/ui/SelectField'
import { PasswordField, TextAreaField, TextField } from '@portal/ui/TextField'
import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { Shelf, Specimen } from './Specimen.tsx'

const meals = recordsOf('mfe-meals', 'meals', v.object({ school: v.number(), photo: v.nullish(Picture) }), {
  read: 'schools.view',
  write: 'schools.view',
})

/** Form fields with the schemas of real calls. Nothing is sent. */
export function Forms() {
  const { t } = useLingui()
  const { control: signIn } = useEndpointForm(session.signIn, { refetches: [] })
  const own = useEndpointForm(transfers.createParameter, { refetches: [] })
  return (
    <Shelf title={t`Fields`}>
      <Inputs />
      <Checks />
      <OfRecords />
      <Specimen title={t`A password`} code='<PasswordField … autoComplete="current-password" />'>
        <PasswordField control={signIn} name="password" label={t`Password`} autoComplete="current-password" />
      </Specimen>
      <Specimen
        title={t`A field of your own: label, help and error as all have them`}
        code={`const { error, ...field } = useField(props)
<FieldFrame label={…} help={…} error={error}>{(worn) => <input type="range" {...field} {...worn} />}</FieldFrame>`}
      >
        <OwnField control={own.control} name="commission" label={t`Share`} help={t`In percent.`} />
      </Specimen>
    </Shelf>
  )
}

/** Text, numbers, choices, days and files; some with an error. */
function Inputs() {
  const { t } = useLingui()
  const { control } = useEndpointForm(transfers.importCohort, { refetches: [] })
  const wrong = useEndpointForm(transfers.createParameter, {
    refetches: [],
    defaults: { amount: -1, currency: 'XOF' },
  })
  const { trigger } = wrong.fields
  useEffect(() => void trigger(['name', 'amount']), [trigger])
  return (
    <>
      <Specimen
        title={t`One line, with help`}
        code='<TextField control={form.control} name="name" label={…} help={…} required />'
      >
        <TextField
          control={control}
          name="name"
          label={t`Cohort name`}
          help={t`As people will look for it.`}
          required
        />
      </Specimen>
      <Specimen title={t`With its error`} code="useEndpointForm(transfers.createParameter, …)">
        <TextField control={wrong.control} name="name" label={t`Name`} required />
      </Specimen>
      <Specimen
        title={t`A number, with its error`}
        code='<NumberField control={form.control} name="amount" suffix="XOF" whole />'
      >
        <NumberField control={wrong.control} name="amount" label={t`Amount`} suffix="XOF" whole required />
      </Specimen>
      <Specimen title={t`Not to be changed`} code="<TextField … disabled />">
        <TextField control={wrong.control} name="currency" label={t`Currency`} disabled />
      </Specimen>
      <Specimen title={t`Several lines`} code="<TextAreaField … rows={2} />">
        <TextAreaField control={control} name="description" label={t`Description`} rows={2} />
      </Specimen>
      <Specimen title={t`A choice`} code="<SelectField … options={[{ value: 1, label: … }]} />">
        <SelectField
          control={control}
          name="transfer_agency_id"
          label={t`Transfer agency`}
          options={[{ value: 1, label: 'Sahel Mobile Money' }]}
        />
      </Specimen>
      <Specimen title={t`A day`} code='<DateField … name="from" />'>
        <DateField control={control} name="from" label={t`Start date`} />
      </Specimen>
      <Specimen title={t`A file`} code='<FileField … accept=".xlsx,.xls" />'>
        <FileField control={control} name="target_list_file" label={t`Target list`} accept=".xlsx,.xls" />
      </Specimen>
    </>
  )
}

function Checks() {
  const { t } = useLingui()
  const { control: role } = useEndpointForm(roles.create, {
    refetches: [],
    defaults: { requires_totp: true },
  })
  const { control: filed } = useEndpointForm(cases.create, { refetches: [], defaults: { tags: [2] } })
  return (
    <>
      <Specimen
        title={t`Yes or no`}
        code='<CheckboxField control={form.control} name="requires_totp" label={…} help={…} />'
      >
        <CheckboxField
          control={role}
          name="requires_totp"
          label={t`Asks for a code`}
          help={t`At every sign-in.`}
        />
      </Specimen>
      <Specimen title={t`Several of a list`} code="<ChecksField … options={[{ value: 1, label: … }]} />">
        <ChecksField
          control={filed}
          name="tags"
          label={t`Tags`}
          options={[
            { value: 1, label: t`Amount` },
            { value: 2, label: t`Number` },
          ]}
        />
      </Specimen>
    </>
  )
}

/** What records of modules consist of: things of the portal, and pictures. */
function OfRecords() {
  const { t } = useLingui()
  const meal = useEndpointForm(meals.create, { refetches: [], defaults: { data: {} } })
  const hidden = useEndpointForm(meals.create, { refetches: [], defaults: { data: { school: 12 } } })
  return (
    <>
      <Specimen
        title={t`A school, a student or a case`}
        code='<ReferenceField control={form.control} name="data.school" endpoint={meals.references} known={…} />'
      >
        <ReferenceField
          control={meal.control}
          name="data.school"
          label={t`School`}
          endpoint={meals.references}
          required
        />
      </Specimen>
      <Specimen
        title={t`One that the person may not see`}
        code="<ReferenceField … known={record.references?.school} />"
      >
        <ReferenceField
          control={hidden.control}
          name="data.school"
          label={t`School`}
          endpoint={meals.references}
          known={null}
        />
      </Specimen>
      <Specimen
        title={t`A picture`}
        code='<PictureField control={form.control} name="data.photo" label={…} calls={meals} />'
      >
        <PictureField control={meal.control} name="data.photo" label={t`Photograph`} calls={meals} />
      </Specimen>
      <Specimen
        title={t`The picture of a record, small and large`}
        code="<RecordPicture calls={meals} picture={record.data.photo} label={…} />"
      >
        <RecordPicture calls={meals} picture={{ id: 1, alt: t`A bowl of rice` }} label={t`Photograph`} />
      </Specimen>
      <Specimen
        title={t`A list narrowed to one of them`}
        code='<ReferenceFilter endpoint={meals.references} field="school" value={list.view.filter("school")} onChange={(school) => list.show({ school })} />'
      >
        <Narrowed />
      </Specimen>
    </>
  )
}

/** What the address of a list has in the gallery. */
function Narrowed() {
  const { t } = useLingui()
  const [school, setSchool] = useState('')
  return (
    <ReferenceFilter
      endpoint={meals.references}
      field="school"
      label={t`School`}
      value={school}
      onChange={setSchool}
    />
  )
}

/** An input that no piece has, in the frame of all fields. */
function OwnField(props: FieldProps<ValuesOf<typeof transfers.createParameter>>) {
  const { error, value, ...field } = useField(props)
  return (
    <FieldFrame label={props.label} help={props.help} error={error}>
      {(worn) => <input type="range" {...field} {...worn} value={Number(value ?? 0)} />}
    </FieldFrame>
  )
}
