import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { settingsPage } from '../settings-page.ts'

/** The page in the repository. With the argument `check` it is compared with the schema and not written. */
const path = fileURLToPath(new URL('../../../docs/settings.md', import.meta.url))

const text = settingsPage()
if (process.argv[2] !== 'check') {
  writeFileSync(path, text)
  console.log('Wrote docs/settings.md.')
} else if (readFileSync(path, 'utf8') !== text) {
  console.error(
    'docs/settings.md does not say the settings as they are: run npm run settings:docs and commit it.',
  )
  process.exitCode = 1
}
