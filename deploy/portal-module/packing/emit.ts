import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PackedFile } from './tarball.ts'

/** The repository's root folder. */
export const root = join(import.meta.dirname, '../../..')

/** Tests and their helpers, which partners do not need. */
const left = /\.test\.tsx?$|(^|\/)test-[a-z-]+\.tsx?$|vitest|babel-core\.d\.ts$/

/** The source files of a package that are compiled for partners. */
export const sourcesOf = (folder: string): string[] =>
  readdirSync(join(root, folder, 'src'), { recursive: true })
    .map(String)
    .filter((name) => /\.tsx?$/.test(name) && !left.test(name))
    .sort()
    .map((name) => join(root, folder, 'src', name))

/**
 * Compiles sources for a package outside the workspaces, because Node strips no types below node_modules. JSX and macros
 * are kept for the build of the module.
 */
export async function emit(sources: string[], options: Record<string, unknown> = {}): Promise<PackedFile[]> {
  const out = await mkdtemp(join(tmpdir(), 'portal-emit-'))
  try {
    const project = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        noCheck: true,
        declaration: true,
        rewriteRelativeImportExtensions: true,
        jsx: 'preserve',
        allowJs: false,
        checkJs: false,
        rootDir: root,
        outDir: join(out, 'files'),
        typeRoots: [join(root, 'node_modules/@types')],
        ...options,
      },
      include: [],
      files: sources,
    }
    await writeFile(join(out, 'tsconfig.json'), JSON.stringify(project))
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    await promisify(execFile)(process.execPath, [compiler, '-p', join(out, 'tsconfig.json')], {
      cwd: root,
    }).catch((fault: { stdout?: string; message: string }) => {
      throw new Error(`The packages could not be compiled.\n${fault.stdout || fault.message}`)
    })
    const names = readdirSync(join(out, 'files'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    return await Promise.all(
      names.sort().map(async (path) => ({
        path: path.slice(join(out, 'files').length + 1).replaceAll('\\', '/'),
        content: Buffer.from(withoutTypeScriptEndings(path, await readFile(path, 'utf8'))),
      })),
    )
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

/** Rewrites the imports in declarations. The compiler only rewrites those in scripts. */
const withoutTypeScriptEndings = (path: string, text: string) =>
  path.endsWith('.d.ts') ? text.replace(/((?:from|import\()\s*['"]\.[^'"]*)\.tsx?(['"])/g, '$1.js$2') : text
