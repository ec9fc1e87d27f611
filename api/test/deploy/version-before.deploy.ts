import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startApiProcess } from '../api-process.ts'
import type { Client } from '../client.ts'
import { recipient, startStage } from '../cohorts.ts'
import { until } from '../portal.ts'
import { spawnWorker } from '../transfers/agencies/agency.ts'
import { hasHistory, sourcesOf, versionBefore } from './version-before.ts'

const stage = await startStage(20)
const { portal, agency, officer, approver } = stage

type Call = { parameters?: { in: string; required?: boolean }[] }

/** Paths that are read without an id and without a required part. */
function readsOf(folder: string): string[] {
  const { paths } = JSON.parse(readFileSync(join(folder, 'docs/openapi.json'), 'utf8')) as {
    paths: Record<string, { get?: Call }>
  }
  return Object.entries(paths).flatMap(([path, { get }]) =>
    get && !path.includes('{') && !get.parameters?.some(({ required }) => required) ? [path] : [],
  )
}

test.runIf(hasHistory())(
  'people go on with the release before on the database of this one, and its worker pays to the franc',
  {
    timeout: 400_000,
  },
  async () => {
    const version = versionBefore()
    const folder = sourcesOf(version)
    const [{ child, url }, worker] = [
      // All calls of the api in a row are more than a person makes.
      await startApiProcess(portal, { PORTAL_CALLS_PER_SECOND: '1000' }, folder),
      spawnWorker(portal.settings, undefined, folder),
    ]
    onTestFinished(() => {
      child.kill('SIGKILL')
      worker.kill('SIGKILL')
    })
    const as = (person: Client) => {
      const headers = {
        cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': decodeURIComponent(person.cookies.get('XSRF-TOKEN') ?? ''),
      }
      return async (method: string, path: string, body?: unknown) => {
        const json = { 'content-type': 'application/json' }
        const answer = await fetch(`${url}${path}`, {
          method,
          headers: { ...headers, ...(body !== undefined && json) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        return { status: answer.status, body: await answer.json().catch(() => null) }
      }
    }
    const administrator = as(await portal.signedInAs('Administrator'))
    await until(
      async () => (await administrator('GET', '/session').catch(() => null))?.status === 200,
      60_000,
    )

    // Every list, figure and page that it reads.
    const reads = readsOf(folder)
    const answers = []
    for (const path of reads) answers.push({ path, status: (await administrator('GET', path)).status })
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0.9 * reads.length)

    // What it writes: a role, an own choice, a decision about money, and all that its worker does with it.
    const role = await administrator('POST', '/admin/roles', { name: 'Visitors' })
    expect(role).toMatchObject({ status: 200 })
    expect((await administrator('PUT', '/start-page', { start: '/admin/schools/list' })).status).toBe(200)
    const id = await stage.imported('Across releases', [recipient(1), recipient(2), recipient(3)])
    const decided = await as(approver)('POST', `/admin/transfers/cohorts/${id}/approve`, {
      action: 'approved',
    })
    expect(decided).toMatchObject({ status: 200 })
    const ended = await stage.progress(id, ({ round }) => round?.pending === 0 && round.unknown === 0, 60_000)
    expect(ended.round).toMatchObject({ total: 3, success: 3, failed: 0 })
    const moved = (await agency.ledger()).reduce((sum, { amount, executed }) => sum + amount * executed, 0)
    expect((await stage.cohort(id)).transfer_cohort_stats).toMatchObject({ total_amount_disbursed: moved })
    // This release reads what the other one wrote.
    expect((await officer.get(`/admin/transfers/cohorts/${id}/summary`)).status).toBe(200)
  },
)
