// Builds what has changed, then runs Playwright for the screenshots: `npm run shots -- -g "fr at 360"` takes some of them.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { findBrowser } from './lib/browser.mjs'
import { root } from './lib/paths.mjs'
import { main } from './lib/say.mjs'

/** @param {string[]} args @param {NodeJS.ProcessEnv} [env] @returns {Promise<number>} */
function run(args, env = process.env) {
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

await main(async () => {
  if (!process.env.PORTAL_DIST_DIR && (await run(['shared/build/src/build-all.ts']))) return 1
  const runner = join(root, 'node_modules/@playwright/test/cli.js')
  const args = ['test', '--config', 'e2e/shots.config.ts', ...process.argv.slice(2)]
  return run([runner, ...args], { ...process.env, PORTAL_BROWSER: findBrowser() })
})
