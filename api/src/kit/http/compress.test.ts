import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { startPortal } from '../../../test/portal.ts'

const portal = await startPortal()

/** An answer as it is sent, still compressed. */
async function travelling(person: Client, path: string, accepted: string) {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { ...person.headers, cookie, 'accept-encoding': accepted }
  const answer = await portal.http.inject({ url: portal.settings.apiBase + path, headers })
  return {
    encoding: answer.headers['content-encoding'],
    vary: answer.headers.vary,
    bytes: answer.rawPayload,
  }
}

test('a list travels in the smallest form that the browser reads', async () => {
  const admin = await portal.signedInAs('Administrator')
  const plain = await travelling(admin, '/admin/roles/list', 'identity')
  const gzip = await travelling(admin, '/admin/roles/list', 'gzip, deflate')
  const brotli = await travelling(admin, '/admin/roles/list', 'gzip, deflate, br, zstd')
  expect(plain.encoding).toBeUndefined()
  expect(gzip).toMatchObject({ encoding: 'gzip', vary: 'accept-encoding' })
  expect(brotli).toMatchObject({ encoding: 'br', vary: 'accept-encoding' })
  expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes)
  expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes)
  expect(brotli.bytes.length).toBeLessThan(gzip.bytes.length)
})

test('an answer too long to be compressed at once arrives whole', async () => {
  await portal.owner.query(
    `insert into roles (name) select 'Role ' || n || repeat(' of a long list', 60) from generate_series(1, 100) n`,
  )
  const admin = await portal.signedInAs('Administrator')
  const path = '/admin/roles/list?per_page=100'
  const plain = await travelling(admin, path, 'identity')
  const gzip = await travelling(admin, path, 'gzip')
  const brotli = await travelling(admin, path, 'br')
  expect(plain.bytes.length).toBeGreaterThan(65_536)
  expect([gzip.encoding, brotli.encoding]).toEqual(['gzip', 'br'])
  expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes)
  expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes)
})

test('an answer of some words is left as it is', async () => {
  const person = await portal.signedIn()
  const answer = await travelling(person, '/notifications', 'br')
  expect(answer.encoding).toBeUndefined()
  expect(JSON.parse(answer.bytes.toString())).toBeTypeOf('object')
})
