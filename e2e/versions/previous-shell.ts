import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Registry } from '@portal/sdk/manifest'
import { rspack } from '@rsbuild/core'
import type { Line } from '../faults/proxy.ts'

const source = join(import.meta.dirname, 'fixtures/shell-1.0.0.ts')
const address = '/shell-1.0.0.js'

/** The shell of contract 1.0.0 as one script. */
export async function buildPreviousShell(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-shell-'))
  const compiler = rspack({
    mode: 'production',
    entry: source,
    output: { path: folder, filename: 'shell.js' },
    resolve: { extensions: ['.ts', '.js'] },
    module: {
      rules: [
        {
          test: /\.ts$/,
          loader: 'builtin:swc-loader',
          options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } },
          type: 'javascript/auto',
        },
      ],
    },
  })
  try {
    await new Promise<void>((resolve, reject) => {
      compiler.run((fault, stats) => {
        if (fault || stats?.hasErrors()) reject(fault ?? new Error(stats?.toString('errors-only')))
        else compiler.close(() => resolve())
      })
    })
    return await readFile(join(folder, 'shell.js'), 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** From here on the addresses are answered with the old shell, which is told of these modules. */
export function servePreviousShell(line: Line, script: string, registry: Registry, paths: string[]): void {
  const inlined = JSON.stringify(registry).replaceAll('<', '\\u003c')
  const page = `<!doctype html><html lang="en"><title>Portal 1.0.0</title>
    <script type="application/json" id="registry">${inlined}</script>
    <body><script src="${address}"></script></body></html>`
  line.serve({ [address]: { type: 'text/javascript; charset=utf-8', body: script } })
  line.serve(
    Object.fromEntries(paths.map((path) => [path, { type: 'text/html; charset=utf-8', body: page }])),
  )
}
