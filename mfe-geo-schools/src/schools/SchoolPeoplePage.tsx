import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import type { Page } from '@portal/contracts/fields'
import { type School, schools } from '@portal/contracts/registers'
import { schoolFields } from '@portal/contracts/registers/schools.fields'
import type { Student } from '@portal/contracts/registers-students'
import type { Teacher } from '@portal/contracts/registers-teachers'
import { ListPage, pageLink } from '@portal/screens/ListPage'
import { useModuleTabs } from '@portal/screens/ModuleTabs'
import { failureOf } from '@portal/screens/problemText'
import { useList } from '@portal/screens/useList'
import { useCan, useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { Facts } from '@portal/ui/Figures'
import { Tabs } from '@portal/ui/Filters'
import { Count, DateText } from '@portal/ui/Money'
import { Failed } from '@portal/ui/Table'
import type { ReactNode } from 'react'
import { Navigate, useParams, useSearchParams } from 'react-router-dom'
import { paths } from '../paths.ts'
import { useFields } from '../useFields.tsx'
import { PeopleTable } from './PeopleTable.tsx'

type PersonType = 'teacher' | 'student'
type SchoolField = keyof typeof schoolFields

/** A school: who teaches or learns there, and what modules have on it, under what the school is. */
export default function SchoolPeoplePage() {
  const [url] = useSearchParams()
  const type = url.get('type')
  const id = Number(useParams().id)
  const can = useCan()
  const { isOpen } = useModuleTabs('school', undefined)
  if (isOpen) return <WithTab key={id} id={id} />
  if (type !== 'teacher' && type !== 'student') {
    const first = can('students.view') && !can('teachers.view') ? 'student' : 'teacher'
    return <Navigate to={paths.schoolPeople(id, first)} replace />
  }
  return <People key={`${id} ${type}`} id={id} type={type} />
}

function People({ id, type }: { id: number; type: PersonType }) {
  const { t } = useLingui()
  // The page that the answer holds under the type's name.
  const list = useList(schools.people, (answer) => (answer[type] ?? nobody) as Page<Teacher | Student>, {
    params: { id },
  })
  const school = list.answer?.school
  return (
    <SchoolFrame
      id={id}
      school={school}
      failure={school ? null : failureOf(list.problem, list.retry)}
      description={type === 'teacher' ? t`Teachers of this school` : t`Students of this school`}
      type={type}
    >
      <PeopleTable list={list} type={type} />
    </SchoolFrame>
  )
}

/** A tab of a module. The address then belongs to it, so the people of the school are not listed by what it says. */
function WithTab({ id }: { id: number }) {
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, schools.read, { params: { id } }))
  const school = data?.school
  const { shown } = useModuleTabs(
    'school',
    school && { id: school.id, name: school.name, code: school.admin_code },
  )
  return (
    <SchoolFrame id={id} school={school} failure={school ? null : failureOf(error, refetch)}>
      {/* The list of people continues the line of tabs; what a module draws stands below it, as on the page of a case. */}
      <div style={{ marginTop: 'var(--s16)' }}>{shown}</div>
    </SchoolFrame>
  )
}

type FrameProps = {
  id: number
  school: School | undefined
  failure: ReturnType<typeof failureOf>
  description?: string
  /** Whose tab is open; none of these with a tab of a module. */
  type?: PersonType
  children: ReactNode
}

function SchoolFrame({ id, school, failure, description, type, children }: FrameProps) {
  const { t } = useLingui()
  const can = useCan()
  const modules = useModuleTabs('school', undefined)
  const people = [
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
  const total = (each: School) => (type ? each[`${type}s`] : each.teachers + each.students)
  return (
    <ListPage
      title={school?.name ?? (failure ? t`School` : <Skeleton width={260} height={28} />)}
      description={description}
      back={{ to: paths.schools, label: t`Schools` }}
    >
      {failure ? (
        <Card padded>
          <Failed {...failure} />
        </Card>
      ) : (
        <>
          {/* Of the school, whatever the list below is searched for. */}
          {school && <SchoolFacts school={school} total={total(school)} />}
          <div>
            <Tabs
              label={modules.tabs.length > 0 ? t`Parts of this page` : t`People of this school`}
              renderLink={pageLink}
              tabs={[
                ...people
                  .filter(({ permission }) => can(permission))
                  .map((tab) => ({
                    href: paths.schoolPeople(id, tab.type),
                    label: tab.label,
                    count: tab.count,
                    current: tab.type === type,
                  })),
                ...modules.tabs,
              ]}
            />
            {children}
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
