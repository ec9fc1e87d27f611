import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Rspack } from '@rsbuild/core'
import { root } from './sources.ts'

/** Ids of a module's own words in each language, read out of its compiled catalogs. */
export function wordsOf(dir: string): Record<'en' | 'fr', string[]> {
  const sources = join(dir, 'src')
  const files = readdirSync(sources, { recursive: true }).map(String)
  const ids = (locale: string) =>
    files
      .filter((file) => file.split(sep).slice(-2).join('/') === `locales/${locale}.ts`)
      .flatMap((file) => Object.keys(messagesIn(readFileSync(join(sources, file), 'utf8'))))
      .sort()
  return { en: ids('en'), fr: ids('fr') }
}

function messagesIn(source: string): object {
  const text = /JSON\.parse\((".*")\)/.exec(source)?.[1]
  return text ? JSON.parse(JSON.parse(text)) : {}
}

type StatsModule = { nameForCondition?: string | null; modules?: StatsModule[] }

/** Packages and folders of which something is inside a build: `@portal/ui`, `react-hook-form`, `mfe-users`. */
export function sourcesOf(dir: string, stats: Rspack.Stats | Rspack.MultiStats | undefined): string[] {
  const json = stats?.toJson({
    all: false,
    modules: true,
    nestedModules: true,
    modulesSpace: Number.POSITIVE_INFINITY,
    nestedModulesSpace: Number.POSITIVE_INFINITY,
  })
  const { name } = JSON.parse(readFileSync(join(dir, 'portal.module.json'), 'utf8')) as { name: string }
  const found = new Set<string>()
  const visit = (module: StatsModule) => {
    const path = module.nameForCondition
    if (path) found.add(path.startsWith(join(dir, 'src')) ? name : nameOf(path))
    for (const inner of module.modules ?? []) visit(inner)
  }
  for (const module of (json?.modules ?? []) as StatsModule[]) visit(module)
  return [...found].sort()
}

function nameOf(path: string): string {
  const packages = path.split(`node_modules${sep}`)
  if (packages.length > 1) {
    const [scope = '', name = ''] = packages.at(-1)?.split(sep) ?? []
    return scope.startsWith('@') ? `${scope}/${name}` : scope
  }
  const [top = '', second = ''] = relative(root, path).split(sep)
  const folder = top === 'shared' ? join(root, top, second) : join(root, top)
  const manifest = join(folder, 'package.json')
  const named = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).name : top
  return named.replace('@portal/mfe-', 'mfe-')
}
