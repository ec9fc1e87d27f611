import type { Text } from '@portal/contracts/sentences'
import type { PortalRegistry } from '@portal/registry'
import type { Logger } from 'pino'
import { liveModules } from './live-modules.ts'

/** A step of the first day with the module that declares it; one of the portal's own has `portal` there. */
export type Step = {
  module: string
  id: string
  title: Text
  text: Text
  /** One of these is enough. Without it everybody has the step. */
  permission?: string | readonly string[]
  link: string
  done?: { type: string; events: readonly string[] } | undefined
  order: number
}

/** Steps that the manifests of running modules declare. If the registry cannot be read, only the portal's own remain. */
export async function moduleSteps({
  registry,
  log,
}: {
  registry: PortalRegistry
  log: Logger
}): Promise<Step[]> {
  try {
    const { modules } = await liveModules(registry)
    return modules
      .filter(({ disabled, withheld }) => !disabled && !withheld)
      .flatMap(({ name, first_day = [] }) => first_day.map((step) => ({ ...step, module: name })))
  } catch (fault) {
    log.error({ err: fault }, 'the registry cannot be read: the first day has only the portal’s own steps')
    return []
  }
}
