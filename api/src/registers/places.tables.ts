import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { createdAt, id, ref, searchText, version } from '../kit/columns.ts'

/** Regions of a country; names of places are upper case. */
export const regions = pgTable(
  'regions',
  {
    id: id(),
    country: text('country').$type<'ml' | 'sn'>().notNull(),
    name: text('name').notNull(),
    created_at: createdAt(),
  },
  (t) => [
    unique('regions_key').on(t.country, t.name),
    check('regions_country_check', sql`${t.country} in ('ml', 'sn')`),
    check('regions_name_check', sql`${t.name} = upper(${t.name}) and ${t.name} <> ''`),
  ],
)

/** Cercles of Mali, départements of Senegal. */
export const cercles = pgTable(
  'cercles',
  {
    id: id(),
    region_id: ref('region_id')
      .notNull()
      .references(() => regions.id),
    name: text('name').notNull(),
    created_at: createdAt(),
  },
  (t) => [
    unique('cercles_key').on(t.region_id, t.name),
    check('cercles_name_check', sql`${t.name} = upper(${t.name}) and ${t.name} <> ''`),
  ],
)

export const communes = pgTable(
  'communes',
  {
    id: id(),
    cercle_id: ref('cercle_id')
      .notNull()
      .references(() => cercles.id),
    name: text('name').notNull(),
    created_at: createdAt(),
  },
  (t) => [
    unique('communes_key').on(t.cercle_id, t.name),
    check('communes_name_check', sql`${t.name} = upper(${t.name}) and ${t.name} <> ''`),
  ],
)

/** A location: (region, cercle, commune, arrondissement) is its natural key. */
export const arrondissements = pgTable(
  'arrondissements',
  {
    id: id(),
    commune_id: ref('commune_id')
      .notNull()
      .references(() => communes.id),
    name: text('name').notNull(),
    created_at: createdAt(),
    version: version(),
    search: searchText('search').generatedAlwaysAs((): SQL => sql`portal_search(name)`),
  },
  (t) => [
    unique('arrondissements_key').on(t.commune_id, t.name),
    index('arrondissements_search_index').using('gin', t.search.op('gin_trgm_ops')),
    check('arrondissements_name_check', sql`${t.name} = upper(${t.name}) and ${t.name} <> ''`),
  ],
)

/** Education authorities (AE, IA) of a region. */
export const academies = pgTable(
  'academies',
  {
    id: id(),
    region_id: ref('region_id')
      .notNull()
      .references(() => regions.id),
    name: text('name').notNull(),
    created_at: createdAt(),
  },
  (t) => [unique('academies_key').on(t.region_id, t.name)],
)

/** School districts (CAP, IEF): the external boundary (Registers 2.3). */
export const caps = pgTable(
  'caps',
  {
    id: id(),
    academy_id: ref('academy_id')
      .notNull()
      .references(() => academies.id),
    name: text('name').notNull(),
    active: boolean('active').notNull().default(true),
    created_at: createdAt(),
  },
  (t) => [unique('caps_key').on(t.academy_id, t.name)],
)

/** Closed lists of the product (Registers 4.1): `list` is class_level, language, school_type, case_type… */
export const referenceValues = pgTable(
  'reference_values',
  {
    id: id(),
    list: text('list')
      .$type<
        | 'class_level'
        | 'language'
        | 'school_type'
        | 'partner_type'
        | 'employment_type'
        | 'case_type'
        | 'case_channel'
        | 'case_tag'
      >()
      .notNull(),
    code: text('code').notNull(),
    en: text('en').notNull(),
    fr: text('fr').notNull(),
    /** Where a value belongs to one country; null in both. */
    country: text('country').$type<'ml' | 'sn'>(),
    position: integer('position').notNull().default(0),
    active: boolean('active').notNull().default(true),
  },
  (t) => [
    unique('reference_values_key').on(t.list, t.code),
    check(
      'reference_values_list_check',
      sql`${t.list} in ('class_level', 'language', 'school_type', 'partner_type', 'employment_type', 'case_type', 'case_channel', 'case_tag')`,
    ),
    check('reference_values_country_check', sql`${t.country} in ('ml', 'sn')`),
  ],
)
