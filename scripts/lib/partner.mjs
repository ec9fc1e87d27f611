import { delimiter, dirname, join } from 'node:path'
import { pinnedNode, root } from './paths.mjs'

/**
 * The environment as a partner has it: a Node that modules may be made with, no other tools of this repository on the path, and no variables
 * of npm. A machine behind a proxy keeps the certificates by which it knows npm's registry.
 */
export function partnersEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD|NODE_(?!EXTRA_CA_CERTS$))/.test(name),
  )
  const path = (process.env.PATH ?? '').split(delimiter)
  const own = path.filter((folder) => !folder.startsWith(join(root, 'node_modules')))
  return { ...Object.fromEntries(kept), PATH: [dirname(pinnedNode), ...own].join(delimiter) }
}
