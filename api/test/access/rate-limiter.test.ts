import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { startApiProcess } from '../api-process.ts'
import { type Account, password, startPortal, until } from '../portal.ts'
import { makeLimitsFirm } from '../server/limits.ts'

const portal = await startPortal({ trustedProxies: ['127.0.0.1'] })
const { owner } = portal
beforeEach(() => owner.query('delete from failed_attempts'))

const signIn = async (person: Pick<Account, 'email'>, secret = password) =>
  (await portal.visitor()).post('/login', { email: person.email, password: secret })
const forget = async (email: string) => (await portal.visitor()).post('/password/forgot', { email })

test('an office where a new password was asked for 61 times still signs in, resets and opens invites', async () => {
  const colleague = await portal.account()
  const statuses = new Set<number>()
  for (let n = 0; n < 60; n++) statuses.add((await forget(`somebody${n}@test.example`)).status)
  expect([...statuses]).toEqual([200])
  await makeLimitsFirm(owner)
  expect((await forget('somebody60@test.example')).status).toBe(429)
  expect((await signIn(colleague)).status).toBe(200)
  const visitor = await portal.visitor()
  const reset = { token: 'a wrong link', password: 'une phrase assez longue' }
  expect((await visitor.post('/password/reset', reset)).status).toBe(422)
  expect((await visitor.get('/external/cases/a-wrong-invite')).status).toBe(404)
})

test('a person who has signed in from her office goes on after sixty wrong sign-ins of others there; a stranger there waits', async () => {
  const colleague = await portal.account()
  const stranger = await portal.account()
  expect((await signIn(colleague)).status).toBe(200)
  for (let n = 0; n < 60; n++) expect((await signIn({ email: `somebody${n}@test.example` })).status).toBe(422)
  await makeLimitsFirm(owner)
  expect((await signIn(stranger)).status).toBe(429)
  expect((await signIn(colleague)).status).toBe(200)
})

test('a person who last signed in from her office more than 30 days ago is slowed there like a stranger', async () => {
  const colleague = await portal.account()
  expect((await signIn(colleague)).status).toBe(200)
  await owner.query("update sessions set created_at = now() - interval '31 days' where user_id = $1", [
    colleague.id,
  ])
  for (let n = 0; n < 60; n++) expect((await signIn({ email: `somebody${n}@test.example` })).status).toBe(422)
  await makeLimitsFirm(owner)
  expect((await signIn(colleague)).status).toBe(429)
})

test('a stranger who tries twenty accounts at once after the pause of her address has one attempt', async () => {
  for (let n = 0; n < 60; n++) expect((await signIn({ email: `somebody${n}@test.example` })).status).toBe(422)
  await owner.query("update failed_attempts set created_at = now() - interval '1 minute'")
  const visitors = await Promise.all(Array.from({ length: 20 }, () => portal.visitor()))
  const tried = visitors.map((visitor, n) =>
    visitor.post('/login', { email: `another${n}@test.example`, password }),
  )
  const statuses = (await Promise.all(tried)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([422, ...Array(19).fill(429)])
})

test('a stranger who has a whole network of IPv6 is slowed as one address', async () => {
  const guess = async (ip: string, n: number) => {
    const typed = { email: `somebody${n}@test.example`, password }
    return (await (await portal.visitor()).post('/login', typed, { 'x-forwarded-for': ip })).status
  }
  for (let n = 0; n < 60; n++) expect(await guess(`2001:db8:7:1::${(n + 1).toString(16)}`, n)).toBe(422)
  await makeLimitsFirm(owner)
  expect(await guess('2001:db8:7:1:aaaa:bbbb:cccc:dddd', 60)).toBe(429)
  expect(await guess('2001:db8:7:2::1', 61)).toBe(422)
  for (let n = 0; n < 60; n++) expect(await guess(`::ffff:192.0.2.${n}`, 100 + n)).toBe(422)
  await makeLimitsFirm(owner)
  expect(await guess('::ffff:192.0.2.99', 162)).toBe(422)
})

test('a person who has signed in from her office has ten tries of her own there', async () => {
  const colleague = await portal.account()
  expect((await signIn(colleague)).status).toBe(200)
  for (let n = 0; n < 10; n++) expect((await signIn(colleague, `guess number ${n}`)).status).toBe(422)
  await makeLimitsFirm(owner)
  expect((await signIn(colleague)).status).toBe(429)
})

test('a person whose calls are spread over two apis is slowed as by one', async () => {
  const perSecond = 20
  const person = await portal.signedIn()
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const call = (url: string) =>
    fetch(`${url}/notifications`, { headers: { cookie } }).then(async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    })
  const apis = await Promise.all(
    [1, 2].map(async () => {
      const { child, url } = await startApiProcess(portal, { PORTAL_CALLS_PER_SECOND: String(perSecond) })
      onTestFinished(() => void child.kill('SIGKILL'))
      await until(async () => (await call(url).catch(() => 0)) === 200, 50_000)
      return url
    }),
  )
  const began = performance.now()
  const statuses = await Promise.all(apis.flatMap((url) => Array.from({ length: 60 }, () => call(url))))
  const seconds = 1 + Math.floor((performance.now() - began) / 1000)
  const answered = statuses.filter((status) => status === 200).length
  // Each api lets a fifth of the limit through before it asks what the others have counted.
  expect(answered).toBeLessThanOrEqual(seconds * perSecond + (2 * perSecond) / 5)
  // The calls that waited for the apis count if their second is not over.
  expect(answered).toBeGreaterThanOrEqual(perSecond - apis.length)
  expect(statuses.filter((status) => status === 429)).toHaveLength(statuses.length - answered)
})
