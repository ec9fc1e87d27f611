import type { Endpoint } from '@portal/contracts/endpoint'
import { type Permission, shippedRoles } from '@portal/contracts/permissions'
import { expect, test } from 'vitest'
import { makeServer } from '../../src/kit/http/server.ts'
import { migrationNames } from '../../src/migrations.ts'
import type { Answer, Client } from '../client.ts'
import { startPortal } from '../portal.ts'

const portal = await startPortal()
// The rate limiter of invites would slow these calls before their permissions are checked.
const slowed = 429

/** Every call of the api; a new call must be added here. The ids do not exist and there is no body, so no call changes anything. */
const calls = portal.endpoints.map((endpoint) => ({
  endpoint,
  name: `${endpoint.method} ${endpoint.path}`,
  path: endpoint.path.replace(/:\w+/g, (part) =>
    /token|invite|file_name|module|collection|provider|kind/.test(part) ? 'unknown' : '999999999',
  ),
}))
type Row = (typeof calls)[number]
const open = ({ access }: Endpoint) => access === 'public' || access === 'invite'

async function make(client: Client, { endpoint, path }: Row): Promise<Answer> {
  await portal.owner.query('delete from failed_attempts')
  return client.send(endpoint.method, path, endpoint.method === 'GET' ? undefined : {})
}

/** What a response says about the caller's rights: `signed out`, `refused` without the permission, or `admitted`. */
function verdict({ status, body }: Answer): string {
  if (status === 401) return 'signed out'
  return status === 403 && body.message === 'You do not have the permission for this.'
    ? 'refused'
    : 'admitted'
}

function expected({ access }: Endpoint, permissions: readonly Permission[] | null): string {
  if (access === 'public' || access === 'invite') return 'admitted'
  if (access === 'machine' || access === 'signed' || permissions === null) return 'signed out'
  const any = typeof access === 'string' ? [access] : access
  return any.some((one) => one === 'session' || permissions.some((permission) => permission === one))
    ? 'admitted'
    : 'refused'
}

/** One line per call, so that a failure shows all differences at once. */
async function table(client: () => Promise<Client>, permissions: readonly Permission[] | null) {
  const seen: Record<string, string> = {}
  const wanted: Record<string, string> = {}
  let person = await client()
  for (const row of calls) {
    const cookie = person.cookies.get('portal_session')
    const answer = await make(person, row)
    expect.soft([row.name, answer.status < 500 && answer.status !== slowed]).toEqual([row.name, true])
    seen[row.name] = verdict(answer)
    wanted[row.name] = expected(row.endpoint, permissions)
    // Signing out is one of the calls.
    if (permissions && person.cookies.get('portal_session') !== cookie) person = await client()
  }
  expect(seen).toEqual(wanted)
}

test('the table has every route; an operator cannot start the api with a route that has no contract', async () => {
  expect(calls.length).toBeGreaterThan(60)
  expect(new Set(calls.map(({ name }) => name)).size).toBe(calls.length)
  const start = makeServer(portal.context, { draining: false }, migrationNames(), ({ http }) => {
    http.get('/trial/unguarded', async () => ({}))
  })
  await expect(start).rejects.toThrow('GET /api/trial/unguarded does not say who may call it')
})

test('a signed-out person reaches public calls only', () => table(() => portal.visitor(), null))

test('a person without a role reaches only the calls that are open to every session', () =>
  table(() => portal.signedIn(), []))

test.each(Object.entries(shippedRoles))(
  'a person with the role %s reaches what the role allows, and nothing else',
  (role, permissions) => table(() => portal.signedInAs(role), permissions),
)

test('a person who is deactivated during a session gets 401 from every call after that', async () => {
  const admin = await portal.signedInAs('Administrator')
  const seen: Record<string, string> = {}
  for (const row of calls.filter(({ endpoint }) => !open(endpoint))) {
    const set = (value: string) =>
      portal.owner.query(`update users set deactivated_at = ${value} where id = $1`, [admin.user.id])
    await set('null')
    expect((await admin.get('/session')).body.user).not.toBeNull()
    await set('now()')
    seen[row.name] = verdict(await make(admin, row))
  }
  expect(Object.entries(seen).filter(([, result]) => result !== 'signed out')).toEqual([])
})
