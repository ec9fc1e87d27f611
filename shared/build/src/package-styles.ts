import { join, sep } from 'node:path'
import type { Plugin, Root } from 'postcss'

const packages = `${sep}node_modules${sep}`
const ours = `${packages}@portal${sep}`
/** The portal's only sheet that no page has at first: a page with a chart imports it. */
const charts = join(ours, 'ui', 'src', 'chart.css')

/** A sheet whose author does not know the class of the module: of a package, or of the portal's charts. */
const isForeign = (file = '') => file.includes(packages) && (!file.includes(ours) || file.endsWith(charts))

/**
 * Puts the style sheets of packages, such as Leaflet's, below the class of the module that imports them. Their animations
 * and fonts get its name, so that they are no other module's.
 */
export const packageStyles = (module: string): Plugin => ({
  postcssPlugin: 'styles-of-packages',
  Once(root) {
    if (isForeign(root.source?.input.file)) scope(root, module)
  },
})

function scope(root: Root, module: string) {
  const named = new Set<string>()
  const renamed = (word: string) => (named.has(word) ? `${module}-${word}` : word)
  root.walkAtRules(/keyframes$/, (rule) => {
    named.add(rule.params)
    rule.params = `${module}-${rule.params}`
  })
  root.walkAtRules('font-face', (face) =>
    face.walkDecls('font-family', ({ value }) => void named.add(unquoted(value))),
  )
  root.walkDecls(/^(-webkit-)?animation(-name)?$/, (each) => {
    each.value = each.value.replace(/[\w-]+/g, renamed)
  })
  root.walkDecls(/^font(-family)?$/, (each) => {
    for (const name of named)
      each.value = each.value.replace(new RegExp(`(["']?)${name}\\1(?=\\s*(,|$))`), `"${module}-${name}"`)
  })
  root.walkRules((rule) => {
    const { parent } = rule
    const isOuter = parent?.type === 'root' || (parent?.type === 'atrule' && !/keyframes$/.test(parent.name))
    if (isOuter) rule.selectors = rule.selectors.map((selector) => below(selector, module))
  })
}

const unquoted = (text: string) => text.replace(/^["']|["']$/g, '')

/** What a package says of the whole page is for the module alone. */
const below = (selector: string, module: string) =>
  /^(:root|html|body)(?![\w-])/.test(selector)
    ? selector.replace(/^(:root|html|body)(?![\w-])/, `.${module}`)
    : `.${module} ${selector}`
