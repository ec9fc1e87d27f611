/** A refusal of the registry with a sentence that says what to do. It is in English, for developers. */
export class RegistryRefusal extends Error {
  readonly status: number
  /** Further fields of the response. */
  readonly more: Record<string, unknown>

  constructor(status: number, message: string, more: Record<string, unknown> = {}) {
    super(message)
    this.status = status
    this.more = more
  }
}

/** The generation that the caller saw is no longer live. */
export function movedOn(
  live: { generation: number; what: string; module?: string; by: string },
  seen: number,
) {
  const last = [live.what, live.module].filter(Boolean).join(' ')
  return new RegistryRefusal(
    409,
    `The portal is at generation ${live.generation} by now (${last}, by ${live.by}); you saw ${seen}. Nothing was changed: look again (portal-module status) and repeat the command if it still makes sense.`,
    { generation: live.generation },
  )
}

/** Partners' ways of publishing do not apply to a module of the product. */
export const ownModule = (name: string, instead: string) =>
  new RegistryRefusal(409, `${name} is one of the portal's own modules${instead}.`)

/** Nothing has that name. */
export const unknownModule = (name: string) =>
  new RegistryRefusal(
    404,
    `No module ${name} is live: portal-module status lists those that are, portal-module publish and promote add one.`,
  )
