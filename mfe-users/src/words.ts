import { actionWords, resourceWords } from '@portal/contracts/access/permission-words'
import { roleName } from '@portal/contracts/access/role-names'
import { currentLocale, type Locale } from '@portal/i18n/locale'

/** A role as it is shown. */
export const nameOfRole = (role: { name: string }): string => roleName(role.name, currentLocale())

/** First and last name. */
export const fullName = (person: { first_name: string; last_name: string }) =>
  `${person.first_name} ${person.last_name}`

/** `schools.update` in its two parts. */
export function partsOf(permission: string): [resource: string, action: string] {
  const [resource = permission, action = permission] = permission.split('.')
  return [resource, action]
}

type Words = Record<string, Record<Locale, string>>

/** What a permission is about: the part before its dot. One that nobody has words for shows as it is. */
export const resourceName = (resource: string, words: Words = resourceWords) =>
  words[resource]?.[currentLocale()] ?? resource.charAt(0).toUpperCase() + resource.slice(1)

/** What a permission allows: the part after its dot. */
const actionName = (action: string) => (actionWords as Words)[action]?.[currentLocale()] ?? action

/** What one permission allows; a module's brings its own words along. */
export const allows = ({
  name,
  label,
}: {
  name: string
  label?: Record<Locale, string> | null | undefined
}) => (label ? label[currentLocale()] : actionName(partsOf(name)[1]))
