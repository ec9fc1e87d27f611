import { join, sep } from 'node:path'
import type { ChildNode, Plugin, Root, Rule } from 'postcss'

const packages = `${sep}node_modules${sep}`
const ours = `${packages}@portal${sep}`
/** The portal's only sheet that no page has at first: a page with a chart imports it. */
const charts = join(ours, 'ui', 'src', 'chart.css')

/** Whether the author of a style sheet cannot know the class of the module: it is of a package, or of the portal's charts. */
const isForeign = (file = '') => file.includes(packages) && (!file.includes(ours) || file.endsWith(charts))

/** A CSS module: the loader that comes after hashes its classes and animations. */
const isCssModule = (file = '') => file.endsWith('.module.css')

/** What the loader hashes names of classes and animations of CSS modules to: no other module's begin with this one's name. */
export const namesOfClasses = (module: string): string => `${module}-[local]-[hash:base64:6]`

/**
 * Puts the style sheets of packages, such as Leaflet's, and CSS modules below the class of the module that imports them.
 * Their animations and fonts get its name, so that they are no other module's.
 */
export const packageStyles = (module: string): Plugin => ({
  postcssPlugin: 'styles-of-packages',
  Once(root) {
    const file = root.source?.input.file
    if (isCssModule(file)) {
      renameFonts(root, module)
      putBelow(root, (selector) => belowHashed(selector, module))
    } else if (isForeign(file)) {
      renameAnimations(root, module)
      renameFonts(root, module)
      putBelow(root, (selector) => below(selector, module))
    }
  },
})

function renameAnimations(root: Root, module: string) {
  const named = new Set<string>()
  const renamed = (word: string) => (named.has(word) ? `${module}-${word}` : word)
  root.walkAtRules(/keyframes$/, (rule) => {
    named.add(rule.params)
    rule.params = `${module}-${rule.params}`
  })
  root.walkDecls(/^(-webkit-)?animation(-name)?$/, (each) => {
    each.value = each.value.replace(/[\w-]+/g, renamed)
  })
}

function renameFonts(root: Root, module: string) {
  const named = new Set<string>()
  root.walkAtRules('font-face', (face) =>
    face.walkDecls('font-family', ({ value }) => void named.add(unquoted(value))),
  )
  root.walkDecls(/^font(-family)?$/, (each) => {
    for (const name of named)
      each.value = each.value.replace(new RegExp(`(["']?)${name}\\1(?=\\s*(,|$))`), `"${module}-${name}"`)
  })
}

function putBelow(root: Root, moved: (selector: string) => string) {
  root.walkRules((rule) => {
    const { parent } = rule
    const isOuter = parent?.type === 'root' || (parent?.type === 'atrule' && !/keyframes$/.test(parent.name))
    if (!isOuter || isForLoader(rule)) return
    keepComposed(rule)
    rule.selectors = rule.selectors.map(moved)
  })
}

/** What a CSS module tells the loader: exported values, and a rule that only says what its class is composed of. */
const isForLoader = ({ selector, nodes }: Rule) =>
  /^:(export|import)\b/.test(selector) || (nodes.length > 0 && nodes.every(isComposed))

const isComposed = (node: ChildNode) => node.type === 'decl' && node.prop === 'composes'

/** The loader takes `composes` from a rule of one class only, so these lines stay in a rule of their own. */
function keepComposed(rule: Rule) {
  const composed = rule.nodes.filter(isComposed)
  if (composed.length) rule.before(rule.clone({ nodes: [] }).append(composed))
}

const unquoted = (text: string) => text.replace(/^["']|["']$/g, '')

const wholePage = /^(:root|html|body)(?![\w-])/

/** Puts a selector below the class of the module. A selector of the whole page, such as `body`, becomes that class. */
const below = (selector: string, module: string) =>
  wholePage.test(selector) ? selector.replace(wholePage, `.${module}`) : `.${module} ${selector}`

/** The same in a CSS module, where the class of the module is the only one that keeps its name. */
function belowHashed(selector: string, module: string) {
  const own = new RegExp(`^(\\.${module}(?![\\w-])|:global\\(\\.${module}\\))`)
  const place = `:global(.${module})`
  const [found] = own.exec(selector) ?? wholePage.exec(selector) ?? []
  return found ? place + selector.slice(found.length) : `${place} ${selector}`
}
