import type { ModuleBuild } from '../manifest.ts'
import { mapsFile } from '../registry.ts'

/** Whether a key of a store is valid: names with letters, digits and `@ . _ + -` that do not start with a dot. */
export const isKey = (key: string): boolean =>
  key.length < 500 && key.split('/').every((part) => /^[\w@+-][\w@.+-]*$/.test(part))

/** Everything that is stored of a build, with its hashes: its files, and the source maps beside them. */
export const sentOf = ({ files, maps }: Pick<ModuleBuild, 'files' | 'maps'>): Record<string, string> => ({
  ...files,
  ...(maps && { [mapsFile]: maps }),
})

const version = /^\d+\.\d+\.\d+(-[\w.-]+)?$/

/** Why a build cannot be stored, with what to do; null if it can. */
export function faultOfFiles(
  build: Pick<ModuleBuild, 'name' | 'build' | 'base' | 'version' | 'files'>,
): string | null {
  const place = `/modules/${build.name}/${build.build}/`
  if (build.base !== place) return `build.json: base is ${build.base}, not ${place}: build again.`
  if (!version.test(build.version))
    return `The version ${build.version} is none: write it 1.2.3 in package.json.`
  const odd = Object.keys(build.files).find(
    (path) => !isKey(path) || /\.(br|gz)$/.test(path) || path === 'build.json',
  )
  return odd || Object.keys(build.files).length > 500
    ? `build.json names ${odd ?? 'more than 500 files'}: letters, digits, . _ - and no more than 500 files.`
    : null
}
