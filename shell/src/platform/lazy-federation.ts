import { lazyFile } from '@portal/ui/lazy'

/** The federation runtime, fetched with the first page of a module: the shell's own pages and the sign-in do without. */
export const lazyFederation = lazyFile(() => import(/* webpackChunkName: "federation" */ './federation.ts'))
