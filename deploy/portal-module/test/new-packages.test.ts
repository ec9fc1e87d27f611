import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withVersionsOf } from '../src/upgrade/json-files.ts'
import { takePackages } from '../src/upgrade/packages.ts'
import { upgradeModule } from '../src/upgrade/upgrade.ts'
import { moduleWith } from './upgraded-module.ts'

test('a module gets the libraries of the packages, and keeps newer tools and what is its own', () => {
  const like = {
    dependencies: { react: '19.3.1' },
    devDependencies: { typescript: '7.0.2', node: '24.19.2' },
  }
  const text = JSON.stringify({
    dependencies: { leaflet: '1.9.4', react: '19.2.0' },
    devDependencies: { typescript: '7.1.0', node: '24.9.0' },
  })
  const made = withVersionsOf(text, like)
  expect(made?.did).toEqual(['react 19.3.1', 'node 24.19.2'])
  expect(JSON.parse(made?.text ?? '')).toEqual({
    dependencies: { leaflet: '1.9.4', react: '19.3.1' },
    devDependencies: { typescript: '7.1.0', node: '24.19.2' },
  })
  expect(withVersionsOf(made?.text ?? '', like)).toBeNull()
})

test('a team takes the packages of a newer portal: archives, package.json, and nothing old in the lock file', async () => {
  const { dir, read } = moduleWith({
    'vendor/portal-sdk-1.5.0.tgz': 'old',
    'vendor/portal-ui-0.1.0.tgz': 'old',
    'vendor/ours-1.0.0.tgz': 'ours',
    'next/portal-sdk-2.0.0.tgz': 'new',
    'next/portal-ui-0.1.0.tgz': 'new',
    'next/portal-stage-0.1.0.tgz': 'new',
    'package.json': JSON.stringify({
      dependencies: {
        '@portal/sdk': 'file:vendor/portal-sdk-1.5.0.tgz',
        '@portal/ui': 'file:vendor/portal-ui-0.1.0.tgz',
      },
      devDependencies: {},
    }),
    'package-lock.json': JSON.stringify({
      packages: {
        'node_modules/@portal/sdk': { integrity: 'sha512-old' },
        'node_modules/@portal/ui': { version: '0.1.0', integrity: 'sha512-old' },
        'node_modules/react': { integrity: 'sha512-react' },
      },
    }),
  })
  await takePackages(dir, 'next')
  expect(readdirSync(join(dir, 'vendor')).sort()).toEqual([
    'ours-1.0.0.tgz',
    'portal-sdk-2.0.0.tgz',
    'portal-ui-0.1.0.tgz',
  ])
  expect(read('vendor/portal-ui-0.1.0.tgz')).toBe('new')
  expect(JSON.parse(read('package.json'))).toMatchObject({
    dependencies: { '@portal/sdk': 'file:vendor/portal-sdk-2.0.0.tgz' },
    overrides: { '@portal/ui': '$@portal/ui' },
  })
  expect(JSON.parse(read('package-lock.json')).packages).toEqual({
    'node_modules/react': { integrity: 'sha512-react' },
  })
  await expect(upgradeModule(dir)).rejects.toThrow(/asks for portal-sdk-2\.0\.0\.tgz.*npm install first/)
})
