import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Permission } from '@portal/contracts/permissions'
import { makeLive } from '../publish.ts'
import { expect, test } from '../test.ts'
import { makeProbe, newName } from './probe.ts'

/** A team's server, which says how much it was sent. */
async function ownServer() {
  const server = createServer(async (request, reply) => {
    let octets = 0
    for await (const chunk of request) octets += (chunk as Buffer).length
    reply.setHeader('content-type', 'application/json').end(JSON.stringify({ octets }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => new Promise((resolve) => server.close(resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

/** The officer of schools may send attendance; the module itself asks for no permission of its own. */
const limits = (url: string) =>
  makeProbe({
    name: newName('limits'),
    contract: '1.5.0',
    list: 'limits.js',
    more: {
      collections: [
        {
          ...{ name: 'notes', read: 'schools.view' as Permission, write: 'schools.view' as Permission },
          fields: [{ name: 'text', label: { en: 'Text', fr: 'Texte' } }],
        },
      ],
      backends: [{ name: 'stock', url, read: 'schools.view', write: 'schools.view' }],
      calls: ['POST /home/attendance/import'],
    },
  })

const expected = [
  'a large record: 413 What you sent is larger than 64 KB.',
  'a long search: 414 The address of this call is longer than 4000 characters.',
  expect.stringMatching(/^a longer search: 422 /),
  'to the own server: answered 200011',
  'too much for it: 413 What you sent is larger than 256 KB.',
  'a large file: 413 What you sent is larger than 25 MB.',
  'many fields: 413 What you sent is larger than 25 MB.',
  expect.stringMatching(/^a long name: 422 /),
  'a small record: answered Saved',
]

for (const trusted of [true, false])
  test(`a person reads what was too large in the sentences of the portal, and works on, ${trusted ? 'in the page' : 'in a frame'}`, async ({
    person,
  }) => {
    const stock = await ownServer()
    try {
      const module = limits(stock.url)
      await makeLive(module, { trusted })
      const admin = await person('admin')
      await admin.goto(module.route)
      const at = trusted ? admin : admin.frameLocator('iframe.module-frame')
      await at.getByRole('button', { name: 'Send everything' }).click()
      const results = at.getByRole('list', { name: 'Results' }).getByRole('listitem')
      await expect(results).toHaveCount(expected.length)
      expect(await results.allTextContents()).toEqual(expected)
    } finally {
      await stock.stop()
    }
  })
