import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { buildModule } from '@portal/build/build-module'
import { Refusal } from '../refusal.ts'
import { findBrowser } from './find-browser.ts'
import { findStage } from './stage.ts'

type Options = {
  dir: string
  trusted: boolean
  /** Names of files or parts of them, as Playwright takes them. */
  only: string[]
}

/** Runs the tests in a module's `browser` folder with Playwright, and returns its exit code. */
export async function testInBrowser({ dir, trusted, only }: Options): Promise<number> {
  const folder = join(dir, 'browser')
  if (
    !existsSync(folder) ||
    !readdirSync(folder, { recursive: true }).some((name) => /\.spec\.tsx?$/.test(String(name)))
  )
    throw new Refusal('There is no test for a browser: write one into browser/<something>.spec.ts.')
  const playwright = findPlaywright(dir)
  const browser = findBrowser(playwright.downloaded)
  findStage(dir)
  const built = await buildModule(dir)
  const env = {
    ...process.env,
    PORTAL_BROWSER: browser,
    PORTAL_TEST_DIR: dir,
    PORTAL_TEST_BUILD: built.folder,
    PORTAL_TEST_KIND: trusted ? 'trusted' : 'isolated',
  }
  const packed = join(import.meta.dirname, 'playwright.config.js')
  const config = existsSync(packed) ? packed : join(import.meta.dirname, 'playwright.config.ts')
  const runner = spawn(process.execPath, [playwright.command, 'test', '--config', config, ...only], {
    cwd: dir,
    env,
    stdio: 'inherit',
  })
  return new Promise((resolve) => runner.on('exit', (code) => resolve(code ?? 1)))
}

/** Playwright's command line, and where its own browser would be. */
function findPlaywright(dir: string): { command: string; downloaded: string | undefined } {
  const require = createRequire(join(dir, 'package.json'))
  try {
    const command = join(dirname(require.resolve('@playwright/test/package.json')), 'cli.js')
    const { chromium } = require('@playwright/test') as { chromium: { executablePath(): string } }
    return { command, downloaded: chromium.executablePath() }
  } catch {
    throw new Refusal(
      'The browser tests need Playwright: npm install --save-dev --save-exact @playwright/test@1.65.1',
    )
  }
}
