import { type Node, type NodePath, traverse } from '@babel/core'
import { type Deprecation, deprecations } from '@portal/sdk/deprecations'
import { type Edit, note, type Source, textAt } from './source.ts'

const nameOf = (node: Node): string => node.name ?? node.value

/** What a specifier of an import or an export asks the package for. */
const askedBy = ({ type, imported, local }: Node): string | undefined =>
  type === 'ImportSpecifier' ? nameOf(imported) : type === 'ExportSpecifier' ? nameOf(local) : undefined

/** The deprecated names that a source imports or exports from where they go. */
export function movedNames({ tree }: Source, table = deprecations): { node: Node; what: Deprecation }[] {
  const from = (source: Node | null | undefined) => table.filter((each) => each.from === source?.value)
  return tree.program.body.flatMap((statement: Node) =>
    from(statement.source).flatMap((what) =>
      (statement.specifiers ?? [])
        .filter((each: Node) => askedBy(each) === what.name)
        .map((node: Node) => ({ node, what })),
    ),
  )
}

/** Imports each deprecated name from where it is today. What the source calls it stays. */
export function moveNames(source: Source, table = deprecations): void {
  const moved = movedNames(source, table)
  const given = new Map<string, { like: Node; names: string[] }>()
  for (const statement of source.tree.program.body as Node[]) {
    const going = moved.filter(({ node }) => statement.specifiers?.includes(node))
    if (!going.length) continue
    if (statement.type !== 'ImportDeclaration') {
      moveExport(source, statement, going)
      continue
    }
    take(
      source,
      statement,
      going.map(({ node }) => node),
    )
    for (const { node, what } of going) {
      const known = given.get(what.to) ?? { like: statement, names: [] }
      const isType = statement.importKind === 'type' && node.importKind !== 'type'
      given.set(what.to, known)
      known.names.push(isType ? `type ${textAt(source, node)}` : textAt(source, node))
      note(source, `${what.name} of ${what.to}`)
    }
  }
  for (const [to, { like, names }] of given) give(source, like, to, names)
  leaveNamespaces(source, table)
}

type Going = ReturnType<typeof movedNames>

/** Takes names out of an import, or the whole of it where none is left. */
function take(source: Source, statement: Node, going: Node[]) {
  const { specifiers } = statement
  if (going.length === specifiers.length) {
    const end = source.text[statement.end] === '\n' ? statement.end + 1 : statement.end
    source.edits.push({ start: statement.start, end, text: '' })
    return
  }
  for (const node of going) source.edits.push(without(specifiers, node, going))
}

/** A name is taken out with the comma before it; what stands first in the braces, with the one behind it. */
function without(specifiers: Node[], node: Node, going: Node[]): Edit {
  const at = specifiers.indexOf(node)
  const isKept = (each: Node | undefined) => each?.type === 'ImportSpecifier' && !going.includes(each)
  const before = specifiers.slice(0, at).findLast(isKept)
  const previous = specifiers[at - 1]
  if (before && previous) return { start: previous.end, end: node.end, text: '' }
  return { start: node.start, end: specifiers[at + 1]?.start ?? node.end, text: '' }
}

/** Adds names to the import of a package, or an import before the first one. */
function give(source: Source, like: Node, to: string, names: string[]) {
  const imports: Node[] = source.tree.program.body.filter(({ type }: Node) => type === 'ImportDeclaration')
  const isOpen = ({ source: from, importKind, specifiers }: Node) =>
    from.value === to && importKind !== 'type' && specifiers.at(-1)?.type === 'ImportSpecifier'
  const open = imports.find(isOpen)
  if (open) {
    const known = open.specifiers.map((node: Node) => textAt(source, node))
    const missing = names.filter((name) => !known.includes(name))
    const { end } = open.specifiers.at(-1)
    source.edits.push({ start: end, end, text: missing.map((name) => `, ${name}`).join('') })
    return
  }
  const first = imports[0]?.start ?? 0
  const quote = source.text[like.source.start]
  const ending = source.text[like.end - 1] === ';' ? ';' : ''
  source.edits.push({
    ...{ start: first, end: first },
    text: `import { ${names.join(', ')} } from ${quote}${to}${quote}${ending}\n`,
  })
}

/** An export leads to the other package if all of it does. */
function moveExport(source: Source, statement: Node, going: Going) {
  const [to, ...others] = new Set(going.map(({ what }) => what.to))
  if (to && !others.length && going.length === statement.specifiers.length) {
    const { start, end } = statement.source
    source.edits.push({ start: start + 1, end: end - 1, text: to })
    note(source, `exports of ${to}`)
    return
  }
  for (const { node, what } of going) leave(source, node, what)
}

/** `sdk.Link` of `import * as sdk`. */
function leaveNamespaces(source: Source, table: readonly Deprecation[]) {
  const look = (object: Node, property: Node, scope: NodePath['scope']) => {
    const from = packageOf(object, scope)
    const what = table.find((each) => each.from === from && each.name === property.name)
    if (what) leave(source, property, what)
  }
  traverse(source.tree, {
    MemberExpression: ({ node, scope }) => look(node.object, node.property, scope),
    JSXMemberExpression: ({ node, scope }) => look(node.object, node.property, scope),
    TSQualifiedName: ({ node, scope }) => look(node.left, node.right, scope),
  })
}

/** The package of which a name is the namespace. */
function packageOf({ name }: Node, scope: NodePath['scope']): string | undefined {
  const path = name ? scope.getBinding(name)?.path : undefined
  return path?.node.type === 'ImportNamespaceSpecifier' ? path.parentPath?.node.source.value : undefined
}

const leave = ({ file, left }: Source, { loc }: Node, { name, from, to }: Deprecation) =>
  left.push({ file, line: loc.start.line, text: `${name} of ${from}: import it from ${to}.` })
