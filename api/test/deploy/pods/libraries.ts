import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Copies the C and C++ libraries of this machine that Node and the native parts of `programs` need into a root folder. */
export function copyLibraries(to: string, programs: string) {
  const files = readdirSync(programs, { recursive: true, encoding: 'utf8' })
  const native = files.filter((path) => /\.node$/.test(path)).map((path) => join(programs, path))
  const needed = execFileSync('ldd', [realpathSync(process.execPath), ...native], { encoding: 'utf8' })
  for (const [library] of needed.matchAll(/(?<=\s)\/lib\S+/g)) {
    mkdirSync(join(to, dirname(library)), { recursive: true })
    cpSync(realpathSync(library), join(to, library))
  }
}
