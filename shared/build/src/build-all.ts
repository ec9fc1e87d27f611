import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { buildOnce, forgetCache } from './build-once.ts'
import { sourcesOf, wordsOf } from './contents.ts'
import { compress, filesBelow, lockFolder, writeAtomically } from './files.ts'
import { drawPages } from './pages.ts'
import { chunksOf } from './preloads.ts'
import {
  buildFolder,
  describeModule,
  placeModule,
  publishLocally,
  readManifest,
  readRegistry,
} from './registry.ts'
import { buildId, forgetSources, isUnchanged, root } from './sources.ts'

/** Usage: node shared/build/src/build-all.ts [--only name]: builds what changed into `dist/`. */

const dist = join(root, 'dist')
const keptFor = 30 * 24 * 3600 * 1000

/** One thing to build: a module, the shell, or the page that lives without it. */
type Target = { name: string; dir: string; config: string; build: string; kind: 'module' | 'page' }

function findTargets(): Target[] {
  const target = (dir: string, config: string, kind: Target['kind'], name = basename(dir)): Target => ({
    name,
    dir: join(root, dir),
    config: join(root, dir, config),
    build: buildId(join(root, dir)),
    kind,
  })
  const modules = globSync('mfe-*/portal.module.json', { cwd: root }).map((file) => file.split('/')[0] ?? '')
  return [
    target('shell', 'rsbuild.config.ts', 'page'),
    ...modules.sort().map((dir) => target(dir, 'rsbuild.config.ts', 'module')),
    target('mfe-external', 'rsbuild.standalone.config.ts', 'page', 'external'),
  ]
}

async function isBuilt({ kind, name, build }: Target) {
  if (kind === 'module') return existsSync(join(buildFolder(name, build), 'build.json'))
  const mark = join(dist, name, 'build.txt')
  return existsSync(mark) && (await readFile(mark, 'utf8')) === build
}

/** Builds one target; false when its sources were changed meanwhile, and nothing was put in its place. */
async function build(target: Target): Promise<boolean> {
  const started = performance.now()
  const { default: config } = await import(`${pathToFileURL(target.config).href}?${target.build}`)
  const staged: string = config.output.distPath.root
  const { stats, close } = await buildOnce(target.dir, config)
  const chunks = chunksOf(stats)
  const sources = target.kind === 'module' ? sourcesOf(target.dir, stats) : []
  await close()
  if (!isUnchanged(target.dir)) {
    // The bundler may have read a file before it was saved and cached it with the later time; the cache would be stale.
    await forgetCache(config)
    return false
  }
  if (target.kind === 'module') {
    const bundle = { staged, build: target.build, sources, words: wordsOf(target.dir) }
    const { name } = await describeModule(target.dir, bundle)
    await placeModule(staged, buildFolder(name, target.build))
  } else {
    await drawPages(staged, chunks)
    await placePage(target, staged)
  }
  console.log(`${target.name} built in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return true
}

/** Files keep the names their content gives them, so an open tab still finds the old ones; the pages come last. */
async function placePage({ name, build }: Target, staged: string) {
  const place = join(dist, name)
  await compress(staged)
  const files = filesBelow(staged)
  const pages = files.filter((file) => /^(.+\.html|early\.json)(\.br|\.gz)?$/.test(file))
  await mkdir(join(place, 'assets'), { recursive: true })
  for (const file of files) {
    if (!pages.includes(file)) await cp(join(staged, file), join(place, 'assets', file))
  }
  for (const file of pages) await cp(join(staged, file), join(place, file))
  for (const file of await readdir(place)) {
    if (file.includes('.html') && !pages.includes(file)) await rm(join(place, file))
  }
  await writeAtomically(join(place, 'build.txt'), build)
  await rm(staged, { recursive: true, force: true })
  const now = new Date()
  await Promise.all(
    files
      .filter((file) => !pages.includes(file))
      .map((file) => utimes(join(place, 'assets', file), now, now)),
  )
  await prune(join(place, 'assets'), [])
}

/** Removes what is older than the 30 days for which an open tab may still ask for it. */
async function prune(folder: string, kept: string[]) {
  if (!existsSync(folder)) return
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const old = Date.now() - (await stat(path)).mtimeMs > keptFor
    if (old && !kept.includes(name)) await rm(path, { recursive: true, force: true })
  }
}

/** Catalogs of what is built, of the shared packages bundled into it and of the gallery. A fault ends the build with its sentence. */
async function compileCatalogs(targets: Target[]) {
  const shared = globSync('{shared,deploy}/*/lingui.config.ts', { cwd: root }).map((file) => dirname(file))
  const folders = new Set([...shared, ...targets.map(({ dir }) => basename(dir))])
  const command = [join(root, 'shared/i18n/catalogs.ts'), 'compile', ...folders]
  await promisify(execFile)(process.execPath, command, { cwd: root }).catch((fault: { stderr?: string }) => {
    throw new Error(`The catalogs could not be compiled.\n${(fault.stderr ?? '').split('\n    at ')[0]}`)
  })
}

/** Builds what changed (all, or the named target), then makes the modules current. A fault of one stops no other. */
export async function buildAll(only?: string): Promise<string[]> {
  const release = await lockFolder(dist)
  try {
    const built = new Set<string>()
    for (let attempt = 1; ; attempt += 1) {
      const { done, changing } = await buildChanged(only)
      for (const name of done) built.add(name)
      if (changing.length === 0) return [...built]
      if (attempt === 3) throw new Error(`${changing.join(', ')}: changed while it was built. Build again.`)
      forgetSources()
    }
  } finally {
    await release()
  }
}

async function buildChanged(only?: string): Promise<{ done: string[]; changing: string[] }> {
  const targets = findTargets()
  const wanted = targets.filter((target) => !only || target.name === only)
  const missing: Target[] = []
  const faults: string[] = []
  const changing: string[] = []
  for (const target of wanted) if (!(await isBuilt(target))) missing.push(target)
  if (missing.length) {
    // One run for all is quickest; if one package is at fault, each build finds out about its own.
    const compiled = await compileCatalogs(missing).then(
      () => true,
      () => false,
    )
    // Two at a time: more only compete for the two cores that the smallest machines have.
    const queue = [...missing]
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const target = next
        await (compiled ? Promise.resolve() : compileCatalogs([target]))
          .then(() => build(target))
          .then((steady) => steady || changing.push(target.name))
          .catch((fault: Error) => faults.push(`${target.name}: ${fault.message}`))
      }
    }
    await Promise.all([work(), work()])
  }
  const modules: { name: string; build: string }[] = []
  const before = await readRegistry()
  for (const target of targets.filter((each) => each.kind === 'module')) {
    await readManifest(target.dir)
    if (await isBuilt(target)) modules.push(target)
    else {
      // With --only the others stay at what is served now.
      const unchanged = before?.modules.find((each) => each.name === target.name)
      if (unchanged) modules.push(unchanged)
    }
  }
  const shell = targets.find((target) => target.name === 'shell')
  const shellBuild = shell && (await isBuilt(shell)) ? shell.build : (before?.shell ?? null)
  await publishLocally(
    shellBuild,
    modules.map(({ name, build }) => ({ name, build })),
  )
  for (const { name, build } of modules) {
    const previous = before?.modules.find((each) => each.name === name)
    await prune(join(dist, 'modules', name), [build, previous?.build ?? '', previous?.previous?.build ?? ''])
  }
  if (faults.length) throw new Error(faults.join('\n'))
  return { done: missing.map(({ name }) => name).filter((name) => !changing.includes(name)), changing }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const at = process.argv.indexOf('--only')
  const only = at > 0 ? process.argv[at + 1] : undefined
  const started = performance.now()
  try {
    const built = await buildAll(only)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(built.length ? `Built ${built.length} in ${seconds} s.` : 'Everything is built already.')
  } catch (fault) {
    console.error(fault instanceof Error ? fault.message : fault)
    process.exitCode = 1
  }
}
