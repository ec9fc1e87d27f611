import type { Country } from '@portal/contracts/fields'
import type { Chance } from './chance.ts'
import { firstNames, homeLanguages, peoples, publicNames, surnames } from './names.seed.ts'

type Gender = 'female' | 'male'
export type Person = { first_name: string; last_name: string; gender: Gender }
/** The origin of a family. It decides their names and the language at home. */
export type Roots = { country: Country; group: string; language: string }

/** Chooses the origin of a family that lives in this region. */
export function rootsIn(chance: Chance, country: Country, region: string): Roots {
  const groups = peoples[country][region] ?? peoples[country]['*'] ?? []
  const group = chance.of(groups)
  return { country, group, language: homeLanguages[group] ?? 'francais' }
}

/** Makes a person of this origin. With `family` it is a child with that surname. */
export function personOf(chance: Chance, roots: Roots, gender: Gender, family?: string): Person {
  for (;;) {
    const first_name = chance.early(firstNamesOf(roots)[gender])
    const last_name = family ?? lastName(chance, roots, gender)
    if (!publicNames.has(`${first_name} ${last_name}`)) return { first_name, last_name, gender }
  }
}

/** The surname of a guardian's daughter, which is the father's. */
export function familyName(chance: Chance, roots: Roots, guardian: Person): string {
  if (roots.group === 'tamasheq') {
    const father = guardian.gender === 'male' ? guardian.first_name : chance.early(firstNames.tamasheq.male)
    return `Walet ${father}`
  }
  return guardian.gender === 'male' ? guardian.last_name : lastName(chance, roots, 'male')
}

function lastName(chance: Chance, roots: Roots, gender: Gender): string {
  if (roots.group !== 'tamasheq') return chance.early(surnames[roots.group] ?? [])
  return `${gender === 'female' ? 'Walet' : 'Ag'} ${chance.early(firstNames.tamasheq.male)}`
}

const firstNamesOf = (roots: Roots) =>
  roots.group === 'tamasheq' ? firstNames.tamasheq : firstNames[roots.country]

const beginnings = { ml: ['6', '7', '7'], sn: ['77', '78', '76', '70'] }
const codes = { ml: '+223', sn: '+221' }

/**
 * Makes unique telephone numbers of a country. They end in 10-99, because the sandbox agency always pays these. A
 * number has another ending only if the caller asks for it.
 */
export function phones(chance: Chance) {
  const given = new Set<string>()
  return (country: Country, ending?: string): string => {
    for (;;) {
      const start = chance.of(beginnings[country])
      const middle = String(chance.whole(0, 99_999)).padStart(5, '0')
      const phone = `${codes[country]}${start}${middle}${ending ?? chance.whole(10, 99)}`
      if (given.has(phone)) continue
      given.add(phone)
      return phone
    }
  }
}
