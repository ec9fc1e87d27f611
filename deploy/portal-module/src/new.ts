import { existsSync, readdirSync } from 'node:fs'
import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { Refusal } from './refusal.ts'

const template = join(import.meta.dirname, '../template')

/** Packages that are needed to build a module. They become devDependencies, the others dependencies. */
const forBuilding = new Set(['@portal/build', '@portal/module', '@portal/stage'])

/** Derives the subject (`school-health`) and the title (School health) from the name `mfe-school-health`. */
function wordsOf(name: string) {
  const about = name.replace('mfe-', '').replace(/\d+/g, '').replace(/-+$/, '')
  const title = about.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase())
  return { about, title }
}

/** Whether a file is called like an archive of the portal's packages. */
export const isArchive = (file: string): boolean => archiveLike.test(file)

const archiveLike = /^portal-([a-z0-9]+)-\d+\.\d+\.\d+\.tgz$/

/** The archives of the portal's packages in a folder, by package name. */
export function archivesIn(vendor: string): [name: string, file: string][] {
  const found = existsSync(vendor) ? readdirSync(vendor).sort() : []
  const archives = found.flatMap((file): [string, string][] => {
    const name = archiveLike.exec(file)?.[1]
    return name ? [[`@portal/${name}`, file]] : []
  })
  if (archives.length) return archives
  throw new Refusal(
    `${vendor} has no packages of the portal: the portal's team makes them with npm run sdk:pack -- --to ${vendor}; or say where they are: --vendor <folder>.`,
  )
}

/** Makes a new module from the template. The folder's name becomes the name of the module. */
export async function newModule(folder: string | undefined, vendor = 'vendor'): Promise<string> {
  if (!folder) throw new Refusal('Say where: portal-module new ../mfe-something')
  const place = resolve(folder)
  const name = basename(place)
  if (!/^mfe-[a-z][a-z0-9-]*$/.test(name))
    throw new Refusal(`${name} is no name of a module: it is written mfe-something, in small letters.`)
  if (existsSync(place) && readdirSync(place).some((each) => each !== 'vendor'))
    throw new Refusal(`${place} is not empty: choose another folder, or empty it.`)
  const archives = archivesIn(resolve(vendor))
  const { about, title } = wordsOf(name)
  await mkdir(place, { recursive: true })
  await cp(template, place, { recursive: true })
  for (const file of readdirSync(place, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || file.name.endsWith('.tgz')) continue
    const path = join(file.parentPath, file.name)
    const text = await readFile(path, 'utf8')
    const own = text.replaceAll('starter', about).replaceAll('Starter', title)
    await writeFile(path, own.replaceAll(`mfe-${about}`, name))
  }
  await mkdir(join(place, 'vendor'), { recursive: true })
  if (resolve(vendor) !== join(place, 'vendor'))
    for (const [, file] of archives) await copyFile(join(vendor, file), join(place, 'vendor', file))
  await addPackages(join(place, 'package.json'), archives)
  return [
    `${name} is in ${place}. Next:`,
    `  cd ${relative('.', place) || '.'}`,
    '  npm install',
    '  npm test',
    '  npm run dev',
    'Its name, owner, addresses and permissions are in portal.module.json; the guide is docs/partners.md of the portal, with code in docs/recipes.md.',
  ].join('\n')
}

/** Asks for archives in `vendor/`, which take the place of those that were asked for under the same names. */
export async function addPackages(file: string, archives: [name: string, file: string][]) {
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  for (const [name, archive] of archives) {
    const list = forBuilding.has(name) ? manifest.devDependencies : manifest.dependencies
    list[name] = `file:vendor/${archive}`
  }
  for (const list of ['dependencies', 'devDependencies'])
    manifest[list] = Object.fromEntries(Object.entries(manifest[list]).sort(([a], [b]) => (a < b ? -1 : 1)))
  // The packages ask for each other by version, for which npm would ask a registry.
  manifest.overrides = Object.fromEntries(archives.map(([name]) => [name, `$${name}`]))
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`)
}
