/**
 * The names of `react-router-dom` that the shell gives to modules: what is not exported here is not in the page. The build
 * of a module refuses other names, and the list stands in docs/recipes.md.
 */
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
