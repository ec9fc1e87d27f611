import type { Portal } from '../../portal.ts'

type Fields = { endpoint?: string; type?: 'mobile_money' | 'bank'; country?: 'ml' | 'sn'; details?: object }

/** Adds an agency that is as the first one but for its name and these fields. Returns its id. */
export async function copyAgency(
  { owner }: Pick<Portal, 'owner'>,
  name: string,
  { endpoint, type, country, details = {} }: Fields = {},
): Promise<number> {
  const { rows } = await owner.query(
    `insert into transfer_agencies (name, description, type, country, fees, endpoint, protocol, details, user_id)
     select $1, $1, coalesce($2, type), coalesce($3, country), fees, coalesce($4, endpoint), protocol, details || $5::jsonb, user_id
     from transfer_agencies order by id limit 1 returning id::int`,
    [name, type, country, endpoint, JSON.stringify(details)],
  )
  return rows[0].id
}
