/** What of Babel the codemods use; its types are not installed. */
declare module '@babel/core' {
  export type Node = {
    type: string
    start: number
    end: number
    loc: { start: { line: number } }
    // Each kind of node has fields of its own.
    // biome-ignore lint/suspicious/noExplicitAny: fields differ by kind
    [field: string]: any
  }
  export type Binding = { kind: string; path: NodePath; referencePaths: NodePath[] }
  export type NodePath = {
    node: Node
    key: string | number
    parentPath: NodePath | null
    scope: { getBinding(name: string): Binding | undefined }
    get(field: string): NodePath
    findParent(test: (path: NodePath) => boolean): NodePath | null
  }
  export function parseSync(code: string, options: Record<string, unknown>): Node | null
  export function traverse(tree: Node, visitor: Record<string, (path: NodePath) => void>): void
}
