import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { BuiltModule } from '@portal/build/build-module'
import { sourcesByWeight } from '@portal/build/maps'
import { type Candidate, Surroundings } from '@portal/sdk/gates/candidate'
import { sentOf } from '@portal/sdk/gates/file-names'
import { shellOffer } from '@portal/sdk/gates/offer'
import { heavyFiles } from '@portal/sdk/gates/weights'
import { kib } from '@portal/sdk/weights'
import * as v from 'valibot'
import { type Check, type Portal, PortalRefusal } from './portal.ts'
import { Refusal } from './refusal.ts'

/** A built module as the gates take it: with what is live in the portal, or without one with what these packages offer. */
export async function candidateOf(built: BuiltModule, checks: Check[], portal?: Portal): Promise<Candidate> {
  const { folder, record } = built
  return {
    details: record,
    text: await readFile(join(folder, 'build.json'), 'utf8'),
    files: await filesOf(built),
    checks,
    ...(portal ? await askedOf(portal, built) : withoutPortal()),
  }
}

async function filesOf({ folder, record }: BuiltModule): Promise<Candidate['files']> {
  const files = Object.keys(sentOf(record)).map(async (path) => {
    const content = await readFile(join(folder, path))
    const br = await readFile(join(folder, `${path}.br`)).catch(() => null)
    return [path, { content, packed: br && { br } }] as const
  })
  return new Map(await Promise.all(files))
}

async function askedOf(portal: Portal, { record: { name, version } }: BuiltModule): Promise<Surroundings> {
  const path = `/registry/modules/${name}/surroundings/${encodeURIComponent(version)}`
  const found = await portal.getNamed<object>(path).catch((fault) => {
    if (!(fault instanceof PortalRefusal)) throw fault
    // A key that the portal does not know yet only costs the names of other teams.
    if (fault.status === 401 || fault.status === 403) return portal.get<object>(path)
    if (fault.status !== 404) throw fault
    throw new Refusal(
      `${portal.address} is older than this command and does not say what a module meets: use the portal-module of that portal (npm run sdk:pack there).`,
    )
  })
  return v.parse(Surroundings, found)
}

/** The portal that these packages were packed by, with nothing else in it. */
function withoutPortal(): Surroundings {
  const require = createRequire(import.meta.url)
  const versionOf = (name: string) => (require(`${name}/package.json`) as { version: string }).version
  return { shells: [shellOffer(versionOf)], own: [], others: [] }
}

/** The three heaviest sources of each file that is too heavy. Their sizes are before compression. */
export async function insideOf({ folder }: BuiltModule, candidate: Candidate): Promise<string> {
  const files = await Promise.all(
    heavyFiles(candidate).map(async (path) => {
      const code = await readFile(join(folder, path), 'utf8')
      const found = (await sourcesByWeight(folder, path, code)).slice(0, 3)
      const named = found.map(({ name, bytes }) => `${name} (${kib(bytes)})`)
      return named.length ? [`Before compression ${path} is mostly ${named.join(', ')}.`] : []
    }),
  )
  return files.flat().join(' ')
}
