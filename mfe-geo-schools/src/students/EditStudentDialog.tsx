import { useLingui } from '@lingui/react/macro'
import { schools } from '@portal/contracts/registers'
import { type Student, students } from '@portal/contracts/registers-students'
import { Conflict, withoutConflict } from '@portal/screens/Conflict'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useCan, useHost } from '@portal/sdk'
import { DateField } from '@portal/ui/DateField'
import { SelectField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'
import { choices, useClassesOf, useOptions } from '../useOptions.tsx'
import { genderWords, useWords } from '../words.tsx'
import { HealthFields } from './HealthFields.tsx'
import { useWatchedStudent } from './useWatchedStudent.tsx'

type Props = { student: Student; onClose: () => void }

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
  const words = useWords()
  const { class_levels, languages } = useOptions()
  const classes = useClassesOf(student.school.id)
  const before = flat(student)
  const form = useEndpointForm(students.update, {
    params: { id: student.id },
    defaults: before,
    refetches: [students.list, schools.people],
    onDone: onClose,
  })
  const watched = useWatchedStudent(classes)
  const { control } = form
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
        before={before}
        read={async () => flat((await client.call(students.read, { params: { id: student.id } })).student)}
        fields={watched}
      />
      <div className="fields pair">
        <TextField control={control} name="student_code" label={t`Student code`} required maxLength={255} />
        <TextField
          control={control}
          name="student_assigned_id"
          label={t`Assigned ID`}
          required
          maxLength={255}
        />
        <DateField control={control} name="date_of_birth" label={t`Date of birth`} required />
        <SelectField
          control={control}
          name="current_class_level"
          label={t`Class level`}
          required
          options={choices(class_levels)}
        />
        <TextField control={control} name="first_name" label={t`First name`} maxLength={255} />
        <TextField control={control} name="last_name" label={t`Last name`} maxLength={255} />
        <SelectField control={control} name="gender" label={t`Gender`} options={words.choices(genderWords)} />
        <SelectField
          control={control}
          name="class_id"
          label={t`Class`}
          options={classes.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <TextField control={control} name="academic_year" label={t`Academic year`} placeholder="2026-2027" />
        <DateField control={control} name="start_date" label={t`Enrolment`} />
        <TextField control={control} name="admission_number" label={t`Admission number`} maxLength={255} />
        <SelectField
          control={control}
          name="language_spoken"
          label={t`Language`}
          options={choices(languages)}
        />
      </div>
      {can('students.sensitive') && student.maternal_status !== undefined && (
        <HealthFields control={control} />
      )}
    </FormDialog>
  )
}
