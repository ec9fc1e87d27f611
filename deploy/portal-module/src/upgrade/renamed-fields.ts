import { type Node, type NodePath, traverse } from '@babel/core'
import { type RenamedField, renamedFields } from '@portal/sdk/deprecations'
import { note, type Source } from './source.ts'

const sdk = '@portal/sdk'

/** Renames fields of the host and of routes, wherever the tree says that it is one of them. */
export function renameFields(source: Source, table = renamedFields): void {
  const rename = (of: RenamedField['of'], key: Node, text: (to: string) => string) => {
    const row = table.find((each) => each.of === of && each.name === (key.name ?? key.value))
    if (!row) return
    source.edits.push({ start: key.start, end: key.end, text: text(row.to) })
    note(source, `${row.to} in place of ${row.name}`)
  }
  const quoted = ({ start }: Node) => {
    const quote = source.text[start] ?? "'"
    return (to: string) => `${quote}${to}${quote}`
  }
  const plain = (to: string) => to
  /** A key of an object or of a pattern: `{ notify }` becomes `{ tell: notify }`. */
  const renameKey = (of: RenamedField['of'], { key, shorthand, computed }: Node) => {
    if (computed || !key) return
    if (shorthand) rename(of, { ...key, end: key.start } as Node, (to) => `${to}: `)
    else rename(of, key, key.type === 'StringLiteral' ? quoted(key) : plain)
  }
  const member = (path: NodePath) => {
    const { property, computed } = path.node
    if (computed && property.type !== 'StringLiteral') return
    if (isHost(path.get('object'))) rename('host', property, computed ? quoted(property) : plain)
  }
  traverse(source.tree, {
    MemberExpression: member,
    OptionalMemberExpression: member,
    ObjectPattern(path) {
      if (isHostPattern(path)) for (const each of path.node.properties) renameKey('host', each)
    },
    ObjectExpression(path) {
      const of = isHostLiteral(path) ? 'host' : isRoute(path) ? 'route' : undefined
      if (of) for (const each of path.node.properties) renameKey(of, each)
    },
    TSIndexedAccessType({ node, scope }) {
      const literal = node.indexType.literal
      if (literal && isHostType(node.objectType, scope)) rename('host', literal, quoted(literal))
    },
    TSTypeReference({ node, scope }) {
      const [of, names] = node.typeParameters?.params ?? node.typeArguments?.params ?? []
      if (!names || !['Pick', 'Omit'].includes(node.typeName.name) || !isHostType(of, scope)) return
      for (const each of names.types ?? [names])
        if (each.literal) rename('host', each.literal, quoted(each.literal))
    },
  })
}

type Scope = NodePath['scope']

/** Whether a name is that of the portal's package, whatever the source calls it. */
function isOfSdk(local: string | undefined, name: string, scope: Scope): boolean {
  const path = local ? scope.getBinding(local)?.path : undefined
  if (path?.node.type !== 'ImportSpecifier') return false
  const { imported } = path.node
  return (imported.name ?? imported.value) === name && path.parentPath?.node.source.value === sdk
}

const isHostType = (type: Node | undefined, scope: Scope): boolean =>
  type?.type === 'TSTypeReference' && isOfSdk(type.typeName.name, 'Host', scope)

const isAnnotated = ({ node, scope }: NodePath): boolean =>
  isHostType(node.typeAnnotation?.typeAnnotation, scope)

const wrappers = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'ParenthesizedExpression']

/** Whether an expression is the host: a call of the hook, or a name that was given it. */
function isHost(path: NodePath): boolean {
  const { node, scope } = path
  if (wrappers.includes(node.type)) return isHost(path.get('expression'))
  if (node.type === 'CallExpression') return isOfSdk(node.callee.name, 'useHost', scope)
  if (node.type !== 'Identifier') return false
  const binding = scope.getBinding(node.name)
  if (!binding) return false
  if (binding.kind === 'param') return isHostParameter(binding.path)
  const { path: declared } = binding
  if (declared.node.type !== 'VariableDeclarator' || declared.node.id.type !== 'Identifier') return false
  return isAnnotated(declared.get('id')) || (declared.node.init ? isHost(declared.get('init')) : false)
}

/** Whether a parameter is the host: its type says so, or it is that of `routes`. */
const isHostParameter = (path: NodePath): boolean =>
  isAnnotated(path) || (path.key === 0 && path.parentPath !== null && isRoutes(path.parentPath))

function isHostPattern(path: NodePath): boolean {
  const { parentPath, node } = path
  if (isAnnotated(path)) return true
  if (parentPath?.node.type === 'VariableDeclarator' && parentPath.node.id === node)
    return parentPath.node.init ? isHost(parentPath.get('init')) : false
  return isHostParameter(path)
}

const isHostLiteral = ({ parentPath }: NodePath): boolean =>
  parentPath?.node.type === 'VariableDeclarator' && isAnnotated(parentPath.get('id'))

/** Whether a function is `routes` of `defineModule`. */
function isRoutes(path: NodePath): boolean {
  const property = path.node.type === 'ObjectMethod' ? path : path.parentPath
  return property?.node.key?.name === 'routes' && isDefinition(property.parentPath)
}

/** Whether an object is what `defineModule` is given. */
export const isDefinition = (path: NodePath | null): boolean =>
  path?.parentPath?.node.type === 'CallExpression' &&
  isOfSdk(path.parentPath.node.callee.name, 'defineModule', path.scope)

/** Whether an object is a route: it stands within `routes`, or has a path and a function that imports a page. */
function isRoute(path: NodePath): boolean {
  const { properties } = path.node
  if (!properties.some(({ key }: Node) => key?.name === 'path')) return false
  if (path.findParent((parent) => isFunction(parent.node) && isRoutes(parent))) return true
  return properties.some(
    (each: Node) => /^Arrow|Method|^Function/.test((each.value ?? each).type) && imports(each),
  )
}

const isFunction = ({ type }: Node) =>
  /^(ArrowFunctionExpression|FunctionExpression|ObjectMethod)$/.test(type)

/** Whether `import(…)` stands somewhere in a node. */
const imports = (node: unknown): boolean => {
  if (Array.isArray(node)) return node.some(imports)
  if (typeof node !== 'object' || node === null) return false
  const { type, callee, loc: _, ...fields } = node as Node
  if (type === 'ImportExpression' || callee?.type === 'Import') return true
  return Object.values({ ...fields, callee }).some(imports)
}
