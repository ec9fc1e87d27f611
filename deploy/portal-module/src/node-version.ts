import { readFileSync } from 'node:fs'
import { Refusal } from './refusal.ts'

const numbers = (version: string) => (version.match(/\d+/g) ?? []).map(Number)

/** Refuses a Node that is older than a new module asks for. npm only warns, and the first call that it lacks fails with no reason. */
export function expectNode() {
  const template = new URL('../template/package.json', import.meta.url)
  const wanted = numbers(JSON.parse(readFileSync(template, 'utf8')).engines.node)
  const { node } = process.versions
  const [major = 0, minor = 0] = numbers(node)
  const [oldest = 0, least = 0] = wanted
  if (major < oldest || (major === oldest && minor < least))
    throw new Refusal(`This is Node ${node}. Install Node ${wanted.join('.')} or later.`)
}
