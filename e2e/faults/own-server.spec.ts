import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FrameLocator, Page } from '@playwright/test'
import { row } from '../database.ts'
import { emailOf } from '../people.ts'
import { place as portal } from '../stage/place.ts'
import { expect, test } from '../test.ts'
import { commandOf, makeModule } from './new-module.ts'
import { newName } from './probe.ts'

const name = newName('kits')
const own = name.slice(4)
const folder = mkdtempSync(join(tmpdir(), 'portal-own-server-'))
const dir = join(folder, name)
const started: ChildProcess[] = []

const page = `import { backendOf } from '@portal/contracts/backends'
import { useHost } from '@portal/sdk'
import { useState } from 'react'
import * as v from 'valibot'

const stock = backendOf('${name}', 'stock', { read: '${own}.view', write: '${own}.write' } as never)
const count = stock.post('/items', {
  body: v.object({ school: v.string(), count: v.number() }),
  answer: v.object({ item: v.object({ count: v.number(), by: v.string() }) }),
})

export default function KitsPage() {
  const { client } = useHost()
  const [said, setSaid] = useState('')
  const save = () =>
    client.call(count, { body: { school: 'Coura', count: 12 } }).then(
      ({ item }) => setSaid(\`\${item.count} kits, counted by \${item.by}\`),
      ({ status, message }) => setSaid(\`\${status} \${message}\`),
    )
  return (
    <div className="stack">
      <h1>Kits</h1>
      <button type="button" className="button" onClick={save}>Count</button>
      <p>{said}</p>
    </div>
  )
}
`

test.beforeAll(async () => {
  test.setTimeout(300_000)
  await makeModule(dir)
  writeFileSync(join(dir, 'src/notes/NotesPage.tsx'), page)
  const manifest = JSON.parse(readFileSync(join(dir, 'portal.module.json'), 'utf8'))
  const stock = {
    name: 'stock',
    url: 'https://stock.example.org',
    read: `${own}.view`,
    write: `${own}.write`,
  }
  writeFileSync(join(dir, 'portal.module.json'), JSON.stringify({ ...manifest, backends: [stock] }))
})
test.afterAll(async () => {
  for (const each of started) each.kill()
  await rm(folder, { recursive: true, force: true })
})

/** Starts a program, and waits for what it prints. */
function start(args: string[], env: Record<string, string>, until: RegExp): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: dir, env: { ...process.env, ...env } })
  started.push(child)
  return new Promise((resolve, reject) => {
    let output = ''
    child.once('exit', () => reject(new Error(output)))
    const hear = (text: Buffer) => {
      output += text
      const found = until.exec(output)?.[1]
      if (found) resolve(found)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
  })
}

/** The example server and the developer's command, which stands for the portal. */
async function develop(port: number, until: RegExp, ...more: string[]): Promise<string> {
  const server = join(import.meta.dirname, '../../deploy/examples/stock-server/server.mjs')
  const env = { PORTAL_URL: `http://localhost:${port}`, AUDIENCE: `${name}/stock`, PORT: '0' }
  const stock = await start([server], env, /Listening at (\S+)/)
  const dev = [commandOf(dir), 'dev', '--port', String(port), '--backend', `stock=${stock}`, ...more]
  return start(dev, { PORTAL_URL: portal.url }, until)
}

async function expectCounted(at: Page | FrameLocator, by: number) {
  await at.getByRole('button', { name: 'Count' }).click()
  await expect(at.getByText(`12 kits, counted by ${by}`)).toBeVisible()
}

const port = 30_000 + (process.pid % 10_000)

test('a developer’s page in a real portal calls her own server before anybody has promoted the module', async ({
  person,
}) => {
  test.setTimeout(180_000)
  const { id } = await row<{ id: number }>(`select id from users where email = '${emailOf('admin')}'`)
  const address = await develop(port, /(http:\S+\/dev\/override\?\S+)/)
  const developer = await person('admin')
  await developer.goto(address)
  await expectCounted(developer.frameLocator('iframe.module-frame'), id)
  await developer.getByRole('link', { name: 'Run it trusted' }).click()
  await expect(developer.locator('iframe.module-frame')).toHaveCount(0)
  await expectCounted(developer, id)
})

test('a developer without a portal calls her own server from her page alone and from the portal’s own pages', async ({
  person,
}) => {
  test.setTimeout(180_000)
  const address = await develop(port + 2, /switch: (http:\S+)/, '--alone')
  const developer = await person(null)
  await developer.goto(address)
  await expectCounted(developer.frameLocator('iframe.module-frame'), 1)
  await developer.goto(`http://localhost:${port + 2}/`)
  await expectCounted(developer, 1)
})
