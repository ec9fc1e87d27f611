/** What is wrong with a style sheet of a module, with what to do; null if every rule stays below the module's class. */
export function faultOfStyles(path: string, css: string, name: string): string | null {
  const rules = globalRules(css, name)
  if (!rules.length) return null
  const listed =
    rules.length > 5 ? `${rules.slice(0, 5).join(', ')} and ${rules.length - 5} more` : rules.join(', ')
  return `${path} would change other pages too: ${listed}. Begin every selector with .${name}, and the name of every animation and font with ${name}.`
}

/** CSS rules that would affect the portal: selectors that do not start with the module's class, and rules without selector. */
export function globalRules(css: string, name: string): string[] {
  const text = css
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, (text) => (/^.[\w -]+.$/.test(text) ? text : '""'))
  return rulesOf(text).flatMap(({ head, body }) => faults(head, body, name))
}

const grouping = /^@(media|supports|layer|container|scope|starting-style)\b/
const keyframes = /^@(?:-webkit-)?keyframes\s+([\w-]+)/

function faults(head: string, body: string | null, name: string): string[] {
  if (!head) return []
  if (grouping.test(head))
    return body === null ? [] : rulesOf(body).flatMap((rule) => faults(rule.head, rule.body, name))
  const animation = keyframes.exec(head)?.[1]
  if (animation) return animation.startsWith(name) ? [] : [`@keyframes ${animation}`]
  if (head === '@font-face') {
    const family = /(?:^|[;\s])font-family\s*:\s*["']?([\w -]*)/.exec(body ?? '')?.[1] ?? ''
    return family.startsWith(name) ? [] : [`@font-face ${family}`.trim()]
  }
  if (head.startsWith('@charset')) return []
  if (head.startsWith('@')) return [head.slice(0, 60)]
  const scoped = new RegExp(`^\\.${name}(?![\\w-])`)
  return listed(head).filter((selector) => !scoped.test(selector))
}

/** The rules of one level. Nested rules belong to their parent. */
function rulesOf(text: string): { head: string; body: string | null }[] {
  const rules: { head: string; body: string | null }[] = []
  let depth = 0
  let from = 0
  let head = ''
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '{') {
      if (depth === 0) {
        head = text.slice(from, at).trim()
        from = at + 1
      }
      depth += 1
    } else if (sign === '}') {
      depth -= 1
      if (depth === 0) {
        rules.push({ head, body: text.slice(from, at) })
        from = at + 1
      }
    } else if (sign === ';' && depth === 0) {
      rules.push({ head: text.slice(from, at).trim(), body: null })
      from = at + 1
    }
  }
  return rules
}

/** Splits a list of selectors. Commas inside `:is(…)` do not separate. */
function listed(selectors: string): string[] {
  const parts = ['']
  let depth = 0
  for (const sign of selectors) {
    if (sign === '(' || sign === '[') depth += 1
    if (sign === ')' || sign === ']') depth -= 1
    if (sign === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts.map((part) => part.trim()).filter(Boolean)
}
