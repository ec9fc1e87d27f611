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
export {
  createSearchParams,
  generatePath,
  Link,
  matchPath,
  Navigate,
  NavLink,
  useHref,
  useLocation,
  useMatch,
  useNavigate,
  useParams,
  useSearchParams,
} from 'react-router-dom'
