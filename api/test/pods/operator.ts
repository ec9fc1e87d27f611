import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { blocksOf, filledIn } from '../trial/guide.ts'
import type { Secrets, Template } from './cluster.ts'
import type { Engine } from './engine.ts'
import type { Policy } from './network-policies.ts'

const root = join(import.meta.dirname, '../../..')
const heading = 'First installation, with Kubernetes'

type Manifest = {
  kind: string
  metadata: { name: string }
  spec: { template?: Template; jobTemplate?: { spec: { template: Template } } }
}

/**
 * A shell in which the commands of docs/operating.md can be typed. There is no cluster: `kubectl create secret` writes a file, by
 * the real kubectl, `kubectl get secret` reads it, and what is left does nothing. `docker` is podman, and Helm is Helm.
 */
export function makeOperator(options: {
  engine: Engine
  folder: string
  programs: { helm: string; kubectl: string }
  values: Record<string, string>
}) {
  const { engine, folder, programs, values } = options
  const [bin, kept] = [join(folder, 'bin'), join(folder, 'secrets')]
  for (const place of [bin, kept]) mkdirSync(place)
  const script = (name: string, lines: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
  script(
    'kubectl',
    `case "$1 $2" in
  "create secret") ${programs.kubectl} "$@" --dry-run=client --output=json > "${kept}/$4.json" ;;
  "get secret") jq --raw-output '.data.password' "${kept}/$3.json" ;;
esac`,
  )
  script('docker', `${engine.line} "$@"`)
  script('editor', 'true')
  script('helm', `${programs.helm} "$@"`)
  const env = { ...engine.env, PATH: `${bin}:${engine.env.PATH}`, HOME: folder }
  const type = (line: string) => execFileSync('sh', ['-euc', line], { cwd: root, env, encoding: 'utf8' })
  return {
    type,
    /** Types the block of the page that has these words. */
    follow(words: string, cwd = root) {
      const block = blocksOf(heading).find((each) => each.includes(words))
      if (!block) throw new Error(`The page has no command with “${words}”.`)
      return execFileSync('sh', ['-euc', filledIn(block, values)], { cwd, env, encoding: 'utf8' })
    },
    secrets: (): Secrets =>
      Object.fromEntries(
        readdirSync(kept).map((name) => [
          name.replace(/\.json$/, ''),
          JSON.parse(readFileSync(join(kept, name), 'utf8')).data,
        ]),
      ),
    /** What Helm makes of the chart with these values. */
    render(file: string) {
      const text = type(`helm template portal deploy/helm -f ${file}`)
      const manifests = parseAllDocuments(text).flatMap(
        (document) => (document.toJS() as Manifest | null) ?? [],
      )
      return {
        policies: manifests.filter(({ kind }) => kind === 'NetworkPolicy') as unknown as Policy[],
        template(kind: 'Job' | 'Deployment' | 'CronJob', name: string): Template {
          const found = manifests.find((each) => each.kind === kind && each.metadata.name === name)
          const template = found?.spec.template ?? found?.spec.jobTemplate?.spec.template
          if (!template) throw new Error(`Helm made no ${kind} ${name}.`)
          return template
        },
      }
    },
  }
}
