import { type Field, type Fields, namesOf } from '@portal/contracts/field'
import { type SQL, sql } from 'drizzle-orm'

/** The columns of what a noun keeps with its own row, as a list reads them from `alias`. */
export const ownColumns = (fields: Fields, alias: SQL, holds: (field: Field) => boolean = () => true): SQL =>
  sql.join(
    namesOf(fields, (field) => field.stored === 'own' && holds(field)).map(
      (name) => sql`${alias}.${sql.identifier(name)}`,
    ),
    sql`, `,
  )
