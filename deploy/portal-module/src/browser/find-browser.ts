import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Refusal } from '../refusal.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** A Chromium or Chrome of this machine. */
export function systemBrowser(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
  const usual = [
    '/snap/bin/chromium',
    '/opt/google/chrome/chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ...[env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap((folder) =>
      folder ? [join(folder, 'Google/Chrome/Application/chrome.exe')] : [],
    ),
  ]
  return [...onPath, ...usual].find((path) => existsSync(path))
}

/** The browser for a team's tests: the one in PORTAL_BROWSER, the machine's own, or Playwright's download. */
export function findBrowser(downloaded: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  const chosen = env.PORTAL_BROWSER
  if (chosen && !existsSync(chosen))
    throw new Refusal(`PORTAL_BROWSER is ${chosen}, where no file is: correct or unset it.`)
  const found =
    chosen || systemBrowser(env) || (downloaded && existsSync(downloaded) ? downloaded : undefined)
  if (found) return found
  throw new Refusal(
    'The browser tests need Chromium or Chrome, and none was found: install one (npx playwright install chromium; on Debian apt-get install chromium), or set PORTAL_BROWSER to its path.',
  )
}
