type Federation = typeof import('./federation.ts')

let coming: Promise<Federation> | undefined

/** The federation runtime, fetched with the first page of a module: the shell's own pages and the sign-in do without. */
export function fetchFederation(): Promise<Federation> {
  if (!coming) {
    coming = import(/* webpackChunkName: "federation" */ './federation.ts')
    coming.catch(() => (coming = undefined))
  }
  return coming
}
