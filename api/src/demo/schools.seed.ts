import type { Country } from '@portal/contracts/fields'
import { type Place, readPlaces, readSchoolDistricts, type SchoolDistrict } from '../reference/places.ts'
import type { Chance } from './chance.ts'

export type DemoSize = 'full' | 'small'
export type DemoSchool = {
  name: string
  admin_code: string
  type_of_school: string
  country: Country
  region: string
  cap: string
  academy: string
  place: Place
  /** Three letters for the CAP. All codes that are made for its schools and families contain them. */
  letters: string
  levels: string[]
}

/**
 * The number of schools by region, relative to the others. It is high where most girls live. A region is missing if no
 * commune of it is known.
 */
const shares: Record<Country, Record<string, number>> = {
  ml: {
    KAYES: 20,
    KITA: 8,
    NIORO: 7,
    KOULIKORO: 22,
    NARA: 3,
    DIOILA: 5,
    SIKASSO: 16,
    BOUGOUNI: 11,
    KOUTIALA: 9,
    SEGOU: 18,
    SAN: 8,
    MOPTI: 9,
    DOUENTZA: 4,
    BANDIAGARA: 6,
    TOMBOUCTOU: 5,
    GAO: 4,
    MENAKA: 1,
    KIDAL: 1,
    BAMAKO: 13,
  },
  sn: { KOLDA: 6, SEDHIOU: 5, TAMBACOUNDA: 5, KEDOUGOU: 3, MATAM: 4, ZIGUINCHOR: 4, 'SAINT-LOUIS': 3 },
}
const totals = { full: { ml: 170, sn: 30 }, small: { ml: 17, sn: 3 } }

type Kind = { type: string; name: (place: string) => string; levels: string[]; weight: number }
const kinds: Record<Country, Kind[]> = {
  ml: [
    { type: 'public', name: (place) => `Second cycle ${of(place)}`, levels: ['7', '8', '9'], weight: 45 },
    {
      type: 'public',
      name: (place) => `École fondamentale ${of(place)} (1er cycle)`,
      levels: ['4', '5', '6'],
      weight: 20,
    },
    {
      type: 'community',
      name: (place) => `École communautaire ${of(place)}`,
      levels: ['4', '5', '6'],
      weight: 10,
    },
    {
      type: 'public',
      name: (place) => `Groupe scolaire ${of(place)}`,
      levels: ['5', '6', '7', '8', '9'],
      weight: 10,
    },
    { type: 'lycee', name: (place) => `Lycée public ${of(place)}`, levels: ['10', '11', '12'], weight: 8 },
    { type: 'medersa', name: (place) => `Médersa ${of(place)}`, levels: ['5', '6', '7'], weight: 4 },
    {
      type: 'private',
      name: (place) => `Complexe scolaire privé ${of(place)}`,
      levels: ['7', '8', '9'],
      weight: 3,
    },
  ],
  sn: [
    { type: 'cem', name: (place) => `CEM ${of(place)}`, levels: ['6E', '5E', '4E', '3E'], weight: 55 },
    {
      type: 'elementary',
      name: (place) => `École élémentaire ${of(place)}`,
      levels: ['CE2', 'CM1', 'CM2'],
      weight: 30,
    },
    { type: 'lycee', name: (place) => `Lycée ${of(place)}`, levels: ['2NDE', '1RE', 'TLE'], weight: 15 },
  ],
}

/** Makes the demo's schools from the places and CAPs of the reference lists. The same seed gives the same schools. */
export function makeSchools(chance: Chance, size: DemoSize): DemoSchool[] {
  const letters = lettersOfCaps()
  const names = new Set<string>()
  const made = new Map<string, number>()
  return (['ml', 'sn'] as const).flatMap((country) =>
    placeSchools(country, totals[size][country]).map((district) => {
      const place = chance.of(placesOf(country, district))
      const kind = kindOf(chance, kinds[country])
      const sign = letters.get(district.cap) ?? ''
      const number = (made.get(sign) ?? 0) + 1
      made.set(sign, number)
      return {
        name: unusedName(names, kind.name(readable(townOf(place, district.cap))), district.cap),
        admin_code: `${country.toUpperCase()}-${sign}-${String(number).padStart(4, '0')}`,
        type_of_school: kind.type,
        country,
        region: district.region,
        cap: district.cap,
        academy: district.academy,
        place,
        letters: sign,
        levels: kind.levels,
      }
    }),
  )
}

/**
 * Distributes `total` schools over the regions by their shares (largest remainder method), and in a region over its
 * CAPs in turn.
 */
function placeSchools(country: Country, total: number): SchoolDistrict[] {
  const { places } = readPlaces(country)
  const settled = new Set(places.map((place) => place.cercle))
  const districts = readSchoolDistricts(country).filter((district) => settled.has(district.cercle))
  const regions = Object.entries(shares[country])
  const whole = regions.reduce((sum, [, share]) => sum + share, 0)
  const quotas = regions.map(([region, share]) => ({ region, exact: (share * total) / whole }))
  const counts = new Map(quotas.map(({ region, exact }) => [region, Math.floor(exact)]))
  let left = total - [...counts.values()].reduce((sum, count) => sum + count, 0)
  for (const { region } of [...quotas].sort((a, b) => (b.exact % 1) - (a.exact % 1))) {
    if (left-- > 0) counts.set(region, (counts.get(region) ?? 0) + 1)
  }
  return [...counts].flatMap(([region, count]) => {
    const own = districts.filter((district) => district.region === region)
    return Array.from({ length: count }, (_, k) => own[k % own.length]).filter(
      (district) => district !== undefined,
    )
  })
}

/** The places for the schools of a CAP: its own town if it is known, otherwise all places of its cercle. */
function placesOf(country: Country, { cap, cercle }: SchoolDistrict): Place[] {
  const near = readPlaces(country).places.filter((place) => place.cercle === cercle)
  const town = cap.replace(/^(CAP|IEF) /, '').replace(/ (COMMUNE|DEPARTEMENT|\d)$/, '')
  const own = near.filter((place) => place.commune === town || place.arrondissement === town)
  return own.length > 0 ? own : near
}

function kindOf(chance: Chance, list: Kind[]): Kind {
  return chance.of(list.flatMap((kind) => Array<Kind>(kind.weight).fill(kind)))
}

function unusedName(names: Set<string>, name: string, cap: string): string {
  for (const tail of ['', ' II', ' III', ' IV', ' V', ' VI', ' VII', ' VIII']) {
    const key = `${cap}/${name}${tail}`
    if (names.has(key)) continue
    names.add(key)
    return `${name}${tail}`
  }
  throw new Error(`${cap} has too many schools called ${name}`)
}

const of = (place: string) => (/^[AEIOUY]/.test(place) ? `d’${place}` : `de ${place}`)
/** The communes of Bamako have only numbers, so a school there is named after its quarter. */
const townOf = (place: Place, cap: string) =>
  place.arrondissement.startsWith('COMMUNE ') ? cap.replace('CAP ', '') : place.arrondissement

/**
 * Three letters for each CAP: KYG for `KAYES RIVES-GAUCHE`, KTI for `KATI`. They are consonants that people recognise,
 * and no two CAPs have the same.
 */
function lettersOfCaps(): Map<string, string> {
  const taken = new Set<string>()
  const caps = [...readSchoolDistricts('ml'), ...readSchoolDistricts('sn')].map(({ cap }) => cap)
  return new Map(
    caps.map((cap) => {
      const name = cap.replace(/^(CAP|IEF) /, '')
      const sign = candidates(name).find((letters) => !taken.has(letters))
      if (!sign) throw new Error(`${cap} finds no three letters`)
      taken.add(sign)
      return [cap, sign]
    }),
  )
}

function candidates(name: string): string[] {
  const words = name.split(/[^A-Z0-9]+/).filter((word) => word.length > 1 || /\d/.test(word))
  const [first = name, ...rest] = words
  const consonants = first.replace(/(?<!^)[AEIOUY' ]/g, '')
  const end = rest.at(-1)?.[0]
  const all = name.replace(/[^A-Z0-9]/g, '')
  const begin = all[0] ?? 'X'
  const pairs = [...all.slice(1)].flatMap((b, at) => [...all.slice(at + 2)].map((c) => `${begin}${b}${c}`))
  return [
    ...(end ? [`${(first.match(/[^AEIOU]/g) ?? []).slice(0, 2).join('')}${end}`] : []),
    `${consonants.slice(0, 2)}${first.at(-1)}`,
    consonants.slice(0, 3),
    ...pairs,
  ].filter((letters) => letters.length === 3)
}

const readable = (name: string) =>
  name
    .toLowerCase()
    .replace(/(?<![\p{L}'])\p{L}|(?<=')\p{L}/gu, (letter) => letter.toUpperCase())
    .replace(/\b(I{1,3}|Iv|Vi?)$/i, (roman) => roman.toUpperCase())
