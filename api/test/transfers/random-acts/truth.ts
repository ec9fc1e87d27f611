import type { World } from './stage.ts'

export type Movement = { reference: string; amount: number; agency: number; number: string; day: string }

const dayOf = (at: string) => at.slice(0, 10)

/** Every movement of money, by the ledgers of the agencies themselves. */
export async function movements(world: World): Promise<Movement[]> {
  const mobile = await Promise.all(
    world.mobiles.map(async ({ id, agency }) =>
      (await agency.ledger()).flatMap(({ reference, amount, executed, phone, ...line }) =>
        Array.from({ length: executed }, () => ({
          reference,
          amount,
          agency: id,
          number: phone,
          day: dayOf((line as unknown as { at: string }).at),
        })),
      ),
    ),
  )
  const { payments } = await world.bank.ledger()
  const paid = payments.filter(({ reason }) => reason === null)
  return [
    ...mobile.flat(),
    ...paid.map(({ end_to_end_id, amount, account, at }) => ({
      // From the second attempt on its name has the number of the attempt behind the reference.
      reference: end_to_end_id,
      amount,
      agency: world.bankId,
      number: account,
      day: dayOf(at),
    })),
  ]
}

const isOf = (reference: string, movement: Movement) =>
  movement.reference === reference || movement.reference.startsWith(`${reference}-`)

/** How often money moved for a payment. */
export async function movedFor(world: World, reference: string): Promise<number> {
  return (await movements(world)).filter((movement) => isOf(reference, movement)).length
}

/** What the agency's books say of a payment: nobody knows yet while it still has the order. */
export async function outcomeAtAgency(
  world: World,
  reference: string,
): Promise<'paid' | 'not_paid' | 'open'> {
  if ((await movedFor(world, reference)) > 0) return 'paid'
  const lines = await Promise.all(world.mobiles.map(({ agency }) => agency.ledger()))
  const isOpen = lines.flat().some((line) => line.reference === reference && line.result === 'pending')
  return isOpen ? 'open' : 'not_paid'
}

/** The movements by the reference of the portal's payment; those that are of none are left. */
export function byPayment(found: readonly Movement[], references: readonly string[]) {
  const known = new Set(references)
  const of = new Map<string, Movement[]>()
  const strange: Movement[] = []
  for (const movement of found) {
    const { reference } = movement
    const name = known.has(reference) ? reference : reference.replace(/-\d+$/, '')
    if (known.has(name)) of.set(name, [...(of.get(name) ?? []), movement])
    else strange.push(movement)
  }
  return { of, strange }
}
