import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { compileWords } from '@portal/i18n/module-catalogs'
import { Refusal } from './refusal.ts'

/**
 * Runs a module's tests with Node's test runner. The tests are bundled first, so TypeScript, JSX and macros work on every
 * supported version of Node.
 */
export async function testModule(dir: string): Promise<number> {
  const tests = readdirSync(join(dir, 'src'), { recursive: true })
    .map(String)
    .filter((name) => /\.test\.tsx?$/.test(name))
    .sort()
  if (!tests.length) throw new Refusal('There is no test: write one into src/<something>.test.ts.')
  const faults = await compileWords(dir)
  if (faults.length) throw new Refusal(faults.join('\n'))
  const folder = join(dir, 'node_modules/.cache/portal/tests')
  await rm(folder, { recursive: true, force: true })
  const { createRsbuild } = await import('@rsbuild/core')
  const { testConfig } = await import('@portal/build/rsbuild')
  const entries = Object.fromEntries(
    tests.map((name) => [name.replace(/\.tsx?$/, '').replaceAll('/', '.'), `./src/${name}`]),
  )
  const rsbuild = await createRsbuild({ cwd: dir, rsbuildConfig: testConfig(dir, entries, folder) })
  await (await rsbuild.build()).close()
  const files = Object.keys(entries).map((name) => join(folder, `${name}.mjs`))
  const runner = spawn(process.execPath, ['--test', '--test-reporter=spec', ...files], {
    cwd: dir,
    stdio: 'inherit',
  })
  return new Promise((resolve) => runner.on('exit', (code) => resolve(code ?? 1)))
}
