import { once } from 'node:events'
import { Agent, get as httpGet } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { startApiProcess } from '../api-process.ts'
import { untilLocked } from '../locks.ts'
import { startPortal, until } from '../portal.ts'

const portal = await startPortal()
const officer = await portal.signedIn('schools.view')
const cookie = [...officer.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** The api as a process of its own, as in production. */
async function startApi(drainSeconds: number) {
  const env = { PORTAL_DRAIN_SECONDS: String(drainSeconds) }
  const { child, url, readyz } = await startApiProcess(portal, env)
  onTestFinished(() => void child.kill('SIGKILL'))
  const status = (url: string) => fetch(url, { headers: { cookie } }).then((answer) => answer.status)
  const schools = `${url}/admin/schools/list`
  await until(async () => (await status(readyz).catch(() => 0)) === 200, 50_000)
  // Whoever is sent to it as soon as it is ready finds it listening.
  expect(await status(schools)).toBe(200)
  return { child, schools, readyz, status }
}

/** A call over a connection that is kept open, as a proxy makes it. */
const proxied = (url: string, agent: Agent, headers = {}) =>
  new Promise<number | undefined>((resolve, reject) => {
    httpGet(url, { agent, headers: { cookie, ...headers } }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode))
    }).on('error', reject)
  })

test('people whose calls are under way when the api is told to stop get their answers, and nobody is cut off', async () => {
  const { child, schools, readyz, status } = await startApi(4)
  const exited = once(child, 'exit')
  const agent = new Agent({ keepAlive: true })
  expect(await proxied(schools, agent)).toBe(200)

  const holder = await portal.owner.connect()
  onTestFinished(() => holder.release(true))
  await holder.query('begin; lock table schools in access exclusive mode')
  const underWay = [status(schools), proxied(schools, agent)]
  await untilLocked(portal.db.pool, { count: underWay.length })
  child.kill('SIGTERM')
  // Readiness falls first, while new calls are still served.
  await until(async () => (await status(readyz)) === 503)
  expect(await status(schools.replace('/admin/schools/list', '/session'))).toBe(200)
  expect(await proxied(schools.replace('/admin/schools/list', '/session'), agent)).toBe(200)
  await holder.query('rollback')
  expect(await Promise.all(underWay)).toEqual([200, 200])
  // Calls that come until the listener is closed are answered, or find it closed. None is cut.
  const late: unknown[] = []
  await until(async () => {
    const answer = await status(schools).catch((error) => error.cause?.code)
    late.push(answer)
    return answer === 'ECONNREFUSED'
  })
  expect(new Set(late)).toEqual(new Set([200, 'ECONNREFUSED']))
  const [code] = await exited
  expect(code).toBe(0)
})

test('a proxy that repeats reads elsewhere loses its reads before the listener closes, while changes are still saved', async () => {
  const { child, schools } = await startApi(6)
  const agent = new Agent()
  const read = () =>
    proxied(schools, agent, { 'X-Repeats-Reads': 'reads' }).catch((error) => error.code as string)
  expect(await read()).toBe(200)
  child.kill('SIGTERM')
  // For half of the time it serves as before, because another api may just have come back.
  expect(await read()).toBe(200)
  await until(async () => (await read()) === 'ECONNRESET')
  const [, token = ''] = /XSRF-TOKEN=([^;]+)/.exec(cookie) ?? []
  const names = { first_name: 'Awa', last_name: 'Keïta' }
  const saved = await fetch(
    schools.replace('/admin/schools/list', `/users/profile/update/${officer.user.id}`),
    {
      method: 'PUT',
      headers: {
        cookie,
        'content-type': 'application/json',
        'x-requested-with': 'XMLHttpRequest',
        'x-xsrf-token': decodeURIComponent(token),
      },
      body: JSON.stringify(names),
    },
  )
  expect(saved.status).toBe(200)
  // A proxy that has no other api is answered until the end.
  expect(await proxied(schools, agent)).toBe(200)
})
