import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { disabilities, type students } from '@portal/contracts/registers-students'
import { formatDate } from '@portal/i18n/format'
import type { Watched, WatchedFields } from '@portal/screens/Conflict'
import { nameOf, useOptions } from '../useOptions.tsx'
import { disabilityWords, genderWords, maternalWords, severityWords, useWords } from '../words.tsx'

/** The fields of a student that are compared when somebody else saved her meanwhile. */
export function useWatchedStudent(
  classes: readonly { id: number; name: string }[],
): WatchedFields<typeof students.update> {
  const { t, i18n } = useLingui()
  const words = useWords()
  const { class_levels, languages } = useOptions()
  const day = (value: unknown) => (value ? formatDate(String(value)) : '')
  const word =
    <Code extends string>(of: Record<Code, MessageDescriptor>) =>
    (value: unknown) =>
      value ? words.of(of, value as Code) : ''
  return {
    student_code: { label: t`Student code` },
    student_assigned_id: { label: t`Assigned ID` },
    date_of_birth: { label: t`Date of birth`, text: day },
    current_class_level: {
      label: t`Class level`,
      text: (code) => nameOf(class_levels, code as string | null, ''),
    },
    first_name: { label: t`First name` },
    last_name: { label: t`Last name` },
    gender: { label: t`Gender`, text: word(genderWords) },
    class_id: { label: t`Class`, text: (id) => classes.find((each) => each.id === id)?.name ?? '' },
    academic_year: { label: t`Academic year` },
    start_date: { label: t`Enrolment`, text: day },
    admission_number: { label: t`Admission number` },
    language_spoken: {
      label: t`Language`,
      text: (code) => nameOf(languages, code as string | null, ''),
    },
    maternal_status: { label: t`Maternal status`, text: word(maternalWords) },
    ...(Object.fromEntries(
      disabilities.map((field) => [
        field,
        { label: i18n._(disabilityWords[field]), text: word(severityWords) },
      ]),
    ) as Record<(typeof disabilities)[number], Watched>),
  }
}
