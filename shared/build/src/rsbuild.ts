import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineConfig, mergeRsbuildConfig, type RsbuildConfig } from '@rsbuild/core'
import { pluginReact } from '@rsbuild/plugin-react'
import { federationName } from '@portal/sdk/manifest'
import { federation } from './federation.ts'
import { buildId, root } from './sources.ts'

/** The oldest browsers of the last Windows 7 machines, and what came since. */
const browsers = ['chrome >= 109', 'edge >= 109', 'firefox >= 115', 'safari >= 16.4']

/** Where a build is written before it is moved to its place in `dist/`. */
export const stagingFolder = (name: string): string => join(root, 'dist/.staging', name)

function common(dir: string): RsbuildConfig {
  const name = basename(dir)
  return defineConfig({
    root: dir,
    mode: 'production',
    logLevel: 'warn',
    plugins: [pluginReact({ fastRefresh: false })],
    source: { define: { 'process.env.NODE_ENV': '"production"' } },
    output: {
      distPath: { root: stagingFolder(name), js: '', css: '', jsAsync: '', cssAsync: '' },
      cleanDistPath: true,
      overrideBrowserslist: browsers,
      legalComments: 'none',
      filename: { js: '[name].[contenthash:10].js', css: '[name].[contenthash:10].css' },
      dataUriLimit: 0,
    },
    performance: { buildCache: { cacheDirectory: join(root, 'node_modules/.cache/rsbuild', name) } },
    tools: {
      swc: { jsc: { experimental: { plugins: [['@lingui/swc-plugin', {}]] } } },
    },
  })
}

/** A module: `remoteEntry.js` and its chunks, loadable under any address, with nothing shared inside. */
export function moduleConfig(dir: string): RsbuildConfig {
  const name = basename(dir)
  const build = buildId(dir)
  return mergeRsbuildConfig(common(dir), {
    source: { entry: { module: './src/module.ts' } },
    output: { assetPrefix: 'auto' },
    splitChunks: false,
    tools: {
      htmlPlugin: false,
      rspack: (config, { appendPlugins }) => {
        // The container is the only entry; pages are reached through it.
        config.entry = {}
        config.output = {
          ...config.output,
          uniqueName: federationName(name, build),
          chunkLoadingGlobal: `chunks_${federationName(name, build)}`,
        }
        appendPlugins(federation(name, build))
      },
    },
  })
}

/** The shell: its pages are written under `/` and its files under `/assets/`. */
export function shellConfig(dir: string): RsbuildConfig {
  return mergeRsbuildConfig(common(dir), page(dir, '/assets/'), {
    source: {
      define: {
        FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: 'true',
        FEDERATION_BUILD_IDENTIFIER: '"shell"',
        ENV_TARGET: '"web"',
      },
    },
  })
}

/** A page that lives without the shell, under `/<last word of its folder>/`. */
export function standaloneConfig(dir: string): RsbuildConfig {
  const place = basename(dir).replace('mfe-', '')
  return mergeRsbuildConfig(common(dir), page(dir, `/${place}/assets/`), {
    source: { entry: { index: './src/standalone.tsx' } },
    output: { distPath: { root: stagingFolder(`${basename(dir)}-standalone`) } },
    performance: {
      buildCache: { cacheDirectory: join(root, `node_modules/.cache/rsbuild/${basename(dir)}-standalone`) },
    },
  })
}

function page(dir: string, assetPrefix: string): RsbuildConfig {
  const { version } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
  return {
    source: { define: { PORTAL_VERSION: JSON.stringify(version) } },
    output: { assetPrefix, distPath: { html: '' }, inlineScripts: false, inlineStyles: false },
    security: { sri: { enable: true } },
  }
}
