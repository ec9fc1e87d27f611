/**
 * The one copy of router, query and i18n that shell and modules share. A module's own imports of these libraries,
 * and those of the packages bundled into it, are served from here; whole libraries would cost three times the bytes.
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
export { generatePath, matchPath } from './addresses.ts'
export {
  Link,
  type Location,
  Navigate,
  type Navigator,
  RouteParams,
  Router,
  useLocation,
  useNavigate,
  useParams,
  useSearchParams,
} from './router.ts'
