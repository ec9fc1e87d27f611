import { useLingui } from '@lingui/react/macro'
import { disabilities, type Student } from '@portal/contracts/registers-students'
import { DetailsDialog, type Fact } from '@portal/screens/DetailsDialog'
import { Facts } from '@portal/ui/Figures'
import { DateText } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import { nameOf, useOptions } from '../useOptions.tsx'
import { disabilityWords, genderWords, maternalWords, severityWords, useWords } from '../words.tsx'

type Props = { student: Student; onClose: () => void }

/** Everything the portal knows of a student, in the order in which it is read. */
export function StudentDialog({ student, onClose }: Props) {
  const { t, i18n } = useLingui()
  const words = useWords()
  const { class_levels, languages } = useOptions()
  const { user, school } = student
  const text = (value: string | null) => value ?? words.nothing
  const day = (iso: string | null) => (iso ? <DateText iso={iso} /> : words.nothing)
  const sections: { title: string; facts: Fact[] }[] = [
    {
      title: t`Person`,
      facts: [
        { key: 'first', label: t`First name`, value: user.first_name },
        { key: 'last', label: t`Last name`, value: user.last_name },
        { key: 'born', label: t`Date of birth`, value: day(user.date_of_birth) },
        { key: 'gender', label: t`Gender`, value: words.of(genderWords, user.gender) },
        {
          key: 'language',
          label: t`Language`,
          value: nameOf(languages, student.language_spoken, words.nothing),
        },
        {
          key: 'parents',
          label: t`Guardians`,
          value: student.parents.map(({ name }) => name).join(', ') || words.nothing,
        },
      ],
    },
    {
      title: t`School`,
      facts: [
        { key: 'school', label: t`School`, value: school.name, note: school.admin_code },
        { key: 'class', label: t`Class`, value: student.class?.name ?? words.nothing },
        {
          key: 'level',
          label: t`Class level`,
          value: nameOf(class_levels, student.current_class_level, words.nothing),
        },
        { key: 'year', label: t`Academic year`, value: text(student.academic_year) },
        { key: 'start', label: t`Enrolment`, value: day(student.start_date ?? school.start_date) },
      ],
    },
    {
      title: t`Codes`,
      facts: [
        { key: 'code', label: t`Student code`, value: student.student_code },
        { key: 'assigned', label: t`Assigned ID`, value: text(student.student_assigned_id) },
        { key: 'admission', label: t`Admission number`, value: text(student.admission_number) },
      ],
    },
  ]
  // Absent without the permission (Access 5.1); the dialog then does not show that they exist.
  const sensitive: Fact[] = []
  if (student.maternal_status !== undefined) {
    const value = words.of(maternalWords, student.maternal_status)
    sensitive.push({ key: 'maternal', label: t`Maternal status`, value })
  }
  for (const field of disabilities) {
    const value = student[field]
    if (value === undefined) continue
    const word = words.of(severityWords, value)
    const marked = value === 'lot_of_difficulty' || value === 'cannot_do'
    sensitive.push({
      key: field,
      label: i18n._(disabilityWords[field]),
      value: marked ? (
        <StatusPill tone="waiting" icon="alert">
          {word}
        </StatusPill>
      ) : (
        word
      ),
    })
  }
  if (sensitive.length > 0) sections.push({ title: t`Health`, facts: sensitive })
  return (
    <DetailsDialog
      title={`${user.first_name} ${user.last_name}`}
      description={school.name}
      onClose={onClose}
      wide
    >
      {sections.map(({ title, facts }) => (
        <section key={title} className="stack close record">
          <h3>{title}</h3>
          <Facts facts={facts} bare />
        </section>
      ))}
    </DetailsDialog>
  )
}
