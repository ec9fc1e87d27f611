import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { compileWords } from '@portal/i18n/module-catalogs'
import { deprecations, renamedFields } from '@portal/sdk/deprecations'
import type { ByHand } from './source.ts'

/** What a name of the contract is called now, for a complaint of the compiler that names it. */
function insteadOf(message: string): string | undefined {
  const named = new Set([...message.matchAll(/'"?([^'"]+)"?'/g)].map(([, name]) => name))
  const field = renamedFields.find(({ name }) => named.has(name))
  if (field) return `Write ${field.instead}.`
  const moved = deprecations.find(({ name }) => named.has(name))
  return moved && `Import it from ${moved.to}.`
}

/** The compiler of a module; undefined where it has none, or no settings for it. */
function compilerOf(dir: string): string | undefined {
  if (!existsSync(join(dir, 'tsconfig.json'))) return undefined
  try {
    const found = createRequire(join(dir, 'package.json')).resolve('typescript/package.json')
    return join(dirname(found), 'bin/tsc')
  } catch {
    return undefined
  }
}

/** What the compiler finds in a module by the types of the installed contract: of that contract, and how much else. */
export async function askCompiler(dir: string): Promise<{ left: ByHand[]; others: number }> {
  const compiler = compilerOf(dir)
  if (!compiler) return { left: [], others: 0 }
  await compileWords(dir)
  const args = [compiler, '--noEmit', '--pretty', 'false', '-p', '.']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: dir }).catch(
    (fault: { stdout: string }) => fault,
  )
  const found = [...stdout.matchAll(/^(.+)\((\d+),\d+\): error TS\d+: (.+)$/gm)]
  const left = found.flatMap(([, file = '', line, message = '']) => {
    const instead = insteadOf(message)
    return instead ? [{ file, line: Number(line), text: `${message} ${instead}` }] : []
  })
  return { left, others: found.length - left.length }
}
