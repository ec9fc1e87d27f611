/** Something of the contract that goes with the next major: what to use instead, and the first day on which it may be gone. */
export type Deprecation = {
  name: string
  /** The package that it is imported from. */
  from: string
  /** The contract since which it is deprecated. */
  since: string
  /** Portals of the major before carry it until this day at least. */
  until: string
  /** The package that has it under the same name. `portal-module upgrade` moves the import there. */
  to: string
}

const router = { from: '@portal/sdk', since: '1.2.0', until: '2027-11-30', to: 'react-router-dom' }

/**
 * The names of the contract that are deprecated. `portal-module check` warns of each with date and replacement; the comments
 * `@deprecated`, which editors show, are compared with this table by a test.
 */
export const deprecations: readonly Deprecation[] = [
  ...[
    'generatePath',
    'Link',
    'Location',
    'Navigate',
    'useLocation',
    'useNavigate',
    'useParams',
    'useSearchParams',
  ],
].map((name) => ({ name, ...router }))

/**
 * A field that is called otherwise: of the host, of a route in `defineModule`, or of `portal.module.json`, where `cards.title` is
 * that of every card.
 */
export type RenamedField = Pick<Deprecation, 'name' | 'since' | 'until' | 'to'> & {
  of: 'host' | 'route' | 'manifest'
  /** What to write, for people. */
  instead: string
}

/**
 * The fields that are called otherwise. What a contract has renamed stays in this table and in the one above: the command
 * brings a module of any contract before to its own.
 */
export const renamedFields: readonly RenamedField[] = [
  {
    ...{ of: 'route', name: 'page', to: 'lazy', since: '1.2.0', until: '2027-11-30' },
    instead: 'lazy: () => import(…), of a file that has the page as Component or as its default export',
  },
]
