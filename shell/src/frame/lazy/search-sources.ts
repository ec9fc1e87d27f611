import { msg } from '@lingui/core/macro'
import { cases } from '@portal/contracts/cases'
import type { Permission } from '@portal/contracts/permissions'
import { schools } from '@portal/contracts/registers'
import { parents } from '@portal/contracts/registers-parents'
import { students } from '@portal/contracts/registers-students'
import { transfers } from '@portal/contracts/transfers'
import { formatDate } from '@portal/i18n/format'
import type { IconName } from '@portal/ui/Icon'
import { client } from '../../session/client.ts'

/** Something to go to. */
export type Found = { href: string; label: string; note?: string; icon: IconName }

/** A list that can be searched, for whoever may see it. */
export type Source = {
  key: string
  title: ReturnType<typeof msg>
  permission: Permission | readonly Permission[]
  search: (text: string, signal: AbortSignal) => Promise<Found[]>
}

const most = 5
const to = (path: string, search: string) => `${path}?search=${encodeURIComponent(search)}`
const nameOf = ({ first_name, last_name }: { first_name: string; last_name: string }) =>
  `${first_name} ${last_name}`

/** The calls of the lists themselves: what the server would not list is not found. */
export const sources: Source[] = [
  {
    key: 'cohorts',
    title: msg`Cohorts`,
    permission: 'transfers.view',
    search: async (search, signal) => {
      const { cohorts } = await client.call(transfers.cohorts, { query: { search, per_page: most }, signal })
      return cohorts.data.map(({ id, name, from, to: until }) => ({
        href: `/admin/transfers/cohorts/${id}/summary`,
        label: name,
        note: `${formatDate(from)} – ${formatDate(until)}`,
        icon: 'transfers',
      }))
    },
  },
  {
    key: 'cases',
    title: msg`Cases`,
    permission: ['cases.view', 'cases.create', 'cases.manage'],
    search: async (search_term, signal) => {
      const { complains } = await client.call(cases.list, { query: { search_term, per_page: most }, signal })
      return complains.data.map(({ id, number, title }) => ({
        href: `/admin/cases/${id}/details`,
        label: title,
        note: number,
        icon: 'folder',
      }))
    },
  },
  {
    key: 'schools',
    title: msg`Schools`,
    permission: 'schools.view',
    search: async (search, signal) => {
      const found = await client.call(schools.list, { query: { search, per_page: most }, signal })
      return found.schools.data.map(({ name, admin_code, cap }) => ({
        href: to('/admin/schools', admin_code),
        label: name,
        note: `${admin_code} · ${cap.name}`,
        icon: 'school',
      }))
    },
  },
  {
    key: 'students',
    title: msg`Students`,
    permission: 'students.view',
    search: async (search, signal) => {
      const found = await client.call(students.list, { query: { search, per_page: most }, signal })
      return found.students.data.map(({ user, student_code, school }) => ({
        href: to('/admin/schools/students', student_code),
        label: nameOf(user),
        note: `${student_code} · ${school.name}`,
        icon: 'user',
      }))
    },
  },
  {
    key: 'parents',
    title: msg`Parents and guardians`,
    permission: 'parents.view',
    search: async (search, signal) => {
      const found = await client.call(parents.list, { query: { search, per_page: most }, signal })
      return found.parents.data.map(({ user, parent_assigned_id }) => ({
        href: to('/admin/schools/parents', parent_assigned_id ?? nameOf(user)),
        label: nameOf(user),
        note: parent_assigned_id ?? '',
        icon: 'users',
      }))
    },
  },
]
