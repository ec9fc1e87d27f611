import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { disabilities } from '@portal/contracts/registers-students'
import { formatDate } from '@portal/i18n/format'
import type { Watched } from '../Conflict.tsx'
import { nameOf, useOptions } from '../useOptions.tsx'
import { disabilityWords, genderWords, maternalWords, severityWords, useWords } from '../words.tsx'

/** The fields of a student that are compared when somebody else saved her meanwhile. */
export function useWatchedStudent(classes: readonly { id: number; name: string }[]): Watched[] {
  const { t, i18n } = useLingui()
  const words = useWords()
  const { class_levels, languages } = useOptions()
  const day = (value: unknown) => (value ? formatDate(String(value)) : '')
  const word =
    <Code extends string>(of: Record<Code, MessageDescriptor>) =>
    (value: unknown) =>
      value ? words.of(of, value as Code) : ''
  return [
    { name: 'student_code', label: t`Student code` },
    { name: 'student_assigned_id', label: t`Assigned ID` },
    { name: 'date_of_birth', label: t`Date of birth`, text: day },
    {
      name: 'current_class_level',
      label: t`Class level`,
      text: (code) => nameOf(class_levels, code as string | null, ''),
    },
    { name: 'first_name', label: t`First name` },
    { name: 'last_name', label: t`Last name` },
    { name: 'gender', label: t`Gender`, text: word(genderWords) },
    { name: 'class_id', label: t`Class`, text: (id) => classes.find((each) => each.id === id)?.name ?? '' },
    { name: 'academic_year', label: t`Academic year` },
    { name: 'start_date', label: t`Enrolment`, text: day },
    { name: 'admission_number', label: t`Admission number` },
    {
      name: 'language_spoken',
      label: t`Language`,
      text: (code) => nameOf(languages, code as string | null, ''),
    },
    { name: 'maternal_status', label: t`Maternal status`, text: word(maternalWords) },
    ...disabilities.map((field) => ({
      name: field,
      label: i18n._(disabilityWords[field]),
      text: word(severityWords),
    })),
  ]
}
