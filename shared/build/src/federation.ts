import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import { contractVersion, federationName } from '@portal/sdk/manifest'
import { root } from './sources.ts'

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version

/** Libraries whose one copy is the facade's: a module's imports of them become imports of `@portal/sdk`. */
export const facadeRequests = ['@tanstack/react-query', 'react-router-dom', '@lingui/react', '@lingui/core']

const fromShell = (requiredVersion: string, shareKey?: string) => ({
  singleton: true,
  strictVersion: true,
  requiredVersion,
  import: false as const,
  ...(shareKey && { shareKey }),
})

/** What makes a module loadable: it exposes `./module` and takes everything shared from the shell. */
export function federation(name: string, build: string): InstanceType<typeof ModuleFederationPlugin> {
  const react = `^${versionOf('react')}`
  // The facade's version is the contract's: what a module was built for is what it must find.
  const facade = `^${contractVersion}`
  return new ModuleFederationPlugin({
    name: federationName(name, build),
    filename: 'remoteEntry.js',
    exposes: { './module': { import: './src/module.ts', name: 'module' } },
    shareStrategy: 'loaded-first',
    shared: {
      react: fromShell(react),
      'react/jsx-runtime': fromShell(react),
      'react-dom': fromShell(`^${versionOf('react-dom')}`),
      '@portal/sdk': fromShell(facade),
      ...Object.fromEntries(facadeRequests.map((request) => [request, fromShell(facade, '@portal/sdk')])),
    },
    dts: false,
    manifest: false,
    experiments: {
      externalRuntime: true,
      optimization: { disableSnapshot: true, target: 'web' },
    },
  })
}
