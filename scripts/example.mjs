// Builds and tests deploy/examples/mfe-health as its team would: in a separate folder, with its own lock file and packed
// packages. Exits with 1 at the first command that fails, and prints its output. Needs npm's registry.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { partnersEnvironment } from './lib/partner.mjs'
import { pinnedNode, root } from './lib/paths.mjs'
import { main, Sentence, say } from './lib/say.mjs'

const example = join(root, 'deploy/examples/mfe-health')

/** @param {string} cwd @param {NodeJS.ProcessEnv} env @param {string[]} command */
function run(cwd, env, [file = '', ...words]) {
  const began = Date.now()
  const { status, stdout, stderr } = spawnSync(file, words, { cwd, env, encoding: 'utf8' })
  const line = [basename(file), ...words].join(' ')
  if (status !== 0) throw new Sentence(`$ ${line}\n${stdout ?? ''}${stderr ?? ''}`)
  say(`✓ ${line} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
}

await main(async () => {
  const place = mkdtempSync(join(tmpdir(), 'portal-example-'))
  const folder = join(place, 'mfe-health')
  try {
    const sources = (/** @type {string} */ path) =>
      !/node_modules|vendor|dist|locales\/\w+\.ts$/.test(path.slice(example.length))
    cpSync(example, folder, { recursive: true, filter: sources })
    const vendor = ['--to', join(folder, 'vendor')]
    run(root, process.env, [pinnedNode, 'deploy/portal-module/packing/pack.ts', ...vendor])
    const env = partnersEnvironment()
    run(folder, env, ['npm', 'ci', '--no-audit', '--no-fund'])
    run(folder, env, ['npm', 'run', 'types'])
    run(folder, env, ['npm', 'test'])
    run(folder, env, ['npm', 'run', 'build'])
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})
