import { useLingui } from '@lingui/react/macro'
import type { ListFilter } from '@portal/screens/DataTable'
import { idChoices, useOptions, useSchoolsOf } from './useOptions.tsx'

/** How a list filtered by where people are is filtered, from the widest to the narrowest. */
export const placeChain = ['region', 'cap', 'school'] as const
type PlaceFilter = (typeof placeChain)[number]

/** Region, CAP of it, school of that: each offers what the one before leaves. `names` are those that the list has. */
export function usePlaceFilters<Name extends PlaceFilter>(
  filter: (name: Name) => string,
  names: readonly Name[],
): ListFilter<Name>[] {
  const { t } = useLingui()
  const { regions, academies, caps } = useOptions()
  const chosen = (wanted: PlaceFilter) => {
    const name = names.find((each) => each === wanted)
    return name ? filter(name) : ''
  }
  const region = Number(chosen('region'))
  const schools = useSchoolsOf(chosen('cap'))
  const near = academies.filter(({ region_id }) => !region || region_id === region).map(({ id }) => id)
  const words: Record<
    PlaceFilter,
    { label: string; all: string; options: { value: string; label: string }[] }
  > = {
    region: { label: t`Region`, all: t`All regions`, options: idChoices(regions) },
    cap: {
      label: t`CAP`,
      all: t`All CAPs`,
      options: idChoices(caps.filter(({ academy_id }) => near.includes(academy_id))),
    },
    school: { label: t`School`, all: t`All schools of the CAP`, options: idChoices(schools) },
  }
  // A select of hundreds of schools is useless, so it needs a CAP first.
  const later = (name: Name) => name === 'school' && chosen('cap') === '' && chosen('school') === ''
  return names.map((name) => ({ name, as: 'select', later: later(name), ...words[name] }))
}
