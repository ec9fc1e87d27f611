import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Country, id, listQuery, name, oneOf, page, searched, version } from '../fields.ts'
import { fileBody, importStarted, Named, reviewQuery } from './register-fields.ts'

/** An arrondissement with what it lies in. */
export const Location = v.object({
  id: v.number(),
  name: v.string(),
  commune: v.object({
    name: v.string(),
    cercle: v.object({ name: v.string(), region: v.object({ name: v.string() }) }),
  }),
  version: v.number(),
})
export type Location = v.InferOutput<typeof Location>

/** A CAP or IEF with its academy; `academy.location` is its region. */
export const Boundary = v.object({
  id: v.number(),
  name: v.string(),
  active: v.boolean(),
  academy: v.object({ name: v.string(), location: v.object({ name: v.string() }) }),
})
export type Boundary = v.InferOutput<typeof Boundary>

/** Names of places are upper case. */
const place = v.pipe(name, v.toUpperCase())
const word = v.optional(v.nullable(v.string('required')))
const inner = (next: v.GenericSchema) => v.optional(v.nullable(v.union([v.string(), next], 'required')))
const Region = v.object({ name: word })
const Cercle = v.object({ name: word, region: inner(Region) })
const Commune = v.object({ name: word, cercle: inner(Cercle) })
type Nested = { name?: string; region?: Nested | string; cercle?: Nested | string }
const nested = (value: unknown): Nested =>
  typeof value === 'string' ? { name: value } : ((value ?? {}) as Nested)

/**
 * The location's form has four texts, `region`, `cercle`, `commune`, `arrondissement`; the whole object of the list is
 * accepted too and read into them.
 */
export const LocationEdit = v.pipe(
  v.object({
    region: inner(Region),
    cercle: inner(Cercle),
    commune: inner(Commune),
    arrondissement: word,
    name: word,
    version,
  }),
  v.transform((given) => {
    const commune = nested(given.commune)
    const cercle = nested(given.cercle ?? commune.cercle)
    return {
      region: nested(given.region ?? cercle.region).name ?? '',
      cercle: cercle.name ?? '',
      commune: commune.name ?? '',
      arrondissement: given.arrondissement ?? given.name ?? '',
      version: given.version,
    }
  }),
  v.object({ region: place, cercle: place, commune: place, arrondissement: place, version }),
)
export type LocationEdit = v.InferOutput<typeof LocationEdit>

/** Names for filters and selects: few hundred, asked for once. `type` lists have `code` as what is stored. */
export const Option = v.object({ code: v.string(), name: v.string() })
export type Option = v.InferOutput<typeof Option>
export const RegisterOptions = v.object({
  regions: v.array(v.object({ ...Named.entries, country: Country })),
  cercles: v.array(v.object({ ...Named.entries, region_id: v.number() })),
  academies: v.array(v.object({ ...Named.entries, region_id: v.number() })),
  caps: v.array(v.object({ ...Named.entries, academy_id: v.number(), active: v.boolean() })),
  school_types: v.array(Option),
  partner_types: v.array(Option),
  employment_types: v.array(Option),
  /** Mali and Senegal have their own class levels; null for one of both. */
  class_levels: v.array(v.object({ ...Option.entries, country: v.nullable(Country) })),
  languages: v.array(Option),
})
export type RegisterOptions = v.InferOutput<typeof RegisterOptions>

/** The calls on geography. */
export const geography = {
  locations: endpoint({
    method: 'GET',
    path: '/admin/geo/locations/list',
    access: 'locations.view',
    query: listQuery(['name', 'commune', 'cercle', 'region'], {
      region: v.optional(id),
      cercle: v.optional(id),
    }),
    answer: v.object({ locations: page(Location) }),
  }),
  /** One location as stored now, for after a 409. */
  readLocation: endpoint({
    method: 'GET',
    path: '/admin/geo/locations/:id',
    access: 'locations.view',
    answer: v.object({ location: Location }),
  }),
  importLocations: endpoint({
    method: 'POST',
    path: '/admin/geo/locations/import',
    access: 'locations.import',
    query: reviewQuery,
    body: fileBody('locations_file'),
    multipart: true,
    answer: importStarted,
  }),
  updateLocation: endpoint({
    method: 'PUT',
    path: '/locations/update/:id',
    access: 'locations.update',
    body: LocationEdit,
    answer: v.object({ message: v.string(), location: Location }),
  }),
  boundaries: endpoint({
    method: 'GET',
    path: '/admin/geo/locations/external',
    access: 'locations.view',
    query: listQuery(['name', 'academy', 'region', 'active'], {
      region: v.optional(id),
      academy: v.optional(id),
      active: v.optional(oneOf('true', 'false')),
    }),
    answer: v.object({ locations: page(Boundary) }),
  }),
  /** What filters and selects of all registers offer, in the reader's language. */
  options: endpoint({
    method: 'GET',
    path: '/admin/geo/options',
    access: 'session',
    answer: RegisterOptions,
  }),
  /** Arrondissements to choose from: the first twenty that match. */
  places: endpoint({
    method: 'GET',
    path: '/admin/geo/places',
    access: 'schools.update',
    query: v.object({
      search: searched,
    }),
    answer: v.object({ places: v.array(Location) }),
  }),
}
