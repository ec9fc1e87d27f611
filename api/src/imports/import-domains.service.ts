import type { ImportKind } from '@portal/contracts/imports'
import { forbidden, Refusal } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { aboutKind } from '../modules/module-links.service.ts'
import type { ImportDomain, Rights, TaskRow } from './import-kind.ts'

const domains = new Map<ImportKind, ImportDomain>()

/** Registers a kind of import. */
export function registerImport(domain: ImportDomain) {
  domains.set(domain.kind, domain)
}

/** The domain of a kind. A missing one is a bug, so the call answers with 500. */
export function importDomain(kind: ImportKind): ImportDomain {
  const domain = domains.get(kind)
  if (!domain) throw new Error(`Nobody imports ${kind}`)
  return domain
}

/** An import, or one that is still to be made. */
type Some = Pick<TaskRow, 'kind' | 'params'>

/** Throws 403 or 404 unless this person may import this kind. */
export async function allow(context: Rights, actor: Actor, { kind, params }: Some): Promise<void> {
  const { permission } = importDomain(kind)
  if (typeof permission === 'function') await permission(context, actor, params)
  else if (!actor.can(permission)) throw forbidden()
}

/** Whether this person may see an import. */
export async function isAllowed(context: Rights, actor: Actor, some: Some): Promise<boolean> {
  try {
    await allow(context, actor, some)
    return true
  } catch (refusal) {
    if (refusal instanceof Refusal) return false
    throw refusal
  }
}

/** The link of a notice to an import. */
export const linkTo = ({ kind, params, id }: Some & { id: number }): string =>
  importDomain(kind).link?.(params, id) ?? aboutKind(`import.${kind}`, id)
