import type { Registry } from '@portal/sdk/manifest'
import { contractVersion, runtimeSince } from '@portal/sdk/registry'
import { entryOf, newName, servedFiles } from '../faults/probe.ts'
import { expect, expectNamed, install, makeProbe, test } from '../faults/test.ts'
import { buildPreviousShell, servePreviousShell } from './previous-shell.ts'

/**
 * Shell and module of this build and of contract 1.0.0, each with each. The modules of the product take the federation
 * runtime and the router from the shell and ask for the contract since which they are there; the probe of contract 1.0.0 is
 * a plain container, what a partner published then.
 */
const label = (text: string) => ({ en: text, fr: text })
const previous = makeProbe({ name: newName('before'), title: label('Module of 1.0.0'), contract: '1.0.0' })
const current = makeProbe({
  ...{ name: newName('now'), title: label('Module of now'), contract: contractVersion },
  more: { cards: [{ id: 'count', title: label('Notes of now'), order: 1 }] },
})
let shell: string
test.beforeAll(async () => {
  shell = await buildPreviousShell()
})

test('the current shell opens a current build, cards and all', async ({ person, line }) => {
  install(line, { probe: current })
  const admin = await person('admin')
  await admin.goto('/home')
  await expect(admin.getByText('The probe has three notes')).toBeVisible()
  await admin.goto(current.route)
  await expect(admin.getByText(`${current.record.name} 1.0.0`)).toBeVisible()
  await admin.goto('/admin/users')
  await expect(admin.getByRole('table', { name: 'Users' })).toBeVisible()
})

test('the current shell opens a build of contract 1.0.0, which is the way out of a newer one that fails', async ({
  person,
  line,
  expected,
}) => {
  const { name, title } = previous.record
  const failing = makeProbe({ name, title, version: '1.1.0', variant: 'throws-at-load' })
  install(line, { probe: failing, before: previous })
  expected.push(/[Tt]he probe throws/)
  const admin = await person('admin')
  await admin.goto(previous.route)
  await admin.getByRole('button', { name: 'Use the version before' }).click()
  await expect(admin.getByText(`${name} 1.0.0`)).toBeVisible()
  await admin.getByRole('button', { name: 'Count 0' }).click()
  await expect(admin.getByRole('button', { name: 'Count 1' })).toBeVisible()
})

test('the shell of contract 1.0.0 opens a build of then', async ({ person, line }) => {
  for (const [path, file] of Object.entries(servedFiles(previous))) line.serve({ [path]: file })
  const registry: Registry = { generation: 1, shell: null, modules: [entryOf(previous)] }
  servePreviousShell(line, shell, registry, [previous.route])
  const admin = await person('admin')
  await admin.goto(previous.route)
  await expect(admin.getByRole('heading', { name: 'Probe list' })).toBeVisible()
  await expect(admin.getByText('admin@portal.example')).toBeVisible()
  await admin.getByRole('button', { name: 'Count 0' }).click()
  await expect(admin.getByRole('button', { name: 'Count 1' })).toBeVisible()
})

test('the shell of contract 1.0.0 says of what is built today that it needs the contract with the runtime', async ({
  person,
  line,
}) => {
  const admin = await person('admin')
  const registry: Registry = await (await admin.request.get('/modules.json')).json()
  servePreviousShell(line, shell, registry, ['/admin/users'])
  line.forget()
  await admin.goto('/admin/users')
  await expect(admin.getByText(`It needs version ^${runtimeSince} of the contract`)).toBeVisible()
  expect(line.asked.filter(({ path }) => path.startsWith('/modules/'))).toEqual([])
})

test('the shell of contract 1.0.0 says of what needs a newer one which, and runs nothing of it', async ({
  person,
  line,
}) => {
  for (const [path, file] of Object.entries(servedFiles(current))) line.serve({ [path]: file })
  const registry: Registry = { generation: 1, shell: null, modules: [entryOf(current)] }
  servePreviousShell(line, shell, registry, [current.route])
  const admin = await person('admin')
  line.forget()
  await admin.goto(current.route)
  await expect(
    admin.getByText(
      `It needs version ^${contractVersion} of the contract between portal and modules, and this`,
    ),
  ).toContainText('this portal has 1.0.0.')
  expect(line.asked.filter(({ path }) => path.startsWith(current.record.base))).toEqual([])
})

test('the current shell says the same of a build for the next contract', async ({ person, line }) => {
  const next = makeProbe({ name: newName('next'), title: label('Module of tomorrow'), contract: '2.0.0' })
  install(line, { probe: next })
  const admin = await person('admin')
  await admin.goto(next.route)
  await expect(
    admin.getByText(
      `It needs version ^2.0.0 of the contract between portal and modules, and this portal has`,
    ),
  ).toContainText(`this portal has ${contractVersion}.`)
  await expectNamed(admin, next)
})
