import { type Field, type Fields, namesOf } from '@portal/contracts/field'
import { type RawBuilder, sql } from 'kysely'

/** The columns of those fields that a record stores in its own table, read from `alias`. */
export const ownColumns = (
  fields: Fields,
  alias: RawBuilder<unknown>,
  holds: (field: Field) => boolean = () => true,
): RawBuilder<unknown> =>
  sql.join(
    namesOf(fields, (field) => field.stored === 'own' && holds(field)).map(
      (name) => sql`${alias}.${sql.id(name)}`,
    ),
    sql`, `,
  )
