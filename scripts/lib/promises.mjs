// Looks for promises whose failure nobody meets: it would end a server. Run by `npm test`.
//
// Biome's rule knows the promises of our own functions only. This one asks the compiler, so it knows those of libraries as
// well, and it finds a promise that is kept while another one is awaited: when that one fails, the kept one is never
// awaited.
import { join, relative } from 'node:path'
import * as ts from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'
import { root } from './paths.mjs'

/** @typedef {import('typescript/unstable/sync').Checker} Checker */
/** @typedef {{ node: ts.Node, fault: string }} Suspect */

/** Servers end by a promise that nobody meets; a page does not, and a test ends anyway. */
const servers = /^(?:api\/src|deploy\/[\w-]+\/src|scripts)\/.*(?<!\.test)\.(?:ts|mjs)$/

/** @param {ts.Node} node @param {(node: ts.Node) => boolean} enter whether to look into it as well */
function walk(node, enter) {
  node.forEachChild((child) => {
    if (enter(child)) walk(child, enter)
    return undefined
  })
}

/** Ends in `.catch(…)`, or in `.then(…, …)` with a second function, whatever `.finally` comes after. @param {ts.Node} call @returns {boolean} */
function isMet(call) {
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return false
  const { name, expression: before } = call.expression
  if (name.text === 'finally') return isMet(before)
  return name.text === 'catch' || (name.text === 'then' && call.arguments.length > 1)
}

/** @param {ts.Node} node */
const isFunction = (node) =>
  ts.isArrowFunction(node) ||
  ts.isFunctionExpression(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node)

/** Whether a statement awaits something, functions inside of it apart. @param {ts.Node} statement */
function awaits(statement) {
  let found = false
  if (isFunction(statement)) return found
  walk(statement, (node) => {
    found ||= ts.isAwaitExpression(node)
    return !found && !isFunction(node)
  })
  return found
}

/** @param {ts.Node} statement @param {string} name */
function mentions(statement, name) {
  let found = false
  walk(statement, (node) => {
    found ||= ts.isIdentifier(node) && node.text === name
    return !found
  })
  return found
}

/** Calls kept in a constant that another statement awaits past. @param {readonly ts.Node[]} statements @returns {Suspect[]} */
function keptIn(statements) {
  return statements.flatMap((statement, at) => {
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
      if (!initializer || !ts.isIdentifier(name) || !ts.isCallExpression(initializer)) return []
      const rest = statements.slice(at + 1)
      const used = rest.findIndex((each) => mentions(each, name.text))
      const between = rest.slice(0, used < 0 ? undefined : used)
      return between.some(awaits)
        ? [{ node: initializer, fault: `"${name.text}" is kept while another promise is awaited.` }]
        : []
    })
  })
}

/** Whatever would be a fault if it were a promise. @param {ts.SourceFile} file @param {boolean} isServer @returns {Suspect[]} */
function suspectsIn(file, isServer) {
  /** @type {Suspect[]} */
  const found = []
  walk(file, (node) => {
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression) && !isMet(node.expression))
      found.push({ node: node.expression, fault: 'nobody awaits this promise.' })
    if (isServer && ts.isBlock(node)) found.push(...keptIn(node.statements))
    return true
  })
  return found
}

/** One sentence for each promise that nobody meets, in the files of a project that are ours. @param {string} folder @returns {string[]} */
export function floatingPromises(folder) {
  const api = new API({ cwd: folder })
  try {
    const project = api.updateSnapshot({ openProject: join(folder, 'tsconfig.json') }).getProjects()[0]
    if (!project) throw new Error(`There is no project in ${folder}.`)
    const { program, checker } = project
    return program.getSourceFileNames().flatMap((name) => {
      const path = relative(folder, name)
      const file = /^\.\.|node_modules/.test(path) ? undefined : program.getSourceFile(name)
      if (!file) return []
      const suspects = suspectsIn(file, servers.test(path))
      const types = suspects.length ? checker.getTypeAtLocation(suspects.map(({ node }) => node)) : []
      return suspects
        .filter((_, at) => types[at]?.getSymbol()?.name === 'Promise')
        .map(({ node, fault }) => {
          const { line } = file.getLineAndCharacterOfPosition(node.getStart())
          return `${path}:${line + 1}: ${fault}`
        })
    })
  } finally {
    api.close()
  }
}

if (import.meta.main) {
  const faults = floatingPromises(root)
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length ? 1 : 0
}
