import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import { federationName, menuShare } from '@portal/sdk/registry'
import type { Rspack } from '@rsbuild/core'

const versionOf = (dir: string, name: string): string =>
  createRequire(join(dir, 'package.json'))(`${name}/package.json`).version

/** The oldest contract that the module's manifest accepts. A shell with that contract can still open what is built today. */
const contractOf = (dir: string): string =>
  JSON.parse(readFileSync(join(dir, 'portal.module.json'), 'utf8')).contract.replace('^', '')

/** What a module takes from the shell: libraries in the versions that it is built with, the facade as its manifest says. */
export const sharedVersions = (dir: string): Record<string, string> => ({
  react: versionOf(dir, 'react'),
  'react-dom': versionOf(dir, 'react-dom'),
  'react-router-dom': versionOf(dir, 'react-router-dom'),
  '@portal/sdk': contractOf(dir),
})

/** Libraries whose one copy is the facade's: a module's imports of them become imports of `@portal/sdk`. */
const facadeRequests = ['@tanstack/react-query', '@tanstack/react-table', '@lingui/react', '@lingui/core']

const fromShell = (requiredVersion: string, shareKey?: string) => ({
  singleton: true,
  strictVersion: true,
  requiredVersion,
  import: false as const,
  ...(shareKey && { shareKey }),
})

/**
 * What makes a module loadable: it exposes `./module` and takes everything shared from the shell, the federation
 * runtime too. The portal registers `remoteEntry.js` itself; `mf-manifest.json` beside it is for tools.
 */
export function federation(
  dir: string,
  { name, build, exposed = './src/module.ts' }: { name: string; build: string; exposed?: string },
): Rspack.RspackPluginInstance {
  const versions = sharedVersions(dir)
  const react = `^${versions.react}`
  // The facade's version is the contract's: what a module says it needs is what it must find.
  const facade = `^${versions['@portal/sdk']}`
  return new ModuleFederationPlugin({
    name: federationName(name, build),
    filename: 'remoteEntry.js',
    exposes: { './module': { import: exposed, name: 'module' } },
    manifest: true,
    dts: false,
    shareStrategy: 'loaded-first',
    experiments: {
      externalRuntime: true,
      optimization: { disableSnapshot: true, disableRemote: true, target: 'web' },
    },
    shared: {
      react: fromShell(react),
      'react/jsx-runtime': fromShell(react),
      'react-dom': fromShell(`^${versions['react-dom']}`),
      'react-router-dom': fromShell(`^${versions['react-router-dom']}`),
      '@portal/sdk': fromShell(facade),
      '@radix-ui/react-dropdown-menu': fromShell(facade, menuShare),
      ...Object.fromEntries(facadeRequests.map((request) => [request, fromShell(facade, '@portal/sdk')])),
    },
  })
}
