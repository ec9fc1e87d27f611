import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { BuiltModule } from '@portal/build/build-module'
import { compress, filesBelow, integrities, writeAtomically } from '@portal/build/files'
import { some } from '@portal/sdk/gates/candidate'
import { oldestWithRuntime } from '@portal/sdk/majors'
import { ModuleBuild } from '@portal/sdk/manifest'
import * as v from 'valibot'
import { Refusal } from '../refusal.ts'
import type { Given } from '../settings.ts'
import { type Answers, collectAnswers } from './ask.ts'
import { type FederationManifest, readFederationManifest } from './manifest.ts'

/** Files that are copied: the types that the portal serves. Pages, source maps and files of tools are left out. */
const served = /\.(js|css|svg|png|jpg|webp|woff2|txt)$|^mf-manifest\.json$/

/**
 * Makes a publishable folder from a remote that was built without the portal's packages: its files, compressed, and a
 * `build.json` with the hash of each.
 */
export async function importRemote(
  source: string,
  values: Given['values'],
  dir: string,
): Promise<BuiltModule> {
  const folder = resolve(dir, source)
  const manifest = await readFederationManifest(folder)
  const [only, ...others] = manifest.exposes
  const version = manifest.metaData.buildInfo?.buildVersion
  const answers = await collectAnswers(values, {
    ...(only && others.length === 0 && { expose: only.path }),
    ...(version && /^\d+\.\d+\.\d+$/.test(version) && { release: version }),
  })
  const place = resolve(dir, values.to ?? answers.name)
  await refuseOthers(place)
  await mkdir(dirname(place), { recursive: true })
  const staged = await mkdtemp(`${place}.`)
  try {
    for (const file of filesBelow(folder).filter((each) => served.test(each)))
      await cp(join(folder, file), join(staged, file))
    const record = describe(manifest, answers, await integrities(staged))
    await writeAtomically(join(staged, 'build.json'), JSON.stringify(record))
    await compress(staged)
    await rm(place, { recursive: true, force: true })
    await cp(staged, place, { recursive: true })
    return { folder: place, record, fresh: true }
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
}

/** The folder is replaced as a whole, so it may hold nothing but what was imported before. */
async function refuseOthers(place: string): Promise<void> {
  if (!existsSync(place)) return
  const imported = await readImported(place).catch(() => null)
  if (!imported)
    throw new Refusal(`${place} is there and is no imported remote: choose another folder with --to.`)
  const own = new Set(['build.json', ...Object.keys(imported.record.files)])
  const others = filesBelow(place).filter(
    (file) => !own.has(file) && !own.has(file.replace(/\.(br|gz)$/, '')),
  )
  if (others.length)
    throw new Refusal(
      `${place} has files that were not imported: ${some(others)}. Choose another folder with --to, or move them away.`,
    )
}

function describe(manifest: FederationManifest, answers: Answers, files: ModuleBuild['files']): ModuleBuild {
  const { name, address, permission, expose, release: version, owner, contact } = answers
  const exposed = manifest.exposes.find(({ path }) => path === expose)
  if (!exposed) {
    const there = manifest.exposes.map(({ path }) => path).join(', ')
    throw new Refusal(`${manifest.name} does not expose ${expose}: it has ${there}.`)
  }
  const { globalName = manifest.name, remoteEntry } = manifest.metaData
  const title = { en: answers['title-en'], fr: answers['title-fr'] }
  const written = {
    ...{ name, title, version, permission },
    owner: { name: owner, contact },
    contract: `^${oldestWithRuntime()}`,
    routes: [address],
    nav: [{ path: address, label: title, icon: 'modules', order: 90, permission }],
    entry: join(remoteEntry.path, remoteEntry.name).replaceAll('\\', '/'),
    remote: { name: globalName, expose },
    files,
    preloads: { [address]: exposed.assets.js.sync },
    shared: sharedOf(manifest),
    sources: [manifest.name],
  }
  const build = createHash('sha256').update(JSON.stringify(written)).digest('hex').slice(0, 12)
  const record = v.safeParse(ModuleBuild, { ...written, build, base: `/modules/${name}/${build}/` })
  if (record.success) return record.output
  const [fault] = record.issues
  throw new Refusal(`${v.getDotPath(fault) ?? ''}: ${fault.message}`)
}

/** The minimum versions of React and react-dom. A remote lists react-dom only if it uses it. */
function sharedOf({ shared }: FederationManifest): Record<string, string> {
  const wanted = shared.filter(({ name }) => name === 'react' || name === 'react-dom')
  return Object.fromEntries(
    wanted.map(({ name, version, requiredVersion }) => {
      const range = typeof requiredVersion === 'string' ? requiredVersion.replace(/^[\^~]/, '') : ''
      return [name, /^\d+\.\d+\.\d+$/.test(range) ? range : (version ?? '')]
    }),
  )
}

/** Reads the imported remote in a folder; null if there is none. */
export async function readImported(dir: string): Promise<BuiltModule | null> {
  const file = join(dir, 'build.json')
  if (!existsSync(file)) return null
  const record = v.safeParse(ModuleBuild, JSON.parse(await readFile(file, 'utf8')))
  return record.success && record.output.remote ? { folder: dir, record: record.output, fresh: false } : null
}
