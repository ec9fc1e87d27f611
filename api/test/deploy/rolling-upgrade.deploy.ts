import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openDb } from '../../src/kit/database/db.ts'
import { addPeople, addRound } from '../people.ts'
import { until } from '../portal.ts'
import { startAgency } from '../transfers/agencies/agency.ts'
import { startDebianPostgres } from './debian-postgres.ts'
import { openBrowser, type Section, type Visitor } from './shape/browser.ts'
import { addAccount, Crowd } from './shape/crowd.ts'
import type { Person } from './shape/person.ts'
import { makePlace } from './shape/place.ts'
import { type Release, type Server, startServers, thisRelease } from './shape/servers.ts'
import { hasHistory, sourcesOf, versionBefore } from './version-before.ts'

const recipients = 900
const { folder, atEnd } = makePlace()
const debian = await startDebianPostgres()

/** The hashed files of what a release has made live, as addresses. Older builds in its folder are not part of it. */
function filesOf(release: Release): string[] {
  const dist = join(release, 'dist')
  const { modules } = JSON.parse(readFileSync(join(dist, 'modules.json'), 'utf8'))
  const folders = [
    ['shell/assets', '/assets'],
    ['external/assets', '/external/assets'],
    ...modules.map(({ name, build }: { name: string; build: string }) => [
      `modules/${name}/${build}`,
      `/modules/${name}/${build}`,
    ]),
  ]
  return folders.flatMap(([at = '', address]) =>
    readdirSync(join(dist, at), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(js|css|woff2|svg|png)$/.test(entry.name))
      .map((entry) => `${address}${join(entry.parentPath, entry.name).slice(join(dist, at).length)}`),
  )
}

const pages = ['/login', '/home', '/admin/schools', '/admin/transfers/cohorts', '/external/cases/x']
/** Files that a page names. */
const namedBy = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(/(?:src|href)="(\/[^"?#]*\.(?:js|css|json|svg|woff2))"/g)].map(([, at = '']) => at),
  ),
]

const sections: Section[] = ['Users', 'Cases', 'Schools and people', 'Transfers']

/** Somebody who comes now: each section by its link, and then loaded anew from whichever api answers. */
async function walkAll(visitor: Visitor) {
  for (const section of sections) {
    await visitor.visit(section)
    await visitor.reload(section)
  }
}

/** Asks each api for every file of both releases, and for what its pages name. Returns what was not answered. */
async function unanswered(person: Person, apis: readonly Server[], releases: readonly Release[]) {
  const files = new Set(releases.flatMap(filesOf))
  for (const { port } of apis)
    for (const path of pages) {
      const page = await person.page(path, `http://127.0.0.1:${port}`)
      expect([path, page.status]).toEqual([path, 200])
      for (const name of namedBy(page.text)) files.add(name)
    }
  const missing: string[] = []
  for (const { port, program } of apis)
    for (const path of files) {
      const { status } = await person.page(path, `http://127.0.0.1:${port}`)
      if (status !== 200) missing.push(`${program.recipe.name} ${path} ${status}`)
    }
  return { asked: files.size, missing }
}

test.runIf(hasHistory())(
  'a release is rolled out and rolled back server by server, and not one call of those at work fails',
  {
    timeout: 900_000,
  },
  async () => {
    const before = sourcesOf(versionBefore())
    execFileSync(process.execPath, ['shared/build/src/build-all.ts'], { cwd: before, stdio: 'ignore' })
    const agency = await startAgency()
    atEnd(() => agency.close())
    const database = await debian.database('portal')
    const options = { folder, ...database, agencyHost: agency.host, release: before, atEnd }
    const servers = await startServers(options)
    servers.command('api/src/commands/migrate.ts', [], before)
    const db = openDb(database.appUrl, 2)
    const { officer } = await addPeople(db, recipients, agency.url)
    const owner = new pg.Client({ connectionString: database.ownerUrl })
    await owner.connect()
    const [administrator, approver] = [
      await addAccount(owner, 'Administrator'),
      await addAccount(owner, 'Transfer Approver'),
    ]
    await owner.end()
    await servers.start(before)
    await agency.set({ latency_ms: 3000 })
    const { cohort } = await addRound(db, officer, recipients, 'Paid through a release')
    await db.pool.end()

    const crowd = new Crowd(servers)
    const lists = ['/admin/schools/list', '/admin/schools/students/list?search=ele', '/home/statistics']
    const looker = await crowd.person(administrator)
    crowd.look(looker, lists, 15)
    crowd.look(await crowd.person(administrator), ['/admin/users/audit/logs', '/notifications'], 10)
    crowd.look(await crowd.person(approver), [`/admin/transfers/cohorts/${cohort}/progress`], 15)
    await crowd.edit(await crowd.person(administrator), 250)
    // One page is opened with the release before and never loaded again; each section is a module that it has not asked for yet.
    const signIn = await openBrowser(servers.url, atEnd)
    const open = await signIn(administrator)
    await open.visit('Users')
    const comer = await signIn(administrator)
    await walkAll(comer)
    const began = performance.now()

    const moveTo = async (server: Server, release: Release) => {
      server.release = release
      await server.program.stop('SIGTERM')
      server.program.start()
      await server.program.ready()
    }
    const [api1, api2] = servers.apis as [Server, Server]
    // What is new runs first, once: modules and files into the store, then the migrations.
    servers.command('deploy/registry/src/command.ts', ['release'])
    const prepared = servers.command('api/src/commands/prepare.ts')
    expect(prepared).toMatch(/applied \d{4}_/)
    await moveTo(api1, thisRelease)
    // One api is new, the other one is not: each serves the files of both.
    const mixed = await unanswered(looker, servers.apis, [before, thisRelease])
    expect(mixed.missing).toEqual([])
    await open.visit('Cases')
    await walkAll(comer)
    await moveTo(api2, thisRelease)
    for (const worker of servers.workers) await moveTo(worker, thisRelease)

    await open.visit('Schools and people')
    await walkAll(comer)
    const rolledOut = performance.now()
    servers.command('deploy/registry/src/command.ts', ['release'], before)
    await moveTo(api1, before)
    const mixedAgain = await unanswered(looker, servers.apis, [before, thisRelease])
    expect(mixedAgain.missing).toEqual([])
    await open.visit('Transfers')
    await walkAll(comer)
    await moveTo(api2, before)
    for (const worker of servers.workers) await moveTo(worker, before)
    const rolledBack = performance.now()
    for (const section of sections) await open.visit(section)
    await walkAll(comer)

    await agency.set({ latency_ms: 20 })
    const reader = await new Crowd(servers).person(approver)
    atEnd(() => reader.close())
    await until(async () => {
      const { round } = (await reader.read(`/admin/transfers/cohorts/${cohort}/progress`)).body
      return round.pending === 0 && round.unknown === 0
    }, 120_000)
    await crowd.stop()
    const seconds = (performance.now() - began) / 1000
    process.stdout.write(
      `${crowd.calls} calls (${(crowd.calls / seconds).toFixed(0)}/s), ${crowd.edits} edits, failures: ${JSON.stringify([...crowd.seen])}; rolled out in ${((rolledOut - began) / 1000).toFixed(0)} s, back in ${((rolledBack - rolledOut) / 1000).toFixed(0)} s; ${mixed.asked} files of both releases by both; ${open.visits} pages in a browser that was open all the time, ${comer.visits} in one that loads them anew\n`,
    )
    expect([...crowd.seen]).toEqual([])
    expect(crowd.faults).toEqual([])
    expect(open.faults).toEqual([])
    expect(comer.faults).toEqual([])
    expect(crowd.calls / seconds).toBeGreaterThan(30)
    const ledger = await agency.ledger()
    expect(ledger.filter(({ executed }) => executed !== 1)).toEqual([])
    expect(ledger).toHaveLength(recipients)
  },
)
