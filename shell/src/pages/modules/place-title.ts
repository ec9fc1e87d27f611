import { t } from '@lingui/core/macro'
import { cardPlace } from '@portal/contracts/module-places'
import { currentLocale } from '@portal/i18n/locale'
import { tabPlace } from '@portal/sdk/extensions'
import { registry } from '../../platform/live-registry.ts'

/** What people call a page, a tab or a card of a module; undefined for one that has no name of its own. */
export function placeTitle(module: string, place: string): string | undefined {
  const entry = registry.modules.find(({ name }) => name === module)
  const locale = currentLocale()
  const card = entry?.cards?.find(({ id }) => cardPlace(id) === place)?.title[locale]
  if (card) return t`Card “${card}”`
  const tab = entry?.tabs?.find((each) => tabPlace(each) === place)?.title[locale]
  if (tab) return t`Tab “${tab}”`
  const leaves = entry?.nav.flatMap((item) => [...item.children, item])
  return leaves?.find(({ path }) => path === place)?.label[locale]
}
