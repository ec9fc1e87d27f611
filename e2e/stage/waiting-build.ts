import { makeProbe } from '../faults/probe.ts'

const title = { en: 'School gardens', fr: 'Jardins scolaires' }

/** A partner's build with something of every kind, which waits for admission as long as the portal of a run stands. */
export const waitingBuild = makeProbe({
  name: 'mfe-gardens',
  title,
  more: {
    routes: ['/admin/gardens', '/admin/gardens-of-neighbouring-communes'],
    permissions: [
      { name: 'gardens.view', label: { en: 'See gardens', fr: 'Voir les jardins' } },
      { name: 'gardens.update', label: { en: 'Change gardens', fr: 'Modifier les jardins' } },
    ],
    collections: [{ name: 'harvests', read: 'gardens.view', write: ['gardens.update', 'schools.update'] }],
    cards: [
      {
        id: 'harvest',
        title: { en: 'Harvest of the month', fr: 'Récolte du mois' },
        permission: 'gardens.view',
        order: 90,
      },
    ],
    search: [
      {
        ...{ id: 'harvests', title, permission: 'students.view', icon: 'modules', rows: 'records' },
        ...{ call: '/modules/mfe-gardens/records/harvests', label: '{id}', link: '/admin/gardens/{id}' },
      },
    ],
  },
})
