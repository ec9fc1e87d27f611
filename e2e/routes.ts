import { caseScreens } from './screens/cases.ts'
import { cohortScreens } from './screens/cohorts.ts'
import { registerScreens } from './screens/registers.ts'
import type { Screen } from './screens/screen.ts'
import { publicScreens, shellScreens } from './screens/shell.ts'
import { transferScreens } from './screens/transfers.ts'
import { usersScreens } from './screens/users.ts'

/**
 * Every screen of the product with its dialogs. Screenshots, the visit in French and the accessibility of everything go
 * through this list, and `routes.spec.ts` holds it against what modules and shell declare.
 */
export const screens: Screen[] = [
  ...publicScreens,
  ...shellScreens,
  ...usersScreens,
  ...registerScreens,
  ...transferScreens,
  ...cohortScreens,
  ...caseScreens,
]

/** A screen's name among the others. */
export const nameOf = ({ route, as }: Screen): string => (as ? `${route} (${as})` : route)
