import type { Text } from '@portal/contracts/sentences'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { liveModules } from './live-modules.ts'

/**
 * The modules whose notices can reach a person, by their names, with their titles. If the registry cannot be read, there are
 * none, so that the rest of the profile is still shown.
 */
export async function noticingModules(
  { registry, log }: Pick<Context, 'registry' | 'log'>,
  actor: Actor,
): Promise<Record<string, Text>> {
  const granted = new Set<string>(actor.permissions)
  try {
    const { modules } = await liveModules(registry)
    const telling = modules.filter(
      ({ disabled, withheld, notices = [] }) =>
        !disabled && !withheld && notices.some(({ permission }) => granted.has(permission)),
    )
    return Object.fromEntries(telling.map(({ name, title }) => [name, title]))
  } catch (fault) {
    log.error({ err: fault }, 'the registry cannot be read: the profile shows no notices of modules')
    return {}
  }
}
