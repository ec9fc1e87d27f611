import { permissions } from '@portal/contracts/permissions'
import { type Offer, offered } from '../majors.ts'
import type { ShellOffer } from './candidate.ts'

/** Addresses of the shell and the server that no module may have. */
export const reservedRoutes = [
  '/',
  '/home',
  '/profile',
  '/login',
  '/password',
  '/external',
  '/admin/modules',
  '/admin/sync',
  '/admin/system',
  '/api',
  '/modules',
  '/assets',
  '/registry',
  '/dev',
]

/** What a shell of these packages offers to modules. `versionOf` answers the version of a package that is installed. */
export function shellOffer(
  versionOf: (name: string) => string,
  { contract, carries = [] }: Offer = offered,
): ShellOffer {
  return {
    contract,
    ...(carries.length && { carries: [...carries] }),
    shared: {
      react: versionOf('react'),
      'react-dom': versionOf('react-dom'),
      'react-router-dom': versionOf('react-router-dom'),
      '@portal/sdk': contract,
    },
    routes: reservedRoutes,
    permissions: [...permissions],
  }
}
