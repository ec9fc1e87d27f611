import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame } from '@playwright/test'
import { federationName } from '@portal/sdk/registry'
import { rows } from '../database.ts'
import { devTools, foundByTools } from '../dev-tools.ts'
import { makeProbe, newName, type Probe } from '../faults/probe.ts'
import { makeLive } from '../publish.ts'
import { writeRecord } from '../records.ts'
import { place } from '../stage/place.ts'
import { expect, expectAccessible, test } from '../test.ts'

/** What `portal-module dev` serves: a build of a module, and a word to open pages when it serves another one. */
async function serveBuild(first: Probe) {
  let served = first
  const key = randomBytes(16).toString('hex')
  const pages = new Set<ServerResponse>()
  const tell = (page: ServerResponse) => {
    const { build } = served.record
    page.write(`event: served\ndata: ${JSON.stringify({ build, hash: build, sheets: [], fault: null })}\n\n`)
  }
  const server = createServer((request, reply) => {
    reply.setHeader('access-control-allow-origin', place.url)
    reply.setHeader('cross-origin-resource-policy', 'cross-origin')
    // Below the key it answers to frames, which have no origin.
    const isKeyed = request.url?.startsWith(`/${key}/`) ?? false
    if (isKeyed) reply.setHeader('access-control-allow-origin', '*')
    const file = (request.url ?? '').replace(`/${key}`, '').slice(1)
    if (file === 'changes') {
      pages.add(reply.writeHead(200, { 'content-type': 'text/event-stream' }))
      return tell(reply)
    }
    const base = `http://localhost:${port}/`
    const body = file === 'build.json' ? JSON.stringify({ ...served.record, base }) : served.files[file]
    const type = file.endsWith('.js')
      ? 'text/javascript'
      : file.endsWith('.css')
        ? 'text/css'
        : 'application/json'
    return reply.writeHead(body ? 200 : 404, { 'content-type': type }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...{ port, key },
    serve(next: Probe) {
      served = next
      for (const page of pages) tell(page)
    },
    end: () => void [server.close(), server.closeAllConnections()],
  }
}

test('a developer tries an unpublished module with records of her own, and sees each build without doing anything', async ({
  person,
}) => {
  const name = newName('looms')
  const collections = [{ name: 'looms', read: `${name.slice(4)}.view`, write: `${name.slice(4)}.view` }]
  const build = (mark: string) =>
    makeProbe({ name, mark, title: { en: 'Looms', fr: 'Métiers' }, more: { collections } })
  const machine = await serveBuild(build('first'))
  const developer = await person('school')
  await developer.addInitScript(devTools)
  const { port, key } = machine
  await developer.goto(`/dev/override?module=${name}&port=${port}&key=${key}&to=${build('').route}`)
  await expect(developer.getByText(`${name} 1.0.0 first`)).toBeVisible()
  await writeRecord(developer, `/api/modules/${name}/records/looms`, { threads: 80 })
  const stored = () =>
    rows<{ data: object }>(
      'select r.data from sandbox_records r join module_sandboxes s on s.id = r.sandbox_id where s.module = $1',
      name,
    )
  expect(await stored()).toEqual([{ data: { threads: 80 } }])
  expect(await rows('select from module_records where module = $1', name)).toEqual([])

  machine.serve(build('second'))
  await expect(developer.getByText(`${name} 1.0.0 second`)).toBeVisible()

  await developer.getByRole('button', { name: 'Empty the sandbox' }).click()
  const dialog = developer.getByRole('dialog', { name: 'Empty the sandbox' })
  await expect(dialog).toContainText('Live records, and the sandboxes of others, stay.')
  await expectAccessible(developer, 'emptying a sandbox')
  await dialog.getByRole('button', { name: 'Empty the sandbox' }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(stored).toEqual([])

  // As it will run when it is live, and back.
  const frame = developer.frameLocator('iframe.module-frame')
  await developer.getByRole('link', { name: 'Run it isolated' }).click()
  await expect(frame.getByText(`${name} 1.0.0 second`)).toBeVisible()
  machine.serve(build('third'))
  await expect(frame.getByText(`${name} 1.0.0 third`)).toBeVisible()
  // React's tools and those of federation find in the frame what they find in the page.
  const seen = { renderers: ['production'], remotes: [federationName(name, build('third').record.build)] }
  const inside = developer.frames().find((each) => each.url().includes(`/frame/${name}/`)) as Frame
  expect(await foundByTools(inside)).toEqual(seen)
  await expectAccessible(developer, 'an isolated module from a developer’s machine')
  await developer.getByRole('link', { name: 'Run it trusted' }).click()
  await expect(developer.getByRole('main').getByText(`${name} 1.0.0 third`)).toBeVisible()
  await expect(developer.locator('iframe.module-frame')).toHaveCount(0)
  expect(await foundByTools(developer.mainFrame())).toEqual(seen)
  await developer.goto('/dev/override/reset')
  machine.end()
})

test('a partner’s colleague sees where a page of her module stopped, its versions and its usage, and no buttons', async ({
  person,
  say,
  expected,
}) => {
  expected.push(/The probe throws while it is drawn/)
  const probe = makeProbe({ name: newName('herd'), title: { en: 'Herd', fr: 'Troupeau' } })
  const { name } = probe.record
  await makeLive(probe)
  const watch = `${name}.watch`
  await expect
    .poll(() => rows('select from permissions where name = $1', watch), { timeout: 60_000 })
    .toHaveLength(1)
  await rows(
    `insert into role_permissions (role_id, permission_id)
      select r.id, p.id from roles r cross join permissions p where r.name = 'School Officer' and p.name = $1`,
    watch,
  )
  const colleague = await person('school')
  // A report may also say only how long a page took.
  const stored = colleague.waitForResponse(
    (answer) =>
      answer.url().endsWith('/modules/reports') && /"kind":"error"/.test(answer.request().postData() ?? ''),
  )
  await colleague.goto(`${probe.route}/crash`)
  await stored
  await colleague.goto('/admin/modules')
  await expect(colleague.getByRole('row', { name: /Herd/ })).toBeVisible()
  await expect(colleague.getByRole('row', { name: /Users/ })).toHaveCount(0)
  await colleague.getByRole('link', { name: 'Herd', exact: true }).last().click()
  await colleague.getByText(say('Where in the code')).first().click()
  await expect(colleague.locator('.stack-lines').first()).toContainText(/\.(js|ts|tsx):\d+:\d+/)
  await expect(colleague.getByRole('table', { name: say('Versions') })).toContainText('1.0.0')
  await expect(colleague.getByRole('table', { name: say('Usage by week') })).toBeVisible()
  await expect(colleague.getByRole('button', { name: say('Disable') })).toHaveCount(0)
  await expectAccessible(colleague, 'how a module fares')
})
