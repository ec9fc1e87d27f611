import { useLingui } from '@lingui/react/macro'
import type { Page } from '@portal/contracts/fields'
import { type School, schools } from '@portal/contracts/registers'
import type { Student } from '@portal/contracts/registers-students'
import type { Teacher } from '@portal/contracts/registers-teachers'
import { schoolFields } from '@portal/contracts/schools.fields'
import { ListPage, pageLink } from '@portal/screens/ListPage'
import { failureOf } from '@portal/screens/problemText'
import { useList } from '@portal/screens/useList'
import { useCan } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { Facts } from '@portal/ui/Figures'
import { Tabs } from '@portal/ui/Filters'
import { Count, DateText } from '@portal/ui/Money'
import { Failed } from '@portal/ui/Table'
import { Navigate, useParams, useSearchParams } from 'react-router-dom'
import { paths } from '../paths.ts'
import { useFields } from '../useFields.tsx'
import { PeopleTable } from './PeopleTable.tsx'

type PersonType = 'teacher' | 'student'
type SchoolField = keyof typeof schoolFields

/** Who teaches or learns at a school, under what the school is. */
export default function SchoolPeoplePage() {
  const [url] = useSearchParams()
  const type = url.get('type')
  const id = Number(useParams().id)
  if (type !== 'teacher' && type !== 'student')
    return <Navigate to={paths.schoolPeople(id, 'teacher')} replace />
  return <People key={`${id} ${type}`} id={id} type={type} />
}

function People({ id, type }: { id: number; type: PersonType }) {
  const { t } = useLingui()
  const can = useCan()
  // The page that the answer holds under the type's name.
  const list = useList(schools.people, (answer) => (answer[type] ?? nobody) as Page<Teacher | Student>, {
    params: { id },
  })
  const school = list.answer?.school
  const failure = school ? null : failureOf(list.problem, list.retry)
  const tabs = [
    {
      type: 'teacher' as const,
      label: t`Teachers`,
      permission: 'teachers.view' as const,
      count: school?.teachers,
    },
    {
      type: 'student' as const,
      label: t`Students`,
      permission: 'students.view' as const,
      count: school?.students,
    },
  ]
  return (
    <ListPage
      title={school?.name ?? (failure ? t`School` : <Skeleton width={260} height={28} />)}
      description={type === 'teacher' ? t`Teachers of this school` : t`Students of this school`}
      back={{ to: paths.schools, label: t`Schools` }}
    >
      {failure ? (
        <Card padded>
          <Failed {...failure} />
        </Card>
      ) : (
        <>
          {/* Of the school, whatever the list below is searched for. */}
          {school && (
            <SchoolFacts school={school} total={type === 'teacher' ? school.teachers : school.students} />
          )}
          <div>
            <Tabs
              label={t`People of this school`}
              renderLink={pageLink}
              tabs={tabs
                .filter(({ permission }) => can(permission))
                .map((tab) => ({
                  href: paths.schoolPeople(id, tab.type),
                  label: tab.label,
                  count: tab.count,
                  current: tab.type === type,
                }))}
            />
            <PeopleTable list={list} type={type} />
          </div>
        </>
      )}
    </ListPage>
  )
}

const nobody = { data: [], current_page: 1, last_page: 1, per_page: 15, total: 0 }

/** A grid: what the school is, and since when it is known. */
function SchoolFacts({ school, total }: { school: School; total: number }) {
  const { t } = useLingui()
  const { label, text } = useFields(schoolFields)
  const fact = (name: SchoolField, shown = text(name, school[name])) => ({
    label: label(name),
    value: shown || t`N/A`,
  })
  // In the order in which they are read; the name is the page's title. A field that is not here does not compile.
  const own: Record<Exclude<SchoolField, 'name'>, { label: string; value: string }> = {
    type_of_school: { ...fact('type_of_school'), label: t`Type` },
    admin_code: { ...fact('admin_code'), label: t`Admin code` },
    arrondissement_id: fact('arrondissement_id', school.arrondissement?.name),
    academic_year: fact('academic_year'),
    admin_district_as_cap: fact('admin_district_as_cap'),
    education_authority_as_ae: fact('education_authority_as_ae'),
  }
  return (
    <Facts
      facts={[
        ...Object.entries(own).map(([key, shown]) => ({ key, ...shown })),
        { key: 'total', label: t`Total users`, value: <Count value={total} /> },
        { key: 'since', label: t`Record added`, value: <DateText iso={school.created_at} /> },
      ]}
    />
  )
}
