import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { ModuleManifest } from './manifest.ts'
import { faultsOfColumns } from './own-columns.ts'
import { eventsLost, faultsOfEvents } from './own-events.ts'
import { faultsOfNotices } from './own-notices.ts'
import { faultsOfReports } from './own-reports.ts'
import { good } from './test-manifest.ts'

describe('a notice', () => {
  const view = { name: 'clinics.view', label: { en: 'See', fr: 'Voir' } }
  const notice = {
    ...{
      id: 'referred',
      permission: 'clinics.view',
      collection: 'visits',
      link: '/admin/clinics?search={student}',
    },
    ...{
      title: { en: 'Referred', fr: 'Orientée' },
      text: { en: '{student} left.', fr: '{student} est partie.' },
    },
  }
  const fields = [
    { name: 'student', label: view.label, type: 'text' as const },
    { name: 'nurse', label: view.label, type: 'whole' as const },
    { name: 'notes', label: view.label },
  ]
  const visits = { name: 'visits', read: ['clinics.view'], write: 'clinics.record', fields }
  const faults = (change: object) =>
    faultsOfNotices({ permissions: [view], collections: [visits], notices: [{ ...notice, ...change }] })

  test('says what its manifest declares, to who may read it', () => {
    expect(faults({ to: 'nurse', link: '/admin/clinics?visit={id}' })).toEqual([])
    expect(faults({ collection: 'wells' })).toEqual([
      'notices.0.collection: wells is none of its collections',
    ])
    expect(faults({ permission: 'students.view' })[0]).toMatch(
      /^notices\.0\.permission: students\.view is none/,
    )
    expect(faults({ to: 'student' })[0]).toMatch(/^notices\.0\.to: student is no field of type whole/)
    expect(faults({ text: { en: '{notes}', fr: 'Notes' } })[0]).toMatch(/^notices\.0\.text\.en: \{notes\}/)
    expect(faults({ link: '/admin/clinics?search={name}' })[0]).toMatch(/^notices\.0\.link: \{name\}/)
    const unread = { ...visits, read: 'schools.view' }
    expect(faultsOfNotices({ permissions: [view], collections: [unread], notices: [notice] })).toEqual([
      'notices.0.permission: clinics.view does not read visits',
    ])
  })

  test.each([
    ['a value of a record in its path', { link: '/admin/{student}' }],
    ['another site', { link: 'https://evil.example/' }],
    ['a line break', { text: { en: 'One\nTwo', fr: 'Un' } }],
  ])('has not %s', (_, change) => {
    const found = v.safeParse(ModuleManifest, { ...good, notices: [{ ...notice, ...change }] })
    expect(found.success).toBe(false)
  })
})

test('a column shows a declared field of records that its readers may read', () => {
  const label = { en: 'Visit', fr: 'Visite' }
  const fields = [
    { name: 'school', label, type: 'text' as const, max: 40, filter: true },
    { name: 'date', label, type: 'day' as const },
    { name: 'girls', label, type: 'whole' as const },
  ]
  const visits = { name: 'visits', read: 'clinics.view', write: 'clinics.record', fields }
  const column = {
    ...{
      id: 'last',
      on: 'school' as const,
      label,
      permission: 'clinics.view',
      collection: 'visits',
      by: 'school',
    },
    ...{ field: 'date', show: 'date' as const, order: 1 },
  }
  const faults = (change: object) =>
    faultsOfColumns({ collections: [visits], columns: [{ ...column, ...change }] })
  expect([...faults({}), ...faults({ field: undefined, show: 'number' })]).toEqual([])
  expect(faults({ collection: 'wells' })[0]).toMatch(/^columns\.0\.collection: wells/)
  expect(faults({ permission: ['clinics.view', 'schools.view'] })[0]).toMatch(
    /^columns\.0\.permission: schools/,
  )
  expect(faults({ by: 'girls' })[0]).toMatch(/^columns\.0\.by: girls is no field/)
  expect(faults({ show: 'number' })[0]).toMatch(/^columns\.0\.show: number is not what date/)
  expect(faults({ field: 'girls', show: 'badge' })[0]).toMatch(/^columns\.0\.show: badge/)
})

describe('an event', () => {
  const seen = {
    ...{ id: 'seen', title: { en: 'Seen', fr: 'Vue' }, permission: 'clinics.view' },
    fields: [{ name: 'student', type: 'whole' as const, required: true }],
  }
  const clinics = { name: 'mfe-clinics', events: [seen] }

  test('is named once, and is what others still hear', () => {
    expect(faultsOfEvents({ ...clinics, listens: ['mfe-wells:dry', 'mfe-clinics:seen'] })).toEqual([])
    expect(faultsOfEvents({ ...clinics, events: [seen, seen] })).toEqual([
      'events.1.id: seen stands there twice',
    ])
    expect(faultsOfEvents({ ...clinics, listens: ['mfe-clinics:sene'] })).toEqual([
      'listens.0: mfe-clinics:sene is none of its own events',
    ])
    const wells = [{ name: 'mfe-wells', listens: ['mfe-clinics:seen'] }]
    const more = { ...seen, fields: [...seen.fields, { name: 'date', type: 'day' as const }] }
    expect(eventsLost([clinics], { ...clinics, events: [more] }, wells)).toEqual([])
    expect(eventsLost([clinics], { ...clinics, events: [] }, [])).toEqual([])
    const lost = { event: 'mfe-clinics:seen', by: 'mfe-wells' }
    expect(eventsLost([clinics], { ...clinics, events: [] }, wells)).toEqual([{ ...lost, what: 'is gone' }])
    expect(eventsLost([clinics], { ...clinics, events: [{ ...seen, fields: [] }] }, wells)).toEqual([
      { ...lost, what: 'no longer has student of type whole' },
    ])
  })

  test.each([
    [
      'a reference, whose rights the server checks',
      { events: [{ ...seen, fields: [{ name: 'a', type: 'reference' }] }] },
    ],
    ['a name without its module', { listens: ['seen'] }],
    ['no permission', { events: [{ ...seen, permission: undefined }] }],
  ])('has not %s', (_, change) => {
    expect(v.safeParse(ModuleManifest, { ...good, ...change }).success).toBe(false)
  })
})

test.each([
  ['a default that is not declared so', { type: 'whole', min: 1, max: 5, default: 9 }],
  ['a number as a text', { type: 'whole', default: '9' }],
  [
    'a default outside of its choice',
    { type: 'text', values: [{ value: 'a', label: good.title }], default: 'b' },
  ],
  ['no default', { type: 'boolean' }],
])('a setting has not %s', (_, setting) => {
  const settings = [{ name: 'girls', label: good.title, ...setting }]
  expect(v.is(ModuleManifest, { ...good, settings })).toBe(false)
  expect(
    v.is(ModuleManifest, {
      ...good,
      settings: [{ name: 'girls', label: good.title, type: 'whole', default: 9 }],
    }),
  ).toBe(true)
})

test('a report has records that its readers may read', () => {
  const visits = { name: 'visits', read: 'clinics.view', write: 'clinics.record' }
  const report = {
    ...{ id: 'year', title: good.title, text: good.title, permission: 'clinics.view', order: 1 },
    ...{ link: '/admin/clinics/report?year=2026', collection: 'visits' },
  }
  expect(v.is(ModuleManifest, { ...good, reports: [report] })).toBe(true)
  expect(v.is(ModuleManifest, { ...good, reports: [{ ...report, link: 'https://evil.example/' }] })).toBe(
    false,
  )
  const faults = (change: object) =>
    faultsOfReports({ collections: [visits], reports: [{ ...report, ...change }] })
  expect(faults({})).toEqual([])
  expect(faults({ permission: 'users.view' })).toEqual([
    'reports.0.permission: users.view does not read visits',
  ])
  expect(faults({ collection: 'wells' })).toEqual(['reports.0.collection: wells is none of its collections'])
})
