import type { Act } from './act.ts'
import { listActs } from './list-acts.ts'
import { officeActs } from './office-acts.ts'
import { paperActs } from './paper-acts.ts'
import { paymentActs } from './payment-acts.ts'
import type { World } from './stage.ts'

/** Everything that can happen in a story, by its name. */
export const acts: Record<string, Act> = { ...listActs, ...paymentActs, ...paperActs, ...officeActs }

const names = Object.keys(acts)
const total = names.reduce((sum, name) => sum + (acts[name] as Act).weight, 0)

/** The name of the next act, by chance and weight. */
export function nextAct({ random }: World): string {
  let left = random.next() * total
  for (const name of names) {
    left -= (acts[name] as Act).weight
    if (left < 0) return name
  }
  return names[0] as string
}
