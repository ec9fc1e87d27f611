/**
 * The one copy of query, table and i18n that shell and modules share. A module's own imports of these libraries, and those of
 * the packages bundled into it, are served from here; whole libraries would cost three times the bytes.
 */

export { i18n } from '@lingui/core'
export { I18nProvider, Trans, useLingui } from '@lingui/react'
export {
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
// What `@portal/ui` takes of the table; without it each module would carry 12 KiB of its own.
export {
  columnOrderingFeature,
  columnPinningFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
// Modules of before contract 1.2 take these from here; since then they import `react-router-dom` itself.
export {
  /** @deprecated since 1.2.0, until 2027-11-30: import it from react-router-dom. */
  generatePath,
  /** @deprecated since 1.2.0, until 2027-11-30: import it from react-router-dom. */
  Link,
  /** @deprecated since 1.2.0, until 2027-11-30: import it from react-router-dom. */
  type Location,
  /** @deprecated since 1.2.0, until 2027-11-30: import it from react-router-dom. */
  Navigate,
  /** @deprecated since 1.2.0, until 2027-11-30: import it from react-router-dom. */
  useLocation,
  /** @deprecated since 1.2.0, until 2027-11-30: import it from react-router-dom. */
  useNavigate,
  /** @deprecated since 1.2.0, until 2027-11-30: import it from react-router-dom. */
  useParams,
  /** @deprecated since 1.2.0, until 2027-11-30: import it from react-router-dom. */
  useSearchParams,
} from 'react-router-dom'
export { matchPath } from './addresses.ts'
