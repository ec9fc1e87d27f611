import type { ComponentType } from 'react'
import type { HomeCard } from './announced.ts'
import type { Failed } from './builds.ts'
import { ModuleFault } from './failures.ts'
import { take } from './modules.ts'

/** Fetches a card: its component, or why there is none. */
export function loadCard({ entry, id }: HomeCard): Promise<{ value: ComponentType } | Failed> {
  return take(entry, '/home', async ({ module }) => {
    const card = module.cards?.[id]
    if (!card) throw new ModuleFault({ reason: 'invalid' })
    return (await card()).default
  })
}
