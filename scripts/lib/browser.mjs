// Finds a Chromium for the browser tests: the machine's own, else Playwright's download, else Debian's package.
// Debian builds Chromium twice. The build without windows comes first where both are: the same engine, but a page in a new
// browser takes two thirds of the processor time.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { systemBrowser } from '../../deploy/portal-module/src/browser/find-browser.ts'
import { root } from './paths.mjs'
import { Sentence, say } from './say.mjs'

const headless = 'chromium-headless-shell'

/** Path of a browser. Installs Debian's package where possible; otherwise fails with a sentence that says what to do. @returns {string} */
export function findBrowser() {
  return (
    ownChoice() ?? headlessBrowser() ?? systemBrowser() ?? downloadedBrowser() ?? debianBrowser() ?? missing()
  )
}

function headlessBrowser() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, headless)).find((path) => existsSync(path))
}

function ownChoice() {
  const path = process.env.PORTAL_BROWSER
  if (path && !existsSync(path))
    throw new Sentence(`PORTAL_BROWSER is ${path}, where no file is: correct or unset it.`)
  return path || undefined
}

function downloadedBrowser() {
  const require = createRequire(join(root, 'e2e', 'package.json'))
  const path = require('playwright-core').chromium.executablePath()
  return path && existsSync(path) ? path : undefined
}

function debianBrowser() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version') || !existsSync('/usr/bin/apt-get'))
    return undefined
  const options = /** @type {const} */ ({
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  // Older Debian has the second package alone.
  for (const name of [headless, 'chromium']) {
    say(`No browser found: installing the package ${name} with apt-get`)
    try {
      execFileSync('apt-get', ['update'], options)
      execFileSync('apt-get', ['install', '-y', '--no-install-recommends', name], options)
      return headlessBrowser() ?? systemBrowser()
    } catch {
      // Ubuntu's packages are snaps, and other images have no network. The sentence below tells the person.
    }
  }
  return undefined
}

/** @returns {never} */
function missing() {
  throw new Sentence(
    'The browser tests need Chromium or Chrome and none was found: install one (on Debian: apt-get install chromium; elsewhere: npx playwright install chromium), or set PORTAL_BROWSER to its path.',
  )
}

/**
 * Features of Chromium that Playwright switches off. The last `--disable-features` of a command line is the only one that counts, so
 * they stand here again.
 */
const asPlaywright = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
]

/**
 * Suggestions below the address bar, each a page of its own in every window. Nobody sees them in a test, and they took a seventh of
 * the processor time of the browser tests.
 */
const popups = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

export const withoutFeatures = `--disable-features=${[...asPlaywright, ...popups].join(',')}`
