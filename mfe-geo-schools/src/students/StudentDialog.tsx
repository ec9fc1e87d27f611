import { useLingui } from '@lingui/react/macro'
import { sensitiveFields, studentFields } from '@portal/contracts/registers/students.fields'
import type { Student } from '@portal/contracts/registers-students'
import { DetailsDialog, type Fact } from '@portal/screens/DetailsDialog'
import { ModuleParts } from '@portal/screens/ModuleParts'
import { Facts } from '@portal/ui/Figures'
import { StatusPill } from '@portal/ui/StatusPill'
import { useFields } from '../useFields.tsx'
import { useWords } from '../words.tsx'
import { HoldNotice } from './HoldNotice.tsx'

type Props = { student: Student; onClose: () => void }
type Name = keyof typeof studentFields
type Section = 'person' | 'school' | 'codes' | 'health'

/** Where each field is read. A field that is not here does not compile. */
const sectionOf: Record<Name, Section> = {
  first_name: 'person',
  last_name: 'person',
  date_of_birth: 'person',
  gender: 'person',
  language_spoken: 'person',
  class_id: 'school',
  current_class_level: 'school',
  academic_year: 'school',
  start_date: 'school',
  student_code: 'codes',
  student_assigned_id: 'codes',
  admission_number: 'codes',
  maternal_status: 'health',
  disability_vision: 'health',
  disability_hearing: 'health',
  disability_mobility: 'health',
  disability_cognition: 'health',
  disability_selfcare: 'health',
  disability_communication: 'health',
  disability_other: 'health',
}
const inOrder = Object.entries(sectionOf) as [Name, Section][]

/** Everything the portal knows of a student, in the order in which it is read. */
export function StudentDialog({ student, onClose }: Props) {
  const { t } = useLingui()
  const words = useWords()
  const { label, text } = useFields(studentFields)
  const { user, school } = student
  const values: Partial<Record<Name, unknown>> = { ...student, ...user }
  const shown = (name: Name) => {
    if (name === 'class_id') return student.class?.name ?? words.nothing
    if (name === 'start_date') return text(name, student.start_date ?? school.start_date) || words.nothing
    const value = text(name, values[name]) || words.nothing
    return values[name] === 'lot_of_difficulty' || values[name] === 'cannot_do' ? (
      <StatusPill tone="waiting" icon="alert">
        {value}
      </StatusPill>
    ) : (
      value
    )
  }
  // Absent without the permission (Access 5.1); the dialog then does not show that they exist.
  const absent = (name: Name) => sensitiveFields.includes(name) && values[name] === undefined
  const facts = (wanted: Section): Fact[] =>
    inOrder
      .filter(([name, section]) => section === wanted && !absent(name))
      .map(([name]) => ({ key: name, label: label(name), value: shown(name) }))
  const guardians = student.parents.map(({ name }) => name).join(', ') || words.nothing
  const sections = [
    {
      title: t`Person`,
      facts: [...facts('person'), { key: 'parents', label: t`Guardians`, value: guardians }],
    },
    {
      title: t`School`,
      facts: [
        {
          key: 'school',
          label: t`School`,
          value: school.name,
          note: <span className="nowrap">{school.admin_code}</span>,
        },
        ...facts('school'),
      ],
    },
    { title: t`Codes`, facts: facts('codes') },
    { title: t`Health`, facts: facts('health') },
  ]
  return (
    <DetailsDialog
      title={`${user.first_name} ${user.last_name}`}
      description={school.name}
      onClose={onClose}
      wide
    >
      <ModuleParts
        on="student"
        item={{ id: student.id, code: student.student_code, school_id: school.id }}
        label={t`Parts of this record`}
        own={t`Record`}
      >
        <HoldNotice studentId={student.id} />
        {sections
          .filter((section) => section.facts.length > 0)
          .map(({ title, facts }) => (
            <section key={title} className="stack close record">
              <h3>{title}</h3>
              <Facts facts={facts} bare />
            </section>
          ))}
      </ModuleParts>
    </DetailsDialog>
  )
}
