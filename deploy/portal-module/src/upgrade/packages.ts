import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { addPackages, archivesIn, isArchive } from '../new.ts'

type Lock = { packages?: Record<string, { integrity?: string }> }

/**
 * Takes the portal's packages from a folder into `vendor/`, and asks for them in package.json. In the lock file what is not
 * these very bytes is forgotten: npm would keep a package of the same version without a word. Returns what was changed.
 */
export async function takePackages(dir: string, vendor: string): Promise<string[]> {
  const from = resolve(dir, vendor)
  const to = join(dir, 'vendor')
  const manifest = await readFile(join(dir, 'package.json'), 'utf8')
  // The test portal is for teams that test in a browser.
  const archives = archivesIn(from).filter(
    ([name]) => name !== '@portal/stage' || manifest.includes(`"${name}"`),
  )
  await mkdir(to, { recursive: true })
  if (from !== to) {
    const wanted = archives.map(([, file]) => file)
    for (const file of await readdir(to))
      if (isArchive(file) && !wanted.includes(file)) await rm(join(to, file))
    for (const file of wanted) await copyFile(join(from, file), join(to, file))
  }
  await addPackages(join(dir, 'package.json'), archives)
  const forgotten = await forgetOthers(join(dir, 'package-lock.json'), to, archives)
  const after = await readFile(join(dir, 'package.json'), 'utf8')
  return [
    `vendor/: ${archives.map(([, file]) => file).join(', ')}`,
    ...(after === manifest ? [] : ['package.json: asks for them']),
    ...(forgotten
      ? [`package-lock.json: ${forgotten} of them have new hashes, which npm install writes`]
      : []),
  ]
}

async function forgetOthers(file: string, folder: string, archives: [name: string, file: string][]) {
  if (!existsSync(file)) return 0
  const lock = JSON.parse(await readFile(file, 'utf8')) as Lock
  const { packages = {} } = lock
  let forgotten = 0
  for (const [name, archive] of archives) {
    const key = `node_modules/${name}`
    const hash = createHash('sha512').update(await readFile(join(folder, archive)))
    if (!packages[key] || packages[key].integrity === `sha512-${hash.digest('base64')}`) continue
    delete packages[key]
    forgotten += 1
  }
  if (forgotten) await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`)
  return forgotten
}
