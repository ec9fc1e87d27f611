import { isKey } from '@portal/sdk/gates/file-names'
import { ModuleBuild, RegistryModule } from '@portal/sdk/manifest'
import { mapsFile } from '@portal/sdk/registry'
import * as v from 'valibot'
import { RegistryRefusal } from './refusals.ts'
import { BuildRecord, type Entry } from './schemas.ts'
import { integrityLike } from './signing.ts'
import type { Store } from './store.ts'
import { readStored } from './stored-json.ts'

/** Keys of a build's files begin with this. */
export const buildFolder = (name: string, build: string): string => `modules/${name}/${build}`

const recordKey = ({ name, version, build, release }: BuildRecord) =>
  `builds/${name}/${release ? `${version}+${build}` : version}.json`

export type Builds = ReturnType<typeof openBuilds>

/** All published builds. The record of a version is created once, and creating it publishes the build. */
export function openBuilds(store: Store) {
  const cache = new Map<string, BuildRecord>()

  async function readRecord(key: string): Promise<BuildRecord | null> {
    const known = cache.get(key)
    if (known) return known
    const found = await readStored(store, key, BuildRecord)
    if (found) cache.set(key, found)
    return found
  }

  async function list(name: string): Promise<BuildRecord[]> {
    const found = await Promise.all((await store.list(`builds/${name}`)).map(readRecord))
    return found.filter((record) => record !== null)
  }

  /** The modules of which something was published. */
  const names = async (): Promise<string[]> => [
    ...new Set((await store.list('builds')).map((key) => key.split('/')[1] ?? '')),
  ]

  /** False if the version already exists; `ofVersion` then returns its record. */
  const publish = (record: BuildRecord): Promise<boolean> =>
    store.create(recordKey(record), JSON.stringify(v.parse(BuildRecord, record)))

  const ofBuild = async (name: string, build: string) =>
    (await list(name)).find((record) => record.build === build) ?? null

  /** Finds a build by version, or by version and build (`1.0.0+0123456789ab`) if a version was built more than once. */
  async function ofVersion(name: string, version: string): Promise<BuildRecord | null> {
    const [plain, build] = version.split('+')
    const found = (await list(name)).filter(
      (record) => record.version === plain && (build === undefined || record.build === build),
    )
    if (found.length < 2) return found[0] ?? null
    const each = found.map((record) => `${record.version}+${record.build}`).join(', ')
    throw new RegistryRefusal(409, `${name} ${version} was built more than once: say which, ${each}.`)
  }

  /** Whoever asks may have sent the names, so odd ones are of no build. */
  async function text(name: string, build: string): Promise<string | null> {
    const key = `${buildFolder(name, build)}/build.json`
    return isKey(key) ? ((await store.read(key))?.toString() ?? null) : null
  }

  async function details(name: string, build: string): Promise<ModuleBuild | null> {
    const found = await text(name, build)
    const parsed = found === null ? null : v.safeParse(ModuleBuild, parse(found))
    return parsed?.success ? parsed.output : null
  }

  /** The `build.json` of a published build, if it is the one that was signed. */
  async function sealed(name: string, build: string): Promise<ModuleBuild | null> {
    const [record, found] = [await ofBuild(name, build), await text(name, build)]
    const isSealed = record && found !== null && integrityLike(record.integrity, found) === record.integrity
    return isSealed ? details(name, build) : null
  }

  /** The source maps of a published build, if they are those that were signed with it. */
  async function maps(name: string, build: string): Promise<Buffer | null> {
    const { maps: expected } = (await sealed(name, build)) ?? {}
    const found = expected ? await store.read(`${buildFolder(name, build)}/${mapsFile}`) : null
    return expected && found && integrityLike(expected, found) === expected ? found : null
  }

  /** The texts of a published build: its record and its scripts. */
  async function* texts(name: string, build: string): AsyncGenerator<string> {
    const record = await text(name, build)
    const { files = {} } = (await details(name, build)) ?? {}
    if (record !== null) yield record
    for (const file of Object.keys(files).filter((each) => each.endsWith('.js'))) {
      const found = await store.read(`${buildFolder(name, build)}/${file}`)
      if (found) yield found.toString()
    }
  }

  return { list, names, publish, ofBuild, ofVersion, text, texts, details, sealed, maps }
}

/** The entry of a build in the registry. `previous` is offered when this build cannot be loaded. */
export function asModule(
  details: ModuleBuild,
  { integrity, signature }: Pick<BuildRecord, 'integrity' | 'signature'>,
  previous: RegistryModule['previous'],
): RegistryModule {
  return v.parse(RegistryModule, { ...details, integrity, previous, signature })
}

/** The live builds of a module, one for each major of the contract. */
export const buildsOf = (entry: RegistryModule): Omit<RegistryModule, 'beside'>[] => [
  entry,
  ...(entry.beside ?? []),
]

/** The ids of all builds of a module that somebody may run: live ones, those before them, and a canary. */
export const buildsInUse = (entry: Entry): string[] =>
  [...buildsOf(entry), entry.canary?.module]
    .flatMap((each) => [each?.build, each?.previous?.build])
    .filter((build) => build !== undefined)

/** What is stored of a build when another replaces it. */
export const asPrevious = ({
  version,
  build,
  integrity,
}: Omit<RegistryModule, 'beside'>): RegistryModule['previous'] => ({
  version,
  build,
  integrity,
})

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
