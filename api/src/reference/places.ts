import type { Country } from '@portal/contracts/fields'
import { maliPlaces, maliSchoolDistricts } from './mali.seed.ts'
import { senegalPlaces, senegalRenamed, senegalSchoolDistricts } from './senegal.seed.ts'

export type Cercle = { region: string; cercle: string }
/** One arrondissement. If its name is not known, it has the name of its commune. */
export type Place = Cercle & { commune: string; arrondissement: string }
/** A CAP or IEF with its AE or IA. It lies in `cercle`. */
export type SchoolDistrict = Cercle & { cap: string; academy: string }

const texts = {
  ml: { places: maliPlaces, districts: maliSchoolDistricts, academy: 'AE', cap: 'CAP' },
  sn: { places: senegalPlaces, districts: senegalSchoolDistricts, academy: 'IA', cap: 'IEF' },
}
/** Cercles or départements with another name than in the lists of before. */
export const renamedCercles: Record<Country, (Cercle & { before: string })[]> = {
  ml: [],
  sn: senegalRenamed,
}

const parts = (text: string, separator: string) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean)

/** All cercles or départements of a country, and the selection of communes that comes with the product. */
export function readPlaces(country: Country): { cercles: Cercle[]; places: Place[] } {
  const cercles: Cercle[] = []
  const places: Place[] = []
  let region = ''
  for (const line of texts[country].places.split('\n').filter((text) => text.trim())) {
    const [cercle = '', communes] = parts(line, ':')
    if (!line.startsWith(' ')) {
      region = cercle
      continue
    }
    cercles.push({ region, cercle })
    for (const text of parts(communes ?? '', ',')) {
      const [, commune = text, arrondissement = commune] = /^(.+?)(?: \((.+)\))?$/.exec(text) ?? []
      places.push({ region, cercle, commune, arrondissement })
    }
  }
  return { cercles, places }
}

/** All CAPs of Mali, or all IEFs of Senegal. */
export function readSchoolDistricts(country: Country): SchoolDistrict[] {
  const { districts, academy, cap } = texts[country]
  return parts(districts, '\n').flatMap((line) => {
    const [head = '', rest = ''] = parts(line, ':')
    const [name = '', region = ''] = parts(head, '@')
    return parts(rest, ';').flatMap((group) => {
      const [cercle = '', names = ''] = parts(group, '=')
      return parts(names, ',').map((one) => ({
        region,
        cercle,
        academy: `${academy} ${name}`,
        cap: `${cap} ${one}`,
      }))
    })
  })
}
