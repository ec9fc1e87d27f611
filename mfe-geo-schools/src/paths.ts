import type { PersonKind } from '@portal/contracts/access/person-data'

/** Addresses of the screens of geography, schools and people, with the import of each list. */
export const paths = {
  locations: '/admin/geo/locations',
  importLocations: '/admin/geo/locations/import',
  boundaries: '/admin/geo/locations/external',
  schools: '/admin/schools',
  importSchools: '/admin/schools/import',
  teachers: '/admin/schools/teachers',
  importTeachers: '/admin/schools/teachers/import',
  students: '/admin/schools/students',
  importStudents: '/admin/schools/students/import',
  parents: '/admin/schools/parents',
  importParents: '/admin/schools/parents/import',
  partners: '/admin/schools/partners',
  importPartners: '/admin/schools/partners/import',
  /** The dialog of the module of transfers that puts a girl on hold. */
  holdPayee: (student: number) => `/admin/transfers/payee-holds?hold=${student}`,
  /** All payments for a girl, and for the girls of a guardian, in the module of transfers. */
  girlPayments: (student: number) => `/admin/transfers/payees/${student}/payments`,
  guardianPayments: (guardian: number) => `/admin/transfers/guardians/${guardian}/payments`,
  /** What the portal knows of one person, in the module of users. */
  personData: (kind: PersonKind, id: number) => `/admin/users/people/${kind}/${id}`,
  schoolPeople: (school: number, type: 'teacher' | 'student') =>
    `/admin/schools/${school}/users?type=${type}`,
}
