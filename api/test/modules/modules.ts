import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PortalRegistry } from '@portal/registry'
import { publishRelease } from '@portal/registry/release'
import { makeKey } from '@portal/registry/release-key'

const key = { id: 'release-test', jwk: makeKey() }
const hashOf = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`
const label = (text: string) => ({ en: text, fr: text })

type Given = {
  name: string
  version: string
  title?: { en: string; fr: string }
  routes?: string[]
  permissions?: { name: string; label: { en: string; fr: string } }[]
  first_day?: {
    id: string
    title: { en: string; fr: string }
    text: { en: string; fr: string }
    permission: string
    link: string
    done?: { type: string; events: string[] }
    order: number
  }[]
  backends?: { name: string; url: string; read: string | string[]; write: string | string[] }[]
  links?: { kind: string; link: string }[]
  collections?: {
    name: string
    read: string | string[]
    write: string | string[]
    fields?: object[]
    totals?: object[]
    version?: number
    changes?: object[]
    import?: string
  }[]
  calls?: string[]
  notices?: object[]
  columns?: object[]
  flags?: object[]
  settings?: object[]
  nav?: object[]
  /** The text of its one script. */
  code?: string
}

/** Publishes modules to a registry like the start of the portal: built, signed, and live in one generation. */
export async function release(registry: PortalRegistry, ...modules: Given[]) {
  const dist = mkdtempSync(join(tmpdir(), 'portal-dist-'))
  const entries = modules.map(({ code, ...given }) => {
    const {
      name,
      version,
      routes,
      permissions = [],
      collections = [],
      links = [],
      first_day = [],
      ...named
    } = given
    const script = code ?? `// ${name} ${version}`
    const build = createHash('sha256').update(script).digest('hex').slice(0, 12)
    const base = `/modules/${name}/${build}/`
    const manifest = {
      name,
      title: label(name),
      owner: { name: 'A team', contact: 'team@portal.example' },
      contract: '^1.0.0',
      routes: routes ?? [`/admin/${name.slice(4)}`],
      nav: [],
      cards: [],
      permissions,
      collections,
      links,
      first_day,
      ...named,
      version,
      build,
      base,
    }
    const files = { 'remoteEntry.js': hashOf(script) }
    const record = JSON.stringify({ ...manifest, entry: 'remoteEntry.js', files, preloads: {} })
    mkdirSync(join(dist, base), { recursive: true })
    writeFileSync(join(dist, base, 'remoteEntry.js'), script)
    writeFileSync(join(dist, base, 'build.json'), record)
    return {
      ...manifest,
      integrity: hashOf(record),
      previous: null,
      disabled: false,
      withheld: null,
      signature: null,
    }
  })
  writeFileSync(join(dist, 'modules.json'), JSON.stringify({ generation: 1, shell: null, modules: entries }))
  const live = await publishRelease(registry, dist, key)
  rmSync(dist, { recursive: true, force: true })
  return live
}

/** Publishes a build of a live module as a canary: people with these roles get it, everybody else what is live. */
export async function tryCanary(registry: PortalRegistry, given: Given, roles: string[]) {
  const entryOf = async () => (await registry.now()).modules.find(({ name }) => name === given.name)
  const live = await entryOf()
  await release(registry, given)
  const module = await entryOf()
  if (!live || !module) throw new Error(`${given.name} is not live`)
  const entry = { ...live, canary: { percent: null, roles, module } }
  await registry.generations.change(undefined, ({ modules }) => ({
    ...{ what: 'canary' as const, by: 'Awa', module: given.name },
    modules: modules.map((each) => (each.name === given.name ? entry : each)),
  }))
}
