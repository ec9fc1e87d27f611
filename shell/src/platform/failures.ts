import type { RegistryModule } from '@portal/sdk/manifest'

/** Why a module cannot be shown (Modules 3.1). */
export type Failure =
  | { reason: 'unreachable'; file: string }
  /** A page came in place of a script: something on the way answers for the server. */
  | { reason: 'html'; file: string }
  | { reason: 'contract'; needed: string }
  /** Made for another version of what there may be only one of, React above all. */
  | { reason: 'shared'; library: string; needed: string; here: string }
  | { reason: 'integrity' }
  | { reason: 'invalid' }
  /** Its code came and stopped with a fault before there was a page. */
  | { reason: 'threw'; message: string }
  | { reason: 'withheld'; why: NonNullable<RegistryModule['withheld']> }
  | { reason: 'disabled' }
  | { reason: 'denied' }

/** A failure that is known for what it is where it happens. */
export class ModuleFault extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.reason)
    this.failure = failure
  }
}

/** A line that broke may be back: these are tried once more, everything else would only fail again. */
export const isPassing = (failure: Failure): failure is Extract<Failure, { file: string }> =>
  'file' in failure

// Without letters and digits that look alike: it is read out over the telephone.
const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** What a person quotes and an administrator looks for: `MF-7K3Q9D`. */
export const newReference = (): string =>
  `MF-${[...crypto.getRandomValues(new Uint8Array(6))].map((byte) => letters[byte % 32]).join('')}`
