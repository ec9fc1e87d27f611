import { defineModule } from '@portal/sdk'
import { paths } from './paths.ts'

export default defineModule({
  contract: '1.2.0',
  routes: () => [
    { path: paths.schools, lazy: () => import('./schools/SchoolsPage.tsx'), permission: 'schools.view' },
    {
      path: '/admin/schools/:id/users',
      lazy: () => import('./schools/SchoolPeoplePage.tsx'),
      permission: 'schools.view',
    },
    {
      path: paths.importSchools,
      lazy: () => import('./schools/ImportSchoolsPage.tsx'),
      permission: 'schools.import',
    },
    { path: paths.teachers, lazy: () => import('./teachers/TeachersPage.tsx'), permission: 'teachers.view' },
    {
      path: paths.importTeachers,
      lazy: () => import('./teachers/ImportTeachersPage.tsx'),
      permission: 'teachers.import',
    },
    { path: paths.students, lazy: () => import('./students/StudentsPage.tsx'), permission: 'students.view' },
    {
      path: paths.importStudents,
      lazy: () => import('./students/ImportStudentsPage.tsx'),
      permission: 'students.import',
    },
    { path: paths.parents, lazy: () => import('./parents/ParentsPage.tsx'), permission: 'parents.view' },
    {
      path: paths.importParents,
      lazy: () => import('./parents/ImportParentsPage.tsx'),
      permission: 'parents.import',
    },
    { path: paths.partners, lazy: () => import('./partners/PartnersPage.tsx'), permission: 'partners.view' },
    {
      path: paths.importPartners,
      lazy: () => import('./partners/ImportPartnersPage.tsx'),
      permission: 'partners.import',
    },
    {
      path: paths.locations,
      lazy: () => import('./geography/LocationsPage.tsx'),
      permission: 'locations.view',
    },
    {
      path: paths.importLocations,
      lazy: () => import('./geography/ImportLocationsPage.tsx'),
      permission: 'locations.import',
    },
    {
      path: paths.boundaries,
      lazy: () => import('./geography/BoundariesPage.tsx'),
      permission: 'locations.view',
    },
  ],
  messages: {
    en: () => [
      import(/* webpackChunkName: "en" */ './locales/en.ts'),
      import(/* webpackChunkName: "en" */ '@portal/screens/locales/en'),
      import(/* webpackChunkName: "en" */ '@portal/ui/locales/en'),
    ],
    fr: () => [
      import(/* webpackChunkName: "fr" */ './locales/fr.ts'),
      import(/* webpackChunkName: "fr" */ '@portal/screens/locales/fr'),
      import(/* webpackChunkName: "fr" */ '@portal/ui/locales/fr'),
    ],
  },
})
