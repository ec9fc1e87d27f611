import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RsbuildConfig, RsbuildPlugin } from '@rsbuild/core'
import type { PluginReactOptions } from '@rsbuild/plugin-react'

/** A file of this folder: here a source, and compiled where the package is installed. */
const own = (name: string) => fileURLToPath(import.meta.resolve(`@portal/build/hot/${name}`))

/** What a module under development exposes in place of its `module.ts`. */
export const hotModule: string = own('module')

/** New words are taken without what asks for them: the page that shows them stays as it is. */
const hotWords: RsbuildPlugin = {
  name: 'hot-words',
  setup(api) {
    api.transform({ test: /[\\/]src[\\/]locales[\\/](en|fr)\.ts$/ }, ({ code, resourcePath }) => {
      const locale = /(en|fr)\.ts$/.exec(resourcePath)?.[1]
      return `import { takeWords } from ${JSON.stringify(own('words'))}\n${code}\ntakeWords(import.meta.webpackHot, '${locale}', messages)\n`
    })
  },
}

/**
 * The bundler's own replacement of modules, and React's. A page with React's production build cannot refresh components:
 * there a change goes up to `module.ts`, and the page draws the module anew.
 */
export const developed: { react: PluginReactOptions; config: (dir: string, name: string) => RsbuildConfig } =
  {
    react: { fastRefresh: true, reactRefreshOptions: { reactRefreshLoader: own('refresh-loader') } },
    config: (dir, name) => ({
      mode: 'development',
      // Faults are passed on, to the command and to the pages.
      logLevel: 'silent',
      plugins: [hotWords],
      dev: { hmr: true, lazyCompilation: false, assetPrefix: 'auto' },
      source: {
        define: {
          'process.env.NODE_ENV': '"development"',
          MODULE_NAME: JSON.stringify(name),
        },
      },
      resolve: {
        alias: {
          'portal-module$': join(dir, 'src/module.ts'),
          // Of the portal's React, which has no function for development in most pages.
          'react/jsx-dev-runtime$': own('jsx-dev-runtime'),
        },
      },
      output: {
        minify: false,
        sourceMap: { js: 'source-map', css: true },
        // A page asks for what it has not loaded yet by the same name, also after a change.
        filename: { js: '[name].js', css: '[name].css' },
      },
      tools: {
        rspack: (config) => {
          // What cannot be read is not served, so that pages go on from what they have.
          const own = { chunkIds: 'named', moduleIds: 'named', emitOnErrors: false } as const
          config.optimization = { ...config.optimization, ...own }
        },
      },
    }),
  }
