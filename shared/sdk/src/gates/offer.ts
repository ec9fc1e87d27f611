import { permissions } from '@portal/contracts/permissions'
import { carriedContracts, type Offer, offered } from '../majors.ts'
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

/** What this portal offers, with the days until which it carries contracts of majors before. */
export const offeredUntil: Offer = {
  ...offered,
  until: Object.fromEntries(carriedContracts.map(({ contract, until }) => [contract, until])),
}

/** What a shell of these packages offers to modules. `versionOf` answers the version of a package that is installed. */
export function shellOffer(
  versionOf: (name: string) => string,
  { contract, carries = [], until }: Offer = offeredUntil,
): ShellOffer {
  return {
    contract,
    ...(carries.length && { carries: [...carries], until }),
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
