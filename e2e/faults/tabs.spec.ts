import type { Page } from '@playwright/test'
import { row } from '../database.ts'
import { expectAccessible } from '../test.ts'
import { newName, type Variant } from './probe.ts'
import type { Fault } from './proxy.ts'
import { complaints } from './states.ts'
import { expect, expectRestAlive, install, makeProbe, reference, test } from './test.ts'

const title = { en: 'Pumps', fr: 'Pompes' }
const rowsOf = (name: string, permission: string) =>
  (['school', 'student', 'case'] as const).map((on) => ({
    ...{ id: 'count', on, label: title, permission, order: 1 },
    link: `/admin/${name.slice(4)}/form?${on}={id}`,
  }))
const tabsOf = (permission: string) =>
  (['school', 'student', 'case'] as const).map((on) => ({ id: 'count', on, title, permission, order: 1 }))
const probeWith = (variant: Variant, permission = 'schools.view', name = newName('tab')) =>
  makeProbe({
    name,
    title: { en: 'Probe', fr: 'Sonde' },
    variant,
    contract: '1.5.0',
    more: { tabs: tabsOf(permission), rows: rowsOf(name, permission) },
  })

const firstSchool = () =>
  row<{ id: number; name: string; admin_code: string }>(
    'select id, name, admin_code from schools order by id limit 1',
  )
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Parts of this page' })

test('a person opens what a module has on a school, goes back and forward, and reloads it', async ({
  person,
  line,
}) => {
  const probe = probeWith('sound')
  install(line, { probe })
  const school = await firstSchool()
  const officer = await person('school')
  const fetched: string[] = []
  officer.on('request', (request) => fetched.push(request.url()))
  await officer.goto(`/admin/schools/${school.id}/users?type=student`)
  await expect(tabs(officer).getByRole('link')).toContainText([/Teachers/, /Students/, 'Pumps'])
  await expect(officer.getByRole('table')).toBeVisible()
  // None of its code came with the page.
  expect(fetched.filter((url) => url.includes(probe.record.base))).toEqual([])

  const known = `{"id":${school.id},"name":"${school.name}","code":"${school.admin_code}"}`
  await tabs(officer).getByRole('link', { name: 'Pumps' }).click()
  await expect(officer.getByText(`${probe.record.name} knows ${known}`)).toBeVisible()
  await expect(officer).toHaveURL(new RegExp(`/users\\?tab=${probe.record.name}:count$`))
  await expect(officer.getByRole('heading', { level: 1, name: school.name })).toBeVisible()
  await officer.reload()
  await expect(officer.getByText(`${probe.record.name} knows ${known}`)).toBeVisible()
  await expectAccessible(officer, 'the tab of a module')
  await officer.goBack()
  await expect(officer.getByRole('table')).toBeVisible()
  await expect(tabs(officer).getByRole('link', { name: /Students/ })).toHaveAttribute('aria-current', 'page')
  await officer.goForward()
  await expect(officer.getByText(`${probe.record.name} knows ${known}`)).toBeVisible()
  // A phone has no room for all tabs: she sees the one that is open. The line below all of them covers its last pixel.
  await officer.setViewportSize({ width: 360, height: 780 })
  await officer.reload()
  await expect(tabs(officer).getByRole('link', { name: 'Pumps' })).toBeInViewport({ ratio: 0.95 })
})

test('a person sees on a case and in the record of a student what a module has there', async ({
  person,
  line,
}) => {
  const probe = probeWith('sound')
  install(line, { probe })
  const admin = await person('admin')
  const { id, number } = await row<{ id: number; number: string }>(
    'select id, number from cases order by id limit 1',
  )
  await admin.goto(`/admin/cases/${id}/details`)
  await tabs(admin).getByRole('link', { name: 'Pumps' }).click()
  await expect(admin.getByText(`${probe.record.name} knows {"id":${id},"number":"${number}"}`)).toBeVisible()
  await tabs(admin).getByRole('link', { name: 'Case' }).click()
  await expect(admin.getByRole('heading', { name: 'Description' })).toBeVisible()
  await expect(admin).toHaveURL(new RegExp(`/admin/cases/${id}/details$`))

  await admin.setViewportSize({ width: 360, height: 780 })
  await admin.goto('/admin/schools/students')
  await admin.getByRole('main').getByRole('table').getByRole('button').first().click()
  const record = admin.getByRole('dialog')
  await record.getByRole('button', { name: 'Pumps' }).click()
  // Her name is not among what the module is told.
  await expect(record.getByText(/knows \{"id":\d+,"code":"[^"]+","school_id":\d+\}$/)).toBeVisible()
  await record.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(record.getByRole('heading', { name: 'Person' })).toBeVisible()
})

test('a person goes from the row of a school, a student or a case to what a module has on it', async ({
  person,
  line,
}) => {
  const probe = probeWith('sound')
  install(line, { probe })
  const admin = await person('admin')
  for (const [on, address] of [
    ['school', '/admin/schools'],
    ['student', '/admin/schools/students'],
    ['case', '/admin/cases'],
  ]) {
    await admin.goto(`${address}`)
    await admin
      .getByRole('table')
      .getByRole('button', { name: /^Actions for / })
      .first()
      .click()
    await admin.getByRole('menuitem', { name: 'Pumps' }).click()
    await expect(admin).toHaveURL(new RegExp(`${probe.route}/form\\?${on}=\\d+$`))
    await expect(admin.getByRole('textbox').first()).toBeVisible()
  }
})

test('a person without its permission sees no tab, and an address of it leads to the page', async ({
  person,
  line,
}) => {
  const probe = probeWith('sound', 'modules.manage')
  install(line, { probe })
  const school = await firstSchool()
  const officer = await person('school')
  await officer.goto(`/admin/schools/${school.id}/users?tab=${probe.record.name}:count`)
  await expect(officer).toHaveURL(/\?type=teacher$/)
  await expect(officer.getByRole('navigation', { name: 'People of this school' })).toBeVisible()
  await expect(officer.getByRole('link', { name: 'Pumps' })).toHaveCount(0)
  await officer.goto('/admin/schools')
  await officer
    .getByRole('table')
    .getByRole('button', { name: /^Actions for / })
    .first()
    .click()
  await expect(officer.getByRole('menuitem', { name: 'See students' })).toBeVisible()
  await expect(officer.getByRole('menuitem', { name: 'Pumps' })).toHaveCount(0)
})

const faults: { what: string; variant: Variant; fault?: { file: string; does: Fault }; sentence: string }[] =
  [
    {
      what: 'whose code does not come',
      variant: 'sound',
      fault: { file: 'tab.js', does: 'missing' },
      sentence: 'The module Probe did not load',
    },
    { what: 'that throws', variant: 'throws-in-card', sentence: 'The module Probe stopped' },
  ]
for (const { what, variant, fault, sentence } of faults)
  test(`a person reads on a tab ${what} whose it is, and uses the rest of the page`, async ({
    person,
    line,
    expected,
  }) => {
    expected.push(...complaints, /tab of the probe throws/)
    const probe = probeWith(variant)
    install(line, { probe })
    if (fault) line.break(new RegExp(`^${probe.record.base}${fault.file}$`), fault.does)
    const school = await firstSchool()
    const admin = await person('admin')
    await admin.goto(`/admin/schools/${school.id}/users?tab=${probe.record.name}:count`)
    const alert = admin.getByRole('main').getByRole('alert')
    await expect(alert).toContainText(sentence)
    await expect(alert).toContainText(`Module ${probe.record.name}, version 1.0.0, owned by Probe team`)
    await expect(alert).toContainText(reference)
    await tabs(admin)
      .getByRole('link', { name: /Teachers/ })
      .click()
    await expect(admin.getByRole('table')).toBeVisible()
    await expectRestAlive(admin)
  })
