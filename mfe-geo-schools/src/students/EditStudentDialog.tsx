import { useLingui } from '@lingui/react/macro'
import { schools } from '@portal/contracts/registers'
import { sensitiveFields, studentFields } from '@portal/contracts/registers/students.fields'
import { type Student, students } from '@portal/contracts/registers-students'
import { Conflict, withoutConflict } from '@portal/screens/Conflict'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useCan, useHost } from '@portal/sdk'
import { DateField } from '@portal/ui/DateField'
import { SelectField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'
import type { ReactNode } from 'react'
import { Inputs } from '../Inputs.tsx'
import { useFields } from '../useFields.tsx'
import { idChoices, useClassesOf, useOptions } from '../useOptions.tsx'
import { AgeCheck } from './AgeCheck.tsx'

type Props = { student: Student; onClose: () => void }
type Name = keyof typeof studentFields

/** A student as the form has her: what stands with her person is a field like the others. */
const flat = ({ user, ...student }: Student) => ({
  ...student,
  first_name: user.first_name,
  last_name: user.last_name,
  gender: user.gender,
})

/** A student's own data; another school is a matter of the import. */
export function EditStudentDialog({ student, onClose }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const can = useCan()
  const { input, line, choice, watched } = useFields(studentFields)
  const { classes = [], country } = useClassesOf(student.school.id)
  const { class_levels } = useOptions()
  const before = flat(student)
  const form = useEndpointForm(students.update, {
    params: { id: student.id },
    defaults: { ...before, age_confirmed: false },
    refetches: [students.list, schools.people],
    draft: true,
    onDone: onClose,
  })
  const { control } = form
  // Mali and Senegal have their own levels. One of the other country may be kept.
  const foreign = (code: string) =>
    class_levels.some((level) => level.code === code && country && level.country && level.country !== country)
  const level = choice('current_class_level')
  const levels = level.options.filter(({ value }) => value === student.current_class_level || !foreign(value))
  const scale = (name: Name) => <SelectField control={control} {...choice(name)} />
  // In the order of the form. A field that is not here does not compile.
  const inputs: Record<Name, ReactNode> = {
    student_code: <TextField control={control} {...line('student_code')} />,
    student_assigned_id: <TextField control={control} {...line('student_assigned_id')} />,
    date_of_birth: <DateField control={control} {...input('date_of_birth')} />,
    current_class_level: <SelectField control={control} {...level} options={levels} />,
    first_name: <TextField control={control} {...line('first_name')} />,
    last_name: <TextField control={control} {...line('last_name')} />,
    gender: <SelectField control={control} {...choice('gender')} />,
    class_id: <SelectField control={control} {...input('class_id')} options={idChoices(classes)} />,
    academic_year: (
      <TextField control={control} {...input('academic_year')} placeholder="2026-2027" maxLength={9} />
    ),
    start_date: <DateField control={control} {...input('start_date')} />,
    admission_number: <TextField control={control} {...line('admission_number')} />,
    language_spoken: <SelectField control={control} {...choice('language_spoken')} />,
    maternal_status: scale('maternal_status'),
    disability_vision: scale('disability_vision'),
    disability_hearing: scale('disability_hearing'),
    disability_mobility: scale('disability_mobility'),
    disability_cognition: scale('disability_cognition'),
    disability_selfcare: scale('disability_selfcare'),
    disability_communication: scale('disability_communication'),
    disability_other: scale('disability_other'),
  }
  const placed = (sensitive: boolean) => {
    const those = Object.entries(inputs).filter(
      ([name]) => (sensitiveFields as string[]).includes(name) === sensitive,
    )
    return <Inputs of={Object.fromEntries(those)} pair />
  }
  return (
    <FormDialog
      title={t`Edit student`}
      description={`${student.user.first_name} ${student.user.last_name}, ${student.school.name}`}
      form={withoutConflict(form)}
      onClose={onClose}
      wide
    >
      <Conflict
        form={form}
        read={async () => flat((await client.call(students.read, { params: { id: student.id } })).student)}
        fields={{
          ...watched({ class_id: (id) => classes.find((each) => each.id === id)?.name ?? '' }),
          // This value is not stored.
          age_confirmed: null,
        }}
      />
      {placed(false)}
      <AgeCheck form={form} before={before} />
      {can('students.sensitive') && student.maternal_status !== undefined && (
        <>
          <h3>{t`Health`}</h3>
          {placed(true)}
        </>
      )}
    </FormDialog>
  )
}
