import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { filledIn, guideOf } from '../trial/guide.ts'
import type { Secrets, Template } from './cluster.ts'
import type { Engine } from './engine.ts'
import type { Policy } from './network-policies.ts'

const root = join(import.meta.dirname, '../../../..')
const guide = guideOf('kubernetes.md')

type Manifest = {
  kind: string
  metadata: { name: string }
  spec: { template?: Template; jobTemplate?: { spec: { template: Template } } }
}

/**
 * A shell in which the commands of docs/operating/kubernetes.md can be typed. There is no cluster: `kubectl create secret` writes a file, by
 * the real kubectl, which needs a server for anything else. Secrets and manifests are read from files, `kubectl apply` of a pipe
 * keeps what it is given, and what is left does nothing. `docker` is podman, and `helm template` is Helm's.
 */
export function makeOperator(options: {
  engine: Engine
  folder: string
  programs: { helm: string; kubectl: string }
  values: Record<string, string>
}) {
  const { engine, folder, programs, values } = options
  const [bin, kept, rendered] = [join(folder, 'bin'), join(folder, 'secrets'), join(folder, 'manifests')]
  for (const place of [bin, kept, rendered]) mkdirSync(place)
  const applied = join(folder, 'applied.json')
  const script = (name: string, lines: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
  script(
    'kubectl',
    `case "$1 $2" in
  "create secret") ${programs.kubectl} "$@" --dry-run=client --output=json > "${kept}/$4.json" ;;
  "get secret") jq --raw-output '.data.password' "${kept}/$3.json" ;;
  "create job") jq --arg name "$3" '{kind: "Job", metadata: {name: $name}, spec: .spec.jobTemplate.spec}' "${rendered}/\${4#--from=cronjob/}.json" ;;
  "create --dry-run=client") cat ;;
  "apply -f") [ "$3" != - ] || cat > "${applied}" ;;
esac`,
  )
  script('docker', `${engine.line} "$@"`)
  script('editor', 'true')
  script(
    'helm',
    `case "$1 $2" in
  "get hooks") cat "${rendered}/portal-migrate.json" ;;
  "rollback portal") ;;
  *) ${programs.helm} "$@" ;;
esac`,
  )
  const env = { ...engine.env, PATH: `${bin}:${engine.env.PATH}`, HOME: folder }
  const type = (lines: string, cwd = root) =>
    execFileSync('sh', ['-euc', lines], { cwd, env, encoding: 'utf8' })
  return {
    type,
    /** Types the block of the page that has these words. */
    follow(words: string, cwd = root) {
      const block = guide.blocks().find((each) => each.includes(words))
      if (!block) throw new Error(`The page has no command with “${words}”.`)
      return type(filledIn(block, values), cwd)
    },
    secrets: (): Secrets =>
      Object.fromEntries(
        readdirSync(kept).map((name) => [
          name.replace(/\.json$/, ''),
          JSON.parse(readFileSync(join(kept, name), 'utf8')).data,
        ]),
      ),
    /** The pod of the job that was last applied by a pipe. */
    applied: () =>
      (JSON.parse(readFileSync(applied, 'utf8')) as { spec: { template: Template } }).spec.template,
    /** What Helm makes of the chart with these values. */
    render(file: string) {
      const text = type(`helm template portal deploy/helm -f ${file}`)
      const manifests = parseAllDocuments(text).flatMap(
        (document) => (document.toJS() as Manifest | null) ?? [],
      )
      for (const manifest of manifests)
        writeFileSync(join(rendered, `${manifest.metadata.name}.json`), JSON.stringify(manifest))
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
