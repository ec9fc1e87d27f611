import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findingsOf } from '../src/check.ts'
import { checkDeprecated, upgraded, upgradeModule } from '../src/upgrade.ts'

const before = `import { Trans } from '@lingui/react/macro'
import { Link as To, type Location, useHost, useParams } from '@portal/sdk'
import { useNavigate as useGo } from '@portal/sdk'

export const Page = () => <To to="/admin/clinics">{useParams().id}</To>
`

const after = `import { Link as To, type Location, useParams, useNavigate as useGo } from 'react-router-dom'
import { Trans } from '@lingui/react/macro'
import { useHost } from '@portal/sdk'

export const Page = () => <To to="/admin/clinics">{useParams().id}</To>
`

function moduleWith(files: Record<string, string>) {
  const dir = mkdtempSync(join(tmpdir(), 'portal-upgrade-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  mkdirSync(join(dir, 'src/notes'), { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(join(dir, file), text)
  return dir
}

test('a team is warned of what goes with the next major, with the day, the replacement and the file', async () => {
  const dir = moduleWith({ 'src/notes/Page.tsx': before, 'src/other.ts': 'export {}\n' })
  const text = findingsOf([await checkDeprecated(dir, true)])
  expect(text).toMatch(/^! deprecated: /)
  expect(text).toContain(
    'Link of @portal/sdk goes after 2027-11-30: import it from react-router-dom (src/notes/Page.tsx).',
  )
  expect(text).toContain('page of a route goes after 2027-11-30: write lazy')
  expect(text).not.toContain('useHost')
})

test('a team upgrades with one command, and is not warned any more', async () => {
  const dir = moduleWith({ 'src/notes/Page.tsx': before, 'src/other.ts': 'export {}\n' })
  expect(await upgradeModule(dir)).toEqual(['src/notes/Page.tsx'])
  expect(readFileSync(join(dir, 'src/notes/Page.tsx'), 'utf8')).toBe(after)
  expect(findingsOf([await checkDeprecated(dir, false)])).toMatch(/^✓ deprecated: nothing/)
  expect(await upgradeModule(dir)).toEqual([])
})

test('names go into the import that a file has already, and imports of types stay types', () => {
  expect(
    upgraded(
      `import { Link } from 'react-router-dom'\nimport { useHost, useParams } from '@portal/sdk'\nimport type { Location } from '@portal/sdk'\n`,
    ),
  ).toBe(
    `import { Link, useParams, type Location } from 'react-router-dom'\nimport { useHost } from '@portal/sdk'\n`,
  )
})
