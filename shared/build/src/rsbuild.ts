import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { federationName } from '@portal/sdk/registry'
import { defineConfig, mergeRsbuildConfig, type RsbuildConfig } from '@rsbuild/core'
import { type PluginReactOptions, pluginReact } from '@rsbuild/plugin-react'
import { browsersQuery } from './browsers.ts'
import { federation } from './federation.ts'
import { developed, hotModule } from './hot/config.ts'
import { namesOfClasses, packageStyles } from './package-styles.ts'
import { routerNames } from './router-names.ts'
import { runtimePaths } from './runtime-paths.ts'
import { buildId, cacheFolder, isOurs, presetDigest, root } from './sources.ts'
import { workersWithoutFederation } from './workers.ts'

/** Where a build is written before it is moved to its place. */
export const stagingFolder = (dir: string, suffix = ''): string =>
  isOurs(dir)
    ? join(root, 'dist/.staging', basename(dir) + suffix)
    : join(cacheFolder(dir), `staging${suffix}`)

/** Where the bundler keeps what it may need again. */
const bundlerFolder = (dir: string, suffix = ''): string => join(cacheFolder(dir), basename(dir) + suffix)

/** The cache also depends on the preset, so that results of an older preset are not used. */
const cache = (dir: string, suffix = '') => ({
  cacheDirectory: bundlerFolder(dir, suffix),
  cacheDigest: [presetDigest()],
})

function common(dir: string, react: PluginReactOptions = { fastRefresh: false }): RsbuildConfig {
  return defineConfig({
    root: dir,
    mode: 'production',
    logLevel: 'warn',
    plugins: [pluginReact(react)],
    source: {
      define: { 'process.env.NODE_ENV': '"production"' },
      // Packed, the shared packages keep their macros for the module's own build.
      include: [/node_modules[\\/]@portal[\\/]/],
    },
    output: {
      distPath: { root: stagingFolder(dir), js: '', css: '', jsAsync: '', cssAsync: '' },
      cleanDistPath: true,
      overrideBrowserslist: browsersQuery,
      legalComments: 'none',
      filename: { js: '[name].[contenthash:10].js', css: '[name].[contenthash:10].css' },
      dataUriLimit: 0,
    },
    performance: { buildCache: cache(dir) },
    tools: {
      swc: { jsc: { experimental: { plugins: [['@lingui/swc-plugin', {}]] } } },
    },
  })
}

/**
 * A module while somebody works on it: readable, with source maps, and pages that have it take each change in place. Two
 * commands at work on one module have different places.
 */
export function developConfig(dir: string, place: string): RsbuildConfig {
  const { name } = manifestOf(dir)
  return mergeRsbuildConfig(
    moduleConfig(dir, { exposed: hotModule, react: developed.react }),
    developed.config(dir, name),
    {
      output: { distPath: { root: developFolder(dir, place) } },
      performance: { buildCache: cache(dir, `-dev-${place}`) },
    },
  )
}

/** Where the files of a module are while somebody works on it. */
export const developFolder = (dir: string, place: string): string =>
  join(cacheFolder(dir), 'developed', place)

const manifestOf = (dir: string) =>
  JSON.parse(readFileSync(join(dir, 'portal.module.json'), 'utf8')) as { name: string }

/** A module: `remoteEntry.js` and its chunks, loadable under any address, with nothing shared inside. */
export function moduleConfig(
  dir: string,
  { exposed, react }: { exposed?: string; react?: PluginReactOptions } = {},
): RsbuildConfig {
  const build = buildId(dir)
  const { name } = manifestOf(dir)
  return mergeRsbuildConfig(common(dir, react), {
    source: { entry: { module: './src/module.ts' } },
    // The maps are taken from beside the files before anything is published (`maps.ts`).
    output: {
      assetPrefix: 'auto',
      cssModules: { localIdentName: namesOfClasses(name) },
      sourceMap: { js: 'hidden-nosources-source-map' },
    },
    // What two pages of a module share is fetched once; nothing is split off the entry.
    splitChunks: { preset: 'none', chunks: 'async', minSize: 8_000 },
    tools: {
      htmlPlugin: false,
      postcss: (_, { addPlugins }) => addPlugins(packageStyles(name)),
      rspack: (config, { appendPlugins }) => {
        // The container is the only entry; pages are reached through it.
        config.entry = {}
        config.output = {
          ...config.output,
          uniqueName: federationName(name, build),
          chunkLoadingGlobal: `chunks_${federationName(name, build)}`,
        }
        appendPlugins(federation(dir, { name, build, ...(exposed && { exposed }) }))
        appendPlugins(runtimePaths(dir))
        appendPlugins(routerNames)
        appendPlugins(workersWithoutFederation)
      },
    },
  })
}

/** Tests of a module, for Node: one file each, with everything but Node's own modules inside. */
export function testConfig(dir: string, entry: Record<string, string>, folder: string): RsbuildConfig {
  return mergeRsbuildConfig(common(dir), {
    source: { entry },
    output: {
      target: 'node',
      module: true,
      minify: false,
      distPath: { root: folder },
      filename: { js: '[name].mjs' },
      emitAssets: false,
    },
    performance: { buildCache: false },
  })
}

type Alone = {
  entry: string
  folder: string
  assetPrefix: string
  /** `development` has React's own build for it, whose tools show props and hooks and whose warnings are on the console. */
  mode: 'development' | 'production'
}

/** The page on which a module runs without a portal, while somebody works on it. */
export function aloneConfig(dir: string, { entry, folder, assetPrefix, mode }: Alone): RsbuildConfig {
  return mergeRsbuildConfig(common(dir), {
    mode,
    source: { entry: { index: entry }, define: { 'process.env.NODE_ENV': JSON.stringify(mode) } },
    html: { template: entry.replace(/\.[jt]sx$/, '.html') },
    output: { assetPrefix, distPath: { root: folder, js: 'alone', css: 'alone', html: '' } },
    performance: { buildCache: cache(dir, `-alone-${mode}`) },
  })
}

/** The shell: pages at the root, files under `/assets/`; `pages` draws in Node what a page shows before any script. */
export function shellConfig(dir: string): RsbuildConfig {
  return mergeRsbuildConfig(common(dir), page(dir, '/assets/'), {
    // The plugin would put the hash of every lazy file into the entry; `pages.ts` writes them beside it.
    security: { sri: { enable: false } },
    // React has had it for long; the stand-in for older ones is half a KB.
    resolve: { alias: { 'use-sync-external-store/shim$': 'react', ...routerAlias(dir) } },
    // One file of libraries that seldom change, and one of our own code: one large file compresses better than many. Frames of isolated
    // modules are rare, so they carry their own copy of what they share with the portal rather than cut it into files.
    splitChunks: {
      preset: 'none',
      chunks: ({ name }) => name !== 'isolated',
      minSize: 8_000,
      cacheGroups: {
        lib: { test: lastingLibraries, name: 'lib', chunks: 'initial', enforce: true, priority: 10 },
        // Each further file costs the entry its name and hash: what pages share is few files, not one per combination.
        data: { test: dataPieces, name: 'data', chunks: 'async', minChunks: 2, enforce: true, priority: 5 },
        forms: { test: formPieces, name: 'forms', chunks: 'async', minChunks: 2, enforce: true, priority: 6 },
        menu: { test: menuLibrary, name: 'menu', chunks: 'async', enforce: true, priority: 9 },
        radix: {
          test: radixPieces,
          name: 'radix',
          chunks: 'async',
          minChunks: 2,
          enforce: true,
          priority: 8,
        },
        federation: {
          test: federationRuntime,
          name: 'federation',
          chunks: 'async',
          enforce: true,
          priority: 7,
        },
        public: {
          type: 'css/mini-extract',
          test: /public\.css$/,
          name: 'public',
          chunks: 'initial',
          enforce: true,
          priority: 20,
        },
        style: { type: 'css/mini-extract', name: 'style', chunks: 'initial', enforce: true, priority: 10 },
      },
    },
    environments: {
      web: {
        source: {
          entry: {
            portal: './src/portal.tsx',
            isolated: './src/isolated.tsx',
            'frame-loader': './src/frame-loader/frame-loader.ts',
            landing: './src/landing.ts',
            login: './src/login.ts',
            forgot: './src/forgot.ts',
            reset: './src/reset.ts',
            offline: './src/offline.ts',
            away: './src/offline.ts',
          },
          define: { FEDERATION_BUILD_IDENTIFIER: '"shell"', ENV_TARGET: '"web"' },
        },
        html: { template: './src/page.html', inject: 'head' },
        output: { copy: [{ from: './src/assets' }] },
      },
      pages: {
        source: { entry: { pages: './src/public/pages.tsx' } },
        output: {
          target: 'node',
          module: true,
          distPath: { root: stagingFolder(dir, '-pages') },
          filename: { js: '[name].mjs' },
          emitAssets: false,
        },
      },
    },
  })
}

/** What the portal runs on from its first moment. */
const lastingLibraries =
  /node_modules[\\/](react|react-dom|scheduler|@tanstack|@lingui|zustand|use-sync-external-store|react-router|react-router-dom|cookie|set-cookie-parser)[\\/]/

/** The menu library of the shell and all modules, and what it shares with the dialogs. */
const menuLibrary =
  /node_modules[\\/](@floating-ui|@radix-ui[\\/](rect|react-(dropdown-menu|menu|popper|roving-focus|collection|arrow|direction|use-(rect|size|is-hydrated))))[\\/]/
const radixPieces =
  /node_modules[\\/](@radix-ui|aria-hidden|react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-callback-ref|use-sidecar|get-nonce)[\\/]/

const federationRuntime = /node_modules[\\/]@module-federation[\\/]/
const dataPieces =
  /shared[\\/](screens|ui)[\\/]src[\\/](?!.*(locales|\.css|Menu|Toaster|NavSheet|usePoll|usePhone|problemText))/
const formPieces =
  /shared[\\/](screens|ui)[\\/]src[\\/].*((?<!use)Dialog|Form|Field(?!Frame)|below)|node_modules[\\/]react-hook-form[\\/]/

/** A page that lives without the shell, under `/<last word of its folder>/`. */
export function standaloneConfig(dir: string): RsbuildConfig {
  const place = basename(dir).replace('mfe-', '')
  return mergeRsbuildConfig(common(dir), page(dir, `/${place}/assets/`), {
    source: { entry: { index: './src/standalone.tsx' } },
    html: { template: './src/page.html' },
    output: { distPath: { root: stagingFolder(dir, '-standalone') } },
    performance: { buildCache: cache(dir, '-standalone') },
  })
}

function page(dir: string, assetPrefix: string): RsbuildConfig {
  const { version } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
  return {
    source: { define: { PORTAL_VERSION: JSON.stringify(version) } },
    output: { assetPrefix, distPath: { html: '' }, inlineScripts: false, inlineStyles: false },
    security: { sri: { enable: true, algorithm: 'sha256' } },
  }
}

/** The router's package leads to what is meant for development, which is 6 KB larger. */
function routerAlias(dir: string): Record<string, string> {
  const router = createRequire(
    createRequire(join(dir, 'package.json')).resolve('react-router-dom/package.json'),
  )
  const production = join(dirname(router.resolve('react-router/package.json')), 'dist/production')
  return {
    'react-router$': join(production, 'index.mjs'),
    'react-router/dom$': join(production, 'dom-export.mjs'),
  }
}
